/** What receivers refused in the last day, by source: a wrong secret or path shows here first. */
import { listRefusals } from '../store/refusals.ts';
import { ok, warn } from './check.ts';
import type { Check } from './check.ts';

export const refused: Check = {
  name: 'refused',
  needs: ['environment', 'configuration', 'tables'],
  async look({ store, config }) {
    const totals = (await listRefusals(store, { hours: 24 })).filter(({ source }) =>
      config.sources.has(source),
    );
    if (totals.length === 0) return [ok('nothing in the last day')];
    return [...config.sources.keys()].flatMap((source) => {
      const own = totals.filter((total) => total.source === source);
      if (own.length === 0) return [];
      const list = own.map(({ code, total }) => `${total} ${code}`).join(', ');
      const isSigned = own.some(({ code }) => code.startsWith('signature'));
      return [
        warn(
          `in the last day: ${list}`,
          isSigned
            ? 'save one with its headers and ask `inorder verify`; strangers are refused rightly'
            : 'the answer that the sender got says which field or header it was',
          source,
        ),
      ];
    });
  },
};
