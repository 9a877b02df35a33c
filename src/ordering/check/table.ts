/**
 * What only shows when the whole table is walked: statuses nothing leads to, cells nobody wrote, policies nobody
 * uses, effects that would be dropped as soon as they are asked for. Works on a machine whose names are known
 * to be right.
 */
import type { Machine } from '../machine.ts';
import { cellOf } from '../table.ts';
import type { ResolvedCell } from '../table.ts';

export function checkTable(machine: Machine): string[] {
  return [
    ...unreachableStatuses(machine),
    ...undefinedCells(machine),
    ...idleDeadlines(machine),
    ...idleAhead(machine),
    ...effectProblems(machine),
  ];
}

/** Both halves of the cell, `else` included: for an own and for an other event. */
function halves(machine: Machine, status: string, type: string): ResolvedCell[] {
  return [true, false].map((own) => cellOf(machine, status, type, own));
}

function nextStatuses(machine: Machine, status: string, type: string): string[] {
  return halves(machine, status, type).flatMap((cell) => (cell.kind === 'step' ? [cell.status] : []));
}

function unreachableStatuses(machine: Machine): string[] {
  const reached = reachableFrom(machine, [machine.initial]);
  return Object.keys(machine.statuses)
    .filter((status) => !reached.has(status))
    .map(
      (status) =>
        `statuses.${status}: no cell leads here from '${machine.initial}'; add one or remove the status`,
    );
}

function reachableFrom(machine: Machine, start: string[]): Set<string> {
  const reached = new Set(start);
  // A set grows while it is walked: each status is looked at once.
  for (const status of reached) {
    for (const type of Object.keys(machine.on)) {
      for (const next of nextStatuses(machine, status, type)) reached.add(next);
    }
  }
  return reached;
}

function undefinedCells(machine: Machine): string[] {
  if (machine.unlisted !== null) return [];
  return Object.keys(machine.on).flatMap((type) => {
    const absent = Object.keys(machine.statuses).filter(
      (status) => cellOf(machine, status, type, true).kind === 'absent',
    );
    if (absent.length === 0) return [];
    return [
      `on['${type}']: nothing is written for ${absent.join(', ')}; write the cells, an 'else', or set 'unlisted'`,
    ];
  });
}

function idleDeadlines(machine: Machine): string[] {
  return Object.entries(machine.statuses).flatMap(([status, { deadline }]) => {
    if (!deadline) return [];
    const cells = halves(machine, status, deadline.type);
    if (cells.some((cell) => cell.kind === 'step' || cell.kind === 'review')) return [];
    return [
      `statuses.${status}.deadline.type: on['${deadline.type}'].${status} is neither a status nor a review, so the deadline does nothing`,
    ];
  });
}

function idleAhead(machine: Machine): string[] {
  return machine.ahead
    .filter((type) =>
      Object.keys(machine.statuses).every((status) => nextStatuses(machine, status, type).length === 0),
    )
    .map((type) => `ahead: '${type}' leads to no status anywhere, so it can overtake nothing`);
}

function effectProblems(machine: Machine): string[] {
  const problems: string[] = [];
  const asked = new Set<string>();
  for (const [status, definition] of Object.entries(machine.statuses)) {
    for (const effect of definition.effects) {
      asked.add(effect);
      const validIn = machine.effects[effect]?.validIn;
      if (validIn && !validIn.includes(status)) {
        problems.push(
          `effects.${effect}.validIn: '${status}' asks for it and is not listed, so it would be dropped at once`,
        );
      }
    }
  }
  for (const type of Object.keys(machine.on)) {
    for (const cell of Object.keys(machine.statuses).flatMap((status) => halves(machine, status, type))) {
      if (cell.kind === 'stay') for (const effect of cell.effects) asked.add(effect);
    }
  }
  for (const rule of Object.values(machine.late).flatMap((rules) => Object.values(rules))) {
    if (typeof rule === 'object' && 'effects' in rule) for (const effect of rule.effects) asked.add(effect);
  }
  for (const effect of Object.keys(machine.effects)) {
    if (!asked.has(effect)) problems.push(`effects.${effect}: no status, stay or late rule asks for it`);
  }
  return problems;
}
