/** Instants as a person reads them: local time with a zone once, or UTC, and how long ago. */
import { InvalidArgumentError } from 'commander';
import { parseDurationMs } from '../ordering/duration.ts';

export interface UtcOption {
  utc?: boolean;
}

export function formatInstant(iso: string, { utc = false }: UtcOption): string {
  const at = new Date(`${iso.slice(0, 23).replace(/Z$/, '')}Z`);
  if (utc) return at.toISOString().slice(0, 23).replace('T', ' ');
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return `${day} ${time}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

export function formatAge(iso: string, nowMs: number): string {
  const seconds = Math.round((nowMs - Date.parse(iso)) / 1_000);
  if (seconds < 1) return 'now';
  if (seconds < 120) return `${seconds}s ago`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)}m ago`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)}h ago`;
  return `${Math.round(seconds / 86_400)}d ago`;
}

/** How long until an instant, or that it is here. */
export function formatUntil(iso: string, nowMs: number): string {
  const ms = Date.parse(iso) - nowMs;
  return ms < 1_000 ? 'now' : `in ${shortSpan(ms)}`;
}

/** How long it was from one instant to another. */
export const formatSpan = (from: string, to: string): string => shortSpan(Date.parse(to) - Date.parse(from));

function shortSpan(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, ms)} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}

/** A sentence whose instants are written in UTC, with each as the rest of the page writes it. */
export const formatInstantsIn = (text: string, options: UtcOption): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (iso) => formatInstant(iso, options));

/** The zone that instants are written in. */
export const zoneName = ({ utc = false }: UtcOption): string =>
  utc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;

/** An instant, or how long ago: `2026-12-01T10:00:00Z`, `15m`. */
export function parseInstant(text: string): number {
  const agoMs = parseDurationMs(text);
  if (agoMs !== null) return Date.now() - agoMs;
  // Without a zone it would mean another instant on another machine.
  const at = /(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError("It must be how long ago ('15m', '24h') or an instant with a zone.");
}
