-- The objects that events without an order name; rows go when the event is linked.
CREATE TABLE IF NOT EXISTS unlinked (
  source VARBINARY(64) NOT NULL,
  ref VARBINARY(255) NOT NULL,
  seq BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (source, ref, seq),
  KEY unlinked_event (seq)
) ENGINE = InnoDB
