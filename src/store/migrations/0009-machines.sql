-- The tables that decisions were made by; a version is entered once and stays.
CREATE TABLE IF NOT EXISTS machines (
  name VARBINARY(64) NOT NULL,
  version INT UNSIGNED NOT NULL,
  digest VARBINARY(64) NOT NULL,
  data LONGBLOB NOT NULL,
  entered_at DATETIME(6) NOT NULL,
  PRIMARY KEY (name, version)
) ENGINE = InnoDB
