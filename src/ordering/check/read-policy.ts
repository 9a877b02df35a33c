/** Reads what a machine says about its statuses and its effects. */
import { parseDurationMs } from '../duration.ts';
import type { EffectPolicy, Machine, MachineDeadline } from '../machine.ts';
import { isFields, readEffects, readStatus, readType, show, unknownKeys } from './names.ts';
import type { Names } from './names.ts';

const ONCE = /^(order|event|facts\.[A-Za-z][A-Za-z0-9_]*)$/;
const KEYS = {
  status: ['deadline', 'effects'],
  deadline: ['after', 'type', 'unasked'],
  effect: ['once', 'whenPassed', 'sensitive', 'validIn'],
};

export function readStatusDefinition(
  path: string,
  value: unknown,
  names: Names,
): Machine['statuses'][string] {
  if (!isFields(value)) {
    names.say(path, `must be an object, {} when nothing is to be said; it is ${show(value)}`);
    return { effects: [] };
  }
  unknownKeys(path, value, KEYS.status, names.say);
  const effects =
    value['effects'] === undefined ? [] : readEffects(`${path}.effects`, value['effects'], names);
  const deadline =
    value['deadline'] === undefined ? null : readDeadline(`${path}.deadline`, value['deadline'], names);
  return deadline ? { deadline, effects } : { effects };
}

function readDeadline(path: string, value: unknown, names: Names): MachineDeadline | null {
  if (!isFields(value)) {
    names.say(path, `must be { after: '24h', type: '…' }; it is ${show(value)}`);
    return null;
  }
  unknownKeys(path, value, KEYS.deadline, names.say);
  const after = value['after'];
  const afterMs = typeof after === 'string' ? parseDurationMs(after) : null;
  if (afterMs === null || afterMs <= 0) {
    names.say(
      `${path}.after`,
      `must be a duration such as '30s', '15m', '24h' or '7d'; it is ${show(after)}`,
    );
  }
  const type = readType(`${path}.type`, value['type'], names);
  const unasked = value['unasked'] ?? 'review';
  if (unasked !== 'review' && unasked !== 'act') {
    names.say(`${path}.unasked`, `must be 'review' or 'act'; it is ${show(unasked)}`);
    return null;
  }
  return afterMs === null || type === null ? null : { afterMs, type, unasked };
}

export function readEffect(path: string, value: unknown, names: Names): EffectPolicy | null {
  if (!isFields(value)) {
    names.say(path, `must be { once, whenPassed }; it is ${show(value)}`);
    return null;
  }
  unknownKeys(path, value, KEYS.effect, names.say);
  const { once, whenPassed, sensitive, validIn } = value as Partial<Record<keyof EffectPolicy, unknown>>;
  if (typeof once !== 'string' || !ONCE.test(once)) {
    const given = once === undefined ? 'it is missing' : `it is ${show(once)}`;
    names.say(
      `${path}.once`,
      `must say what one run is counted by: 'order', 'event' or 'facts.<name>'; ${given}. ` +
        'A status can be entered again, so there is no safe guess',
    );
  }
  if (whenPassed !== 'run' && whenPassed !== 'skip') {
    const given = whenPassed === undefined ? 'it is missing' : `it is ${show(whenPassed)}`;
    names.say(
      `${path}.whenPassed`,
      `must say what happens when the status was passed unseen: 'run' or 'skip'; ${given}`,
    );
  }
  if (sensitive !== undefined && typeof sensitive !== 'boolean') {
    names.say(`${path}.sensitive`, `must be true or false; it is ${show(sensitive)}`);
  }
  const policy = { once, whenPassed } as EffectPolicy;
  if (sensitive === true) policy.sensitive = true;
  if (validIn !== undefined) {
    if (!Array.isArray(validIn) || validIn.length === 0) {
      names.say(`${path}.validIn`, 'must list at least one status, or be left out');
    } else {
      const known = validIn.map((status, i) => readStatus(`${path}.validIn[${i}]`, status, names));
      policy.validIn = known.filter((status) => status !== null);
    }
  }
  return policy;
}
