/**
 * What a stranger's code threw while it read a body or an answer: kind and place, never the message, which may quote
 * what was read (R4).
 */
import { basename } from 'node:path';

/** `TypeError at inorder.config.ts:42` */
export function whereThrown(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `thrown: ${typeof thrown}`;
  const name = /^[A-Za-z]{1,40}$/.test(thrown.name) ? thrown.name : 'Error';
  const place = placeOf(thrown);
  return place === null ? name : `${name} at ${place}`;
}

/** The stack begins with the message, which may look like frames itself. */
function placeOf({ message, stack = '' }: Error): string | null {
  const start = stack.indexOf(message);
  if (start < 0) return null;
  for (const line of stack.slice(start + message.length).split('\n')) {
    const [, file = '', row] =
      /^\s+at .*?\(?((?:file:\/\/)?\/[^()]*|[A-Z]:\\[^()]*):(\d+):\d+\)?$/.exec(line) ?? [];
    if (file !== '' && !file.includes('node_modules')) return `${basename(file)}:${String(row)}`;
  }
  return null;
}
