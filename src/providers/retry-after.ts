/**
 * `Retry-After` as RFC 9110 §10.2.3 writes it: seconds, or one of the three HTTP dates. Anything else counts as
 * absent, and no answer can put a retry off for longer than a day: the header comes from outside.
 */
const MAX_MS = 24 * 3_600_000;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const IMF_FIXDATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
const RFC_850 =
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/;
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/;

/** Milliseconds to wait from `nowMs`, between 0 and a day; null when the header is absent or malformed. */
export function parseRetryAfterMs(header: string | null | undefined, nowMs: number): number | null {
  if (header === null || header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1_000, MAX_MS);
  const at = parseHttpDateMs(text, nowMs);
  return at === null ? null : Math.min(Math.max(at - nowMs, 0), MAX_MS);
}

function parseHttpDateMs(text: string, nowMs: number): number | null {
  const imf = IMF_FIXDATE.exec(text);
  if (imf) return instant(imf[3], imf[2], imf[1], imf[4], imf[5], imf[6]);
  const rfc850 = RFC_850.exec(text);
  if (rfc850) {
    // §5.6.7: a two-digit year more than 50 years ahead means the past century.
    const now = new Date(nowMs).getUTCFullYear();
    let year = now - (now % 100) + Number(rfc850[3]);
    if (year > now + 50) year -= 100;
    return instant(String(year), rfc850[2], rfc850[1], rfc850[4], rfc850[5], rfc850[6]);
  }
  const asctime = ASCTIME.exec(text);
  if (asctime) return instant(asctime[6], asctime[1], asctime[2], asctime[3], asctime[4], asctime[5]);
  return null;
}

function instant(
  year?: string,
  monthName?: string,
  day?: string,
  hour?: string,
  minute?: string,
  second?: string,
): number | null {
  const month = MONTHS.indexOf(monthName ?? '');
  if (month < 0) return null;
  const [y, d, h, m, s] = [year, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (h > 23 || m > 59 || s > 60) return null;
  const date = new Date(Date.UTC(y, month, d));
  // Date.UTC would turn 31 February into 3 March.
  if (date.getUTCMonth() !== month || date.getUTCDate() !== d) return null;
  return date.getTime() + ((h * 60 + m) * 60 + s) * 1_000;
}
