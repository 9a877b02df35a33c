/** Draws a machine as text: every cell as it is written, statuses with the same cell on one line. */
import { formatDuration } from '../format-duration.ts';
import type { Cell, LateRule, Machine, SimpleCell } from '../machine.ts';

const UNLISTED = {
  ask: 'the provider is asked',
  review: 'a person decides',
  ignore: 'ignored',
};

export function drawTable(machine: Machine): string {
  const sections = [
    [`${machine.name} version ${machine.version}, starts in ${machine.initial}`],
    ...Object.keys(machine.on).map((type) => drawRow(machine, type)),
    drawStatuses(machine),
    drawEffects(machine),
    drawRules(machine),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.trimEnd()).join('\n'))
    .join('\n\n')}\n`;
}

function drawRow(machine: Machine, type: string): string[] {
  const row = machine.on[type] ?? {};
  const statusesByCell = new Map<string, string[]>();
  for (const [status, cell] of Object.entries(row)) {
    if (status === 'else') continue;
    const drawn = cellText(cell);
    statusesByCell.set(drawn, [...(statusesByCell.get(drawn) ?? []), status]);
  }
  const lines = [...statusesByCell].map(([cell, statuses]): [string, string] => [statuses.join(', '), cell]);
  const rest = Object.keys(machine.statuses).filter((status) => !Object.hasOwn(row, status));
  if (row['else'] !== undefined) lines.push(['else', cellText(row['else'])]);
  else if (rest.length > 0) lines.push(['else', `∅ not listed: ${UNLISTED[machine.unlisted ?? 'ask']}`]);
  return [type, ...aligned(lines)];
}

const SPLIT = ' / ';

function cellText(cell: Cell): string {
  if (typeof cell === 'object' && 'own' in cell) {
    return `own ${simpleText(cell.own)}${SPLIT}other ${simpleText(cell.other)}`;
  }
  return simpleText(cell);
}

function simpleText(cell: SimpleCell): string {
  if (typeof cell === 'string') return `→ ${cell}`;
  if ('ignore' in cell) return `ignore (${cell.ignore})`;
  if ('review' in cell) return `review (${cell.review})`;
  return `stay${cell.effects.length > 0 ? `, run ${cell.effects.join(', ')}` : ''} (${cell.stay})`;
}

function drawStatuses(machine: Machine): string[] {
  const lines = Object.entries(machine.statuses).flatMap(
    ([status, { deadline, effects }]): [string, string][] => {
      const said = [];
      if (effects.length > 0) said.push(`on entry ${effects.join(', ')}`);
      if (deadline) {
        const unasked = deadline.unasked === 'act' ? ', also when the provider cannot be asked' : '';
        said.push(`after ${formatDuration(deadline.afterMs)} ${deadline.type}${unasked}`);
      }
      return said.length > 0 ? [[status, said.join('; ')]] : [];
    },
  );
  return lines.length > 0 ? ['statuses', ...aligned(lines)] : [];
}

function drawEffects(machine: Machine): string[] {
  const lines = Object.entries(machine.effects).map(([effect, policy]): [string, string] => {
    const said = [
      `once per ${policy.once}`,
      policy.whenPassed === 'run' ? 'run when passed' : 'skipped when passed',
    ];
    if (policy.sensitive) said.push('waits for gaps and asks');
    if (policy.validIn) said.push(`valid in ${policy.validIn.join(', ')}`);
    return [effect, said.join('; ')];
  });
  return lines.length > 0 ? ['effects', ...aligned(lines)] : [];
}

function drawRules(machine: Machine): string[] {
  const lines: [string, string][] = Object.entries(machine.late).flatMap(([type, rules]) =>
    Object.entries(rules).map(([status, rule]): [string, string] => [
      `late ${type} in ${status}`,
      ruleText(rule),
    ]),
  );
  if (machine.ahead.length > 0) lines.push(['may overtake a gap', machine.ahead.join(', ')]);
  if (machine.stepsBack.length > 0) lines.push(['steps back', machine.stepsBack.join(', ')]);
  for (const [old, now] of Object.entries(machine.renamed)) lines.push([`renamed ${old}`, `→ ${now}`]);
  return lines.length > 0 ? ['rules', ...aligned(lines)] : [];
}

function ruleText(rule: LateRule): string {
  if (typeof rule === 'string') return rule;
  return 'review' in rule ? `review (${rule.review})` : `run ${rule.effects.join(', ')}`;
}

/** Two columns. A first column too long for its place gets a line of its own, and so do the halves of a split cell. */
function aligned(lines: [string, string][]): string[] {
  const width = Math.min(34, Math.max(...lines.map(([first]) => first.length)));
  return lines.flatMap(([first, second]) => {
    const parts = second.split(SPLIT);
    const head = first.length > width ? [first] : [`${first.padEnd(width)}  ${parts.shift()}`];
    return [...head, ...parts.map((part) => `${' '.repeat(width)}  ${part}`)].map((line) => `  ${line}`);
  });
}
