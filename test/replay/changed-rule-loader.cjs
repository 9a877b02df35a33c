// Makes another core of this one: every cell of every table ignores. For tests of how a changed rule meets old
// histories; the loader is applied to `src/ordering/table.ts` alone.
module.exports = function changeRule(source) {
  const changed = source.replace(
    'export function cellOf(',
    `export function cellOf(): ResolvedCell {
  return { kind: 'ignore', reason: 'a changed rule', fromElse: false };
}
export function cellOfBefore(`,
  );
  if (changed === source) throw new Error('the rule to be changed is not where it was');
  return changed;
};
