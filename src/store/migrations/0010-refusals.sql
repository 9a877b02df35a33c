-- Refused deliveries, counted by source, reason and hour.
CREATE TABLE IF NOT EXISTS refusals (
  source VARBINARY(64) NOT NULL,
  code VARBINARY(32) NOT NULL,
  hour_at DATETIME NOT NULL,
  total BIGINT UNSIGNED NOT NULL,
  last_at DATETIME(6) NOT NULL,
  PRIMARY KEY (source, code, hour_at)
) ENGINE = InnoDB
