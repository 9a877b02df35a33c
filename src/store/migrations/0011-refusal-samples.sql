-- The latest refused deliveries of each source and reason: a fixed number of slots, no bodies.
CREATE TABLE IF NOT EXISTS refusal_samples (
  source VARBINARY(64) NOT NULL,
  code VARBINARY(32) NOT NULL,
  slot SMALLINT UNSIGNED NOT NULL,
  refused_at DATETIME(6) NOT NULL,
  message VARBINARY(500) NOT NULL,
  headers BLOB NOT NULL,
  PRIMARY KEY (source, code, slot)
) ENGINE = InnoDB
