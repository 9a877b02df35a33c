/** The order's story as Temporal's UI shows it, without opening a payload (R58). Costs no event. */
import { awaited } from '../src/ordering/hold.ts';
import type { OrderState, StreamState } from '../src/ordering/state.ts';

export function detailsOf(state: OrderState, notice: string | null): string {
  const lines = [`**Status: ${state.status}**${state.bearer === null ? '' : ` · payment ${state.bearer}`}`];
  if (notice !== null) lines.push('', `⚠ ${notice}`);
  for (const { kind, stream, since, reason } of state.attention)
    lines.push(`- **${kind}**${stream === null ? '' : ` ${stream}`}: ${reason} (since ${iso(since)})`);
  if (state.deadline !== null)
    lines.push(`- ${state.deadline.type} is due ${iso(state.deadline.at)} (${state.deadline.phase})`);
  for (const key of Object.keys(state.streams).sort())
    lines.push(lineOf(key, state.streams[key] as StreamState));
  return lines.join('\n');
}

/** A list and no table: the UI sets the cells of a table without a gap between them. */
function lineOf(key: string, stream: StreamState): string {
  const said = [`version ${stream.version ?? '–'}`, `last ${stream.word?.type ?? 'nothing'}`];
  if (stream.ask !== null) said.push(`asking the provider (${stream.ask.reason})`);
  if (stream.held.some(({ reason }) => reason === 'gap'))
    said.push(`waits for ${awaited(stream) === null ? 'its first version' : `version ${awaited(stream)}`}`);
  const held = stream.held.map(({ type, version, reason }) =>
    [type ?? '?', version ?? '', `(${reason})`].filter((part) => part !== '').join(' '),
  );
  if (held.length > 0) said.push(`holds ${held.slice(0, 10).join(', ')}${held.length > 10 ? ', …' : ''}`);
  return `- \`${key}\`: ${said.join(' · ')}`;
}

const iso = (instant: number) => new Date(instant).toISOString();
