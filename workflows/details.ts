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
  const streams = Object.keys(state.streams).sort();
  if (streams.length > 0) {
    lines.push('', '| stream | version | last | waits |', '|---|---|---|---|');
    for (const key of streams) lines.push(rowOf(key, state.streams[key] as StreamState));
  }
  return lines.join('\n');
}

function rowOf(key: string, stream: StreamState): string {
  const waits = stream.held.map(({ type, version, reason }) => `${type ?? '?'} ${version ?? ''} (${reason})`);
  const gap = stream.held.some(({ reason }) => reason === 'gap');
  if (gap) waits.unshift(`for ${awaited(stream) ?? 'the first'}`);
  if (stream.ask !== null) waits.unshift(`asking (${stream.ask.reason})`);
  const cells = [key, stream.version ?? '–', stream.word?.type ?? '–', waits.slice(0, 10).join(', ') || '–'];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

const iso = (instant: number) => new Date(instant).toISOString();
