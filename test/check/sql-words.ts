/**
 * SQL that only one of MySQL 8 and MariaDB 10.11 takes, or that loses data in silence. Looked for in string
 * literals that are SQL and in migrations.
 */
import type { Check } from './check.ts';

const FORBIDDEN: { word: RegExp; reason: string }[] = [
  { word: /\bRETURNING\b/i, reason: 'RETURNING is MariaDB only: select after the write, in its transaction' },
  {
    word: /\bINSERT\s+IGNORE\b|\bUPDATE\s+IGNORE\b|\bLOAD\s+DATA\b/i,
    reason: 'IGNORE truncates and swallows: insert, and handle the duplicate key',
  },
  { word: /\bREPLACE\s+INTO\b/i, reason: 'REPLACE deletes the row that stands' },
  {
    word: /\bJSON_[A-Z]+\s*\(|\bJSON\s+(NOT\s+)?(NULL|DEFAULT)|\bJSON\s*[,)]|->>?\s*'\$/i,
    reason: 'JSON columns and functions differ between the two: keep JSON as bytes and read it in code',
  },
  {
    word: /\b(utf8mb4_0900_\w+|utf8mb4_uca1400_\w+|uca1400_\w+|utf8mb3\w*)\b/i,
    reason: 'this collation or character set is known to one server only',
  },
  {
    word: /\)\s+AS\s+\w+\s*(\([^)]*\)\s*)?ON\s+DUPLICATE\b|\bVALUES\s+ROW\s*\(/i,
    reason: 'row aliases and VALUES ROW are MySQL only: use VALUES(column)',
  },
  { word: /\b(NEXTVAL|CREATE\s+SEQUENCE)\b/i, reason: 'sequences are MariaDB only' },
];

const LOOKS_LIKE_SQL =
  /\b(SELECT\b[\s\S]+\bFROM|INSERT\b[\s\S]*\bINTO|UPDATE\b[\s\S]+\bSET|DELETE\s+FROM|CREATE\s+(TABLE|INDEX|DATABASE)|ALTER\s+TABLE|REPLACE\s+INTO|LOAD\s+DATA|ON\s+DUPLICATE)\b/i;

export const sqlWords: Check = {
  name: 'SQL words',
  remedy: 'Write it so that MySQL 8 and MariaDB 10.11 both take it.',
  findProblems: (tree) =>
    tree.files
      .filter((file) => /^(src|activities|bench|test)\/.*\.(ts|sql)$/.test(file))
      .filter((file) => !file.includes('test/check/') && !file.includes('check/sql-words'))
      .flatMap((file) => findForbiddenSql(file, tree.read(file))),
};

export function findForbiddenSql(file: string, text: string): string[] {
  const statements = file.endsWith('.sql') ? [text.replaceAll(/^\s*--.*$/gm, '')] : stringsOf(text);
  return statements
    .filter((sql) => file.endsWith('.sql') || LOOKS_LIKE_SQL.test(sql))
    .flatMap((sql) =>
      FORBIDDEN.filter(({ word }) => word.test(sql)).map(
        ({ word, reason }) => `${file}: "${word.exec(sql)?.[0].trim()}": ${reason}`,
      ),
    );
}

/** String literals and templates, those joined by `+` as one; comments are passed over. */
export function stringsOf(text: string): string[] {
  const TOKEN =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
  const strings: string[] = [];
  let end = -1;
  for (const match of text.matchAll(TOKEN)) {
    const content = match[1] ?? match[2] ?? match[3];
    if (content === undefined) continue;
    const between = end < 0 ? 'start' : text.slice(end, match.index).trim();
    if (between === '+') strings.push(`${strings.pop() ?? ''}${content}`);
    else strings.push(content);
    end = match.index + match[0].length;
  }
  return strings;
}
