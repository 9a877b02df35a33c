/** How far a source's list was read, as Temporal's UI shows it. Costs no event. */
import type { ReconcileProgress } from './messages.ts';

export function listingDetails(source: string, { window, pages, counts, ...now }: ReconcileProgress): string {
  if (window === null) return `Reads what ${source} lists.`;
  const { listed, found, known, unwanted, unreadable } = counts;
  const lines = [
    `**${found} found**${now.isDryRun ? ' (dry run: nothing is stored)' : ''} among ${listed} listed by ${source}`,
    `- from ${iso(window.sinceMs)} until ${iso(window.untilMs)}, ${pages} pages read${now.page === null ? '' : ', more to come'}`,
    `- ${known} known already, ${unwanted} that nobody wants`,
  ];
  if (unreadable > 0) lines.push(`- ⚠ ${unreadable} that could not be read as events`);
  if (now.waitsFor !== null) lines.push(`- ⚠ waits: ${now.waitsFor}`);
  return lines.join('\n');
}

const iso = (instant: number) => new Date(instant).toISOString();
