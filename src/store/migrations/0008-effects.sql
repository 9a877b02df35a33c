-- Side effects: one row per idempotency key, from the wish to its end. The body is made once and sent byte for
-- byte; unknown_since: when the first attempt that may have been done was claimed; skipped: dropped by a person, who
-- alone brings it back.
CREATE TABLE IF NOT EXISTS effects (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  effect_key VARBINARY(255) NOT NULL,
  machine VARBINARY(64) NOT NULL,
  environment VARBINARY(64) NOT NULL,
  order_id VARBINARY(255) NOT NULL,
  name VARBINARY(64) NOT NULL,
  revision BIGINT UNSIGNED NOT NULL,
  state VARBINARY(16) NOT NULL,
  body LONGBLOB NOT NULL,
  url VARBINARY(2048) NULL,
  attempts INT UNSIGNED NOT NULL DEFAULT 0,
  failures INT UNSIGNED NOT NULL DEFAULT 0,
  unknown_since DATETIME(6) NULL,
  last_attempt_at DATETIME(6) NULL,
  lease_until DATETIME(6) NULL,
  next_attempt_at DATETIME(6) NULL,
  error VARBINARY(500) NULL,
  skipped TINYINT NOT NULL DEFAULT 0,
  created_at DATETIME(6) NOT NULL,
  updated_at DATETIME(6) NOT NULL,
  UNIQUE KEY effects_once (effect_key),
  KEY effects_of_order (order_id, machine, environment),
  KEY effects_by_state (state, next_attempt_at)
) ENGINE = InnoDB
