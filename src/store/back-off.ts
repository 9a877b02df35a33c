/**
 * When a claimed row may be claimed again, by the database's clock: one minute, doubled at each claim up to an hour,
 * less up to a fifth so that claims spread. `count` is the column that counts the claims.
 */
export const backOff = (count: 'attempts' | 'wakes'): string =>
  `(UTC_TIMESTAMP(6) + INTERVAL (LEAST(3600, 60 * POW(2, LEAST(${count}, 10))) * (0.8 + 0.2 * RAND())) SECOND)`;
