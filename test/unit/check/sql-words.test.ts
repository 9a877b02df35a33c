import { describe, expect, test } from 'vitest';
import { findForbiddenSql, stringsOf } from '../../check/sql-words.ts';

const inCode = (sql: string) => findForbiddenSql('src/store/orders.ts', `await query(\`${sql}\`);`);

describe('SQL that only one server takes, or that loses data', () => {
  test.each([
    'INSERT INTO orders (a) VALUES (?) RETURNING id',
    'INSERT IGNORE INTO orders (a) VALUES (?)',
    'insert\n ignore into orders (a) values (?)',
    'UPDATE IGNORE orders SET a = ?',
    'REPLACE INTO orders (a) VALUES (?)',
    "SELECT JSON_EXTRACT(state, '$.a') FROM orders",
    "SELECT state->'$.a' FROM orders",
    'CREATE TABLE orders (state JSON NOT NULL)',
    'CREATE TABLE orders (id INT, state JSON)',
    'CREATE TABLE orders (a VARCHAR(9) COLLATE utf8mb4_0900_ai_ci)',
    'CREATE TABLE orders (a VARCHAR(9)) COLLATE=utf8mb4_uca1400_ai_ci',
    'INSERT INTO orders (a) VALUES (?) AS fresh ON DUPLICATE KEY UPDATE a = fresh.a',
  ])('is found: %s', (sql) => {
    expect(inCode(sql)).toHaveLength(1);
    expect(findForbiddenSql('src/store/migrations/0001.sql', `${sql};`)).toHaveLength(1);
  });

  test('is found in a statement that is put together from pieces', () => {
    const text = "const sql = 'INSERT INTO orders (a) ' +\n  'VALUES (?) RETURNING id';";
    expect(findForbiddenSql('src/store/orders.ts', text)).toHaveLength(1);
  });

  test.each([
    'INSERT INTO orders (a) VALUES (?) ON DUPLICATE KEY UPDATE a = VALUES(a)',
    'SELECT id FROM orders WHERE ignored = 0 FOR UPDATE SKIP LOCKED',
    'CREATE TABLE orders (id VARBINARY(255) NOT NULL, state LONGBLOB NOT NULL)',
  ])('is not seen where there is none: %s', (sql) => {
    expect(inCode(sql)).toEqual([]);
  });

  test('is not seen in comments and in sentences', () => {
    expect(findForbiddenSql('src/store/a.ts', '// never INSERT IGNORE INTO\nconst a = 1;')).toEqual([]);
    expect(findForbiddenSql('src/store/a.ts', "throw new Error('returning to the start');")).toEqual([]);
    expect(findForbiddenSql('src/store/migrations/1.sql', '-- no RETURNING here\nSELECT 1;')).toEqual([]);
  });
});

test('strings are told from comments and apostrophes', () => {
  const text = "// it's not one\nconst a = 'one'; /* 'nor this' */ const b = `two`; const c = \"th'ree\";";
  expect(stringsOf(text)).toEqual(['one', 'two', "th'ree"]);
});
