/**
 * When a claimed row may be claimed again, by the database's clock: a first pause, doubled at each claim up to an hour,
 * less up to a fifth so that claims spread. `count` is the column that counts the claims.
 */
export const backOff = (count: 'attempts' | 'wakes', firstPauseMs = FIRST_PAUSE_MS): string =>
  `(UTC_TIMESTAMP(6) + INTERVAL (LEAST(3600, ${firstPauseMs / 1_000} * POW(2, LEAST(${count}, 20))) * (0.8 + 0.2 * RAND())) SECOND)`;

const FIRST_PAUSE_MS = 60_000;
