-- Raw bytes, apart from the rows that are searched: once per delivery whose bytes are new.
CREATE TABLE IF NOT EXISTS bodies (
  seq BIGINT UNSIGNED NOT NULL,
  receipt BINARY(16) NOT NULL,
  body LONGBLOB NOT NULL,
  PRIMARY KEY (seq, receipt)
) ENGINE = InnoDB
