-- Customers; who pays.
CREATE TABLE IF NOT EXISTS shop.customer (
  id    bigint PRIMARY KEY,
  state text DEFAULT 'new;' CHECK (state IN ('new', 'active')),
  age   int CHECK (age >= 18)
);

INSERT INTO state_names (code, name) VALUES
  ('n', 'it''s new'),
  ('a', 'active');

CREATE OR REPLACE FUNCTION shop.discount(total numeric) RETURNS numeric AS $body$
BEGIN
  IF total > 100 THEN
    RETURN 0.1;
  END IF;
  RAISE EXCEPTION 'too little';
END;
$body$ LANGUAGE plpgsql;

DELIMITER //
CREATE PROCEDURE close_all()
BEGIN
  IF 1 < 2 THEN SELECT CASE WHEN x > 3 THEN 'a' END FROM t; END IF;
END //
DELIMITER ;

SELECT 1;
