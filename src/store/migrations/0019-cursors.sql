-- How far the list of each source was read by its schedule. A window is open while its pages are read; page is the
-- provider's own cursor within it. failing_since: no page came since. is_told: people were told that it lags behind.
CREATE TABLE IF NOT EXISTS cursors (
  source VARBINARY(64) NOT NULL PRIMARY KEY,
  begun_at DATETIME(6) NOT NULL,
  listed_until DATETIME(6) NOT NULL,
  window_since DATETIME(6) NULL,
  window_until DATETIME(6) NULL,
  page BLOB NULL,
  failing_since DATETIME(6) NULL,
  error VARBINARY(500) NULL,
  is_told TINYINT NOT NULL DEFAULT 0
) ENGINE = InnoDB
