-- Attention of orders that began or ended and that nobody was told of yet: written with the decision, taken into the
-- next call of its kind and source. source: 'inorder' where no source is meant.
CREATE TABLE IF NOT EXISTS attention_changes (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  kind VARBINARY(16) NOT NULL,
  source VARBINARY(64) NOT NULL,
  has_ended TINYINT NOT NULL,
  machine VARBINARY(64) NOT NULL,
  environment VARBINARY(64) NOT NULL,
  order_id VARBINARY(255) NOT NULL,
  status VARBINARY(64) NOT NULL,
  revision BIGINT UNSIGNED NOT NULL,
  reason VARBINARY(500) NOT NULL,
  KEY attention_changes_of (kind, source, id)
) ENGINE = InnoDB
