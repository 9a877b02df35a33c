-- Sources whose API does not answer now, so that people are told once, by whichever worker saw it.
CREATE TABLE IF NOT EXISTS source_outages (
  source VARBINARY(64) NOT NULL PRIMARY KEY,
  since DATETIME(6) NOT NULL
) ENGINE = InnoDB
