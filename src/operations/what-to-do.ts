/**
 * For each attention of an order, what a person may do about it: whole commands to copy. The
 * workflow checks a word that is given by them once more; here nothing is decided.
 */
import { sourceOf } from '../ordering/fresh-state.ts';
import { isGap } from '../ordering/hold.ts';
import type { Machine } from '../ordering/machine.ts';
import type {
  Attention,
  EffectAction,
  HeldEvent,
  OrderKey,
  OrderState,
  StreamState,
} from '../ordering/state.ts';
import { leadsTo } from '../ordering/table.ts';

export interface Remedy {
  /** The event that waits for the person, where one does. */
  event: string | null;
  commands: string[];
  /** What to do where no command helps, or beside it. */
  advice: string | null;
}

const NO_COMMAND = 'no command ends it; it goes when news of the order comes that explains it';

/** `machine` is the version that decides about the order; null: it is not known here, and no status is named. */
export function whatToDo(state: OrderState, machine: Machine | null, attention: Attention): Remedy {
  const { key, streams, sources } = state;
  const { kind, stream: name, reason } = attention;
  const stream = name === null ? undefined : streams[name];
  const ask = sources[name === null ? '' : sourceOf(name)]?.api === true ? [reconcile(key, name)] : [];
  switch (kind) {
    case 'effect':
      return onEffect(state, machine, attention);
    case 'reconcile':
      return { event: null, commands: [reconcile(key, name)], advice: null };
    case 'conflict': {
      const held = stream?.held.find((one) => one.review === reason && one.since === attention.since);
      const isSubject = stream !== undefined && (held !== undefined || stream.answer?.review === reason);
      const commands = isSubject
        ? waysToResolve(key, name as string, machine, stream, held)
        : [resolve(key, name, null, '--ignore')];
      return { event: held?.event ?? null, commands, advice: name === null ? null : WHOSE };
    }
    case 'gap': {
      const first = stream?.held.find(isGap) ?? stream?.held[0];
      if (first === undefined)
        return { event: null, commands: ask, advice: ask.length > 0 ? null : NO_COMMAND };
      const rebase = resolve(key, name, first.event, '--rebase');
      return {
        event: first.event,
        commands: [rebase],
        advice: 'or have the provider send the version again',
      };
    }
    case 'review': {
      if (name === null) return { event: null, commands: onDeadline(state, machine), advice: null };
      // The decision about its first event failed: the stream is not there, its notice is.
      if (stream === undefined)
        return { event: null, commands: [resolve(key, name, null, '--ignore')], advice: null };
      const held = stream.held.find((one) => one.review === reason && one.since === attention.since);
      return {
        event: held?.event ?? null,
        commands: [...waysToResolve(key, name, machine, stream, held), ...ask],
        advice: null,
      };
    }
  }
}

const WHOSE =
  'what a provider calls by two orders counts for the first; look at that one, too, before you decide';

/** A deadline that nobody can be asked about: it acts on a person's word, or not at all. */
function onDeadline({ key, deadline }: OrderState, machine: Machine | null): string[] {
  const statuses = machine === null || deadline === null ? [] : [...leadsTo(machine, deadline.type)];
  return [
    ...statuses.map((status) => resolve(key, null, null, `--apply ${word(status)}`)),
    resolve(key, null, null, '--ignore'),
  ];
}

/** What a worker says of an effect that the store does not have. */
const NO_ROW = 'the store has no such effect';
const LOST_ROW =
  'the store has no row of it: it was restored, and whether the effect was done is for its receiver to say';

const ASK_FIRST = {
  fits: "ask the effect's receiver by that key first: confirm it if it was done; if it was not, retry it or skip it",
  passed: "ask the effect's receiver by that key first: confirm it if it was done, skip it if it was not",
};
const NOT_DONE = {
  fits: 'it was not done: retry it when its cause is mended, skip it if it is not to run, confirm it if it was done by hand',
  passed:
    'it was not done, and does not fit the order any more: skip it, or confirm it if it was done by hand',
};

function onEffect(state: OrderState, machine: Machine | null, attention: Attention): Remedy {
  const found = troubleOf(state, attention);
  if (found === null || found.reason.endsWith(NO_ROW)) return { event: null, commands: [], advice: LOST_ROW };
  const { key, name, reason } = found;
  const validIn = machine?.effects[name]?.validIn;
  const fits =
    machine === null || (machine.effects[name] !== undefined && validIn?.includes(state.status) !== false);
  const act = (action: EffectAction) => effectCommand(action, key);
  const retry = fits ? [act('retry')] : [];
  const isUncertain = reason.startsWith('uncertain');
  return {
    event: null,
    commands: isUncertain ? [act('confirm'), ...retry, act('skip')] : [...retry, act('skip'), act('confirm')],
    advice: isUncertain ? ASK_FIRST[fits ? 'fits' : 'passed'] : NOT_DONE[fits ? 'fits' : 'passed'],
  };
}

/** Attention is worked out of the troubles in the order of their keys; its words alone may stand for several. */
function troubleOf(
  { attention, troubles }: OrderState,
  one: Attention,
): { key: string; name: string; reason: string } | null {
  const at = attention.filter(({ kind }) => kind === 'effect').indexOf(one);
  const key = Object.keys(troubles).sort()[at];
  const trouble = key === undefined ? undefined : troubles[key];
  return key === undefined || trouble === undefined ? null : { key, ...trouble };
}

function waysToResolve(
  key: OrderKey,
  name: string,
  machine: Machine | null,
  stream: StreamState,
  held: HeldEvent | undefined,
): string[] {
  const type = held === undefined ? (stream.answer?.snapshot.type ?? null) : held.type;
  const statuses = machine === null || type === null ? [] : [...leadsTo(machine, type)];
  const event = held?.event ?? null;
  return [
    ...statuses.map((status) => resolve(key, name, event, `--apply ${word(status)}`)),
    resolve(key, name, event, '--ignore'),
  ];
}

const resolve = (key: OrderKey, stream: string | null, event: string | null, how: string): string =>
  `inorder orders resolve ${named(key)}${option('stream', stream)}${option('event', event)} ${how} --reason '…'`;

export const effectCommand = (action: EffectAction, key: string): string =>
  `inorder effects ${action} ${word(key)} --reason '…'`;

const reconcile = (key: OrderKey, stream: string | null): string =>
  `inorder orders reconcile ${named(key)}${option('stream', stream)} --reason '…'`;

const named = ({ machine, environment, id }: OrderKey): string => word(`${machine}/${environment}/${id}`);

/** With `=`, so that an id which begins with a dash is no option. */
function option(name: string, value: string | null): string {
  if (value === null) return '';
  return value.startsWith('-') ? ` --${name}=${word(value)}` : ` --${name} ${word(value)}`;
}

/** As a shell takes it for one word. */
const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
