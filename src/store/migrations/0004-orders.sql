-- One row per order: what was decided last, under which revision, by which run.
-- decision: digest of the last decision, by which its retry is known. wake_at: when the sweeper wakes it.
CREATE TABLE IF NOT EXISTS orders (
  machine VARBINARY(64) NOT NULL,
  environment VARBINARY(64) NOT NULL,
  order_id VARBINARY(255) NOT NULL,
  status VARBINARY(64) NOT NULL,
  bearer VARBINARY(255) NULL,
  revision BIGINT UNSIGNED NOT NULL,
  run_id VARBINARY(64) NOT NULL,
  decision BINARY(32) NOT NULL,
  machine_version INT UNSIGNED NULL,
  state LONGBLOB NOT NULL,
  attention MEDIUMBLOB NOT NULL,
  attention_kinds VARBINARY(64) NOT NULL DEFAULT '',
  attention_since DATETIME(6) NULL,
  due_at DATETIME(6) NULL,
  wake_at DATETIME(6) NULL,
  wakes INT UNSIGNED NOT NULL DEFAULT 0,
  created_at DATETIME(6) NOT NULL,
  updated_at DATETIME(6) NOT NULL,
  PRIMARY KEY (order_id, machine, environment),
  KEY orders_to_wake (wake_at),
  KEY orders_in_need (attention_since),
  KEY orders_by_status (machine, environment, status),
  KEY orders_by_change (updated_at)
) ENGINE = InnoDB
