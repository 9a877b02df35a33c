-- What was decided, in order; rows are added and never changed.
CREATE TABLE IF NOT EXISTS journal (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  machine VARBINARY(64) NOT NULL,
  environment VARBINARY(64) NOT NULL,
  order_id VARBINARY(255) NOT NULL,
  revision BIGINT UNSIGNED NOT NULL,
  recorded_at DATETIME(6) NOT NULL,
  kind VARBINARY(16) NOT NULL,
  stream VARBINARY(320) NULL,
  type VARBINARY(255) NULL,
  version VARBINARY(255) NULL,
  status_from VARBINARY(64) NOT NULL,
  status_to VARBINARY(64) NOT NULL,
  reason VARBINARY(1000) NULL,
  cause_seq BIGINT UNSIGNED NULL,
  cause_source VARBINARY(64) NULL,
  cause_event VARBINARY(255) NULL,
  machine_version INT UNSIGNED NULL,
  worker VARBINARY(128) NOT NULL,
  run_id VARBINARY(64) NOT NULL,
  KEY journal_of_order (order_id, machine, environment)
) ENGINE = InnoDB
