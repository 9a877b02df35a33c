-- The deliveries of an event after its first; the receipt is one per accepted delivery, so that storing one twice
-- after an unknown commit leaves one row.
CREATE TABLE IF NOT EXISTS deliveries (
  seq BIGINT UNSIGNED NOT NULL,
  receipt BINARY(16) NOT NULL,
  received_at DATETIME(6) NOT NULL,
  delivery_id VARBINARY(255) NULL,
  headers BLOB NOT NULL,
  fingerprint BINARY(32) NOT NULL,
  secret_id VARBINARY(255) NOT NULL,
  PRIMARY KEY (seq, receipt)
) ENGINE = InnoDB
