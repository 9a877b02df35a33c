/**
 * Versions: decimal integers of any size, or instants kept to the last digit of their fraction. Never floats and
 * never Date, which would round both (R12, docs/decisions/versions-are-texts.md). Canonical forms compare equal
 * exactly when the versions do.
 */

const INTEGER = /^[+-]?\d{1,80}$/;
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,30}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d))$/;

/** What most instants are already; the 29th of February takes the long way. */
const CANONICAL =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{0,29}[1-9])?Z$/;

/** Of the years 0000 and 9999, in seconds since 1970. */
const FIRST_SECOND = -62_167_219_200;
const LAST_SECOND = 253_402_300_799;

/** The canonical form of a version, or null when the text is neither an integer nor an instant with a zone. */
export function canonicalVersion(text: string): string | null {
  return canonicalInteger(text) ?? canonicalInstant(text);
}

function canonicalInteger(text: string): string | null {
  if (!INTEGER.test(text)) return null;
  const negative = text.startsWith('-');
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits === '') return '0';
  return negative ? `-${digits}` : digits;
}

/**
 * An RFC 3339 instant in UTC with a trimmed fraction, or null. A time without a zone is refused: it would be
 * compared with times it is not comparable with.
 */
export function canonicalInstant(text: string): string | null {
  if (CANONICAL.test(text)) return text;
  const match = INSTANT.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const second = Number(match[6] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  // RFC 3339 §5.7 allows a leap second; it becomes the next second, as clocks that know none show it.
  if (hour > 23 || minute > 59 || second > 60) return null;
  const offsetHour = Number(match[10] ?? 0);
  const offsetMinute = Number(match[11] ?? 0);
  if (offsetHour > 23 || offsetMinute > 59) return null;
  const offset = (match[9] === '-' ? -1 : 1) * (offsetHour * 3600 + offsetMinute * 60);
  const total = daysFromCivil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
  // A zone can carry the first or last hours out of the years that four digits hold.
  if (total < FIRST_SECOND || total > LAST_SECOND) return null;
  const fraction = (match[7] ?? '').replace(/0+$/, '');
  return `${civil(total)}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/** -1, 0 or 1. Throws when one is an integer and the other an instant: such a stream has no order. */
export function compareVersions(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  const instants = a.endsWith('Z');
  if (instants !== b.endsWith('Z')) throw new Error(`versions of two kinds in one stream: ${a} and ${b}`);
  return instants ? compareInstants(a, b) : compareIntegers(a, b);
}

function compareIntegers(a: string, b: string): -1 | 0 | 1 {
  if (a.length < 16 && b.length < 16) return Number(a) < Number(b) ? -1 : 1;
  return BigInt(a) < BigInt(b) ? -1 : 1;
}

/** Without the final `Z` the texts compare by characters, since a longer fraction only adds digits. */
function compareInstants(a: string, b: string): -1 | 0 | 1 {
  return a.slice(0, -1) < b.slice(0, -1) ? -1 : 1;
}

/** The integer `by` further on. */
export function addToVersion(version: string, by: 1 | -1): string {
  if (version.length < 15) return String(Number(version) + by);
  return String(BigInt(version) + BigInt(by));
}

/** The greater of two versions; null counts as none. */
export function laterVersion(a: string | null, b: string | null): string | null {
  if (a === null) return b;
  if (b === null) return a;
  return compareVersions(a, b) < 0 ? b : a;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar, by eras of 400 years that start in March. */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function civil(totalSeconds: number): string {
  const days = Math.floor(totalSeconds / 86_400);
  const rest = totalSeconds - days * 86_400;
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(Math.floor(rest / 3600))}:${two(
    Math.floor((rest % 3600) / 60),
  )}:${two(rest % 60)}`;
}
