/**
 * The headers of one request as people have them at hand: lines as they went over the wire, what `curl -i` or
 * `curl -v` printed, or JSON as loggers and frameworks write it. Names come out in lower case, repeated ones apart.
 */
import { InorderError } from '../errors.ts';
import { isRecord } from '../providers/json.ts';

export type Headers = Record<string, string[]>;

export function readHeaders(text: string): Headers {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  const pairs = /^[[{]/.test(trimmed) ? fromJson(trimmed) : fromLines(trimmed);
  if (pairs.length === 0) {
    throw new InorderError(
      'usage',
      'The file of headers holds none. Write one on each line (`Name: value`), or JSON ({ "name": "value" }).',
    );
  }
  const headers = Object.create(null) as Headers;
  for (const [name, value] of pairs) (headers[wireName(name)] ??= []).push(value);
  return headers;
}

/** CGI and PHP call `Webhook-Id` HTTP_WEBHOOK_ID. */
const wireName = (name: string): string =>
  (/^HTTP_[A-Z0-9_]+$/.test(name) ? name.slice('HTTP_'.length).replaceAll('_', '-') : name).toLowerCase();

/** A name as RFC 9110 §5.1 allows it. */
const LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*(.*?)[ \t]*$/;

function fromLines(text: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (const raw of text.split(/\r?\n/)) {
    // `curl -v` puts "> " before what was sent; "< " is the answer and "* " is talk.
    if (/^[<*{}] ?/.test(raw)) continue;
    const line = raw.replace(/^> ?/, '');
    const [, name, value] = LINE.exec(line) ?? [];
    const last = pairs.at(-1);
    if (name !== undefined && value !== undefined) pairs.push([name, value]);
    // Behind the empty line comes the body.
    else if (line.trim() === '' && last !== undefined) break;
    else if (/^[ \t]/.test(line) && last !== undefined) last[1] = `${last[1]} ${line.trim()}`.trim();
  }
  return pairs;
}

/** `{name: value}`, `{name: [values]}`, `[[name, value]]`, `[{name, value}]`, Node's flat list; also under `headers`. */
function fromJson(text: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InorderError('usage', 'The file of headers begins like JSON and is none.');
  }
  if (isRecord(value) && typeof value['headers'] === 'object') value = value['headers'];
  if (Array.isArray(value)) return fromList(value);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    (Array.isArray(item) ? item : [item]).flatMap((one): [string, string][] =>
      isScalar(one) ? [[name, String(one)]] : [],
    ),
  );
}

function fromList(list: unknown[]): [string, string][] {
  if (list.every((item) => typeof item === 'string')) {
    return list.flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, list[i + 1] ?? '']] : []));
  }
  return list.flatMap((item): [string, string][] => {
    const pair: unknown[] = Array.isArray(item)
      ? item
      : isRecord(item)
        ? [item['name'] ?? item['key'], item['value']]
        : [];
    return typeof pair[0] === 'string' && isScalar(pair[1]) ? [[pair[0], String(pair[1])]] : [];
  });
}

const isScalar = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
