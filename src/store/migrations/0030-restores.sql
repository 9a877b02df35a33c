-- Times at which the store was found to be older than what is known of it. While one is open no effect begins; a
-- person closes it by naming what was lost. unknown_until: until then a cause of unknown time may lie in it.
CREATE TABLE IF NOT EXISTS restores (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  found_at DATETIME(6) NOT NULL,
  found VARBINARY(500) NOT NULL,
  lost_from DATETIME(6) NULL,
  lost_to DATETIME(6) NULL,
  unknown_until DATETIME(6) NULL,
  closed_at DATETIME(6) NULL,
  closed_by VARBINARY(1000) NULL
) ENGINE = InnoDB
