-- Which order a provider's object belongs to. The first link stands; an order named later is kept as contested.
CREATE TABLE IF NOT EXISTS links (
  source VARBINARY(64) NOT NULL,
  ref VARBINARY(255) NOT NULL,
  order_id VARBINARY(255) NOT NULL,
  linked_at DATETIME(6) NOT NULL,
  contested_by VARBINARY(255) NULL,
  contested_at DATETIME(6) NULL,
  PRIMARY KEY (source, ref)
) ENGINE = InnoDB
