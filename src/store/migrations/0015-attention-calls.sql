-- Who tells people about attention: one row per kind and source, with its open call, if there is one. The body is
-- made once and sent byte for byte under one key; next_attempt_at is null when there is nothing to send.
CREATE TABLE IF NOT EXISTS attention_calls (
  kind VARBINARY(16) NOT NULL,
  source VARBINARY(64) NOT NULL,
  call_id VARBINARY(64) NULL,
  body LONGBLOB NULL,
  attempts INT UNSIGNED NOT NULL DEFAULT 0,
  failures INT UNSIGNED NOT NULL DEFAULT 0,
  next_attempt_at DATETIME(6) NULL,
  told_at DATETIME(6) NULL,
  error VARBINARY(500) NULL,
  PRIMARY KEY (kind, source),
  KEY attention_calls_due (next_attempt_at)
) ENGINE = InnoDB
