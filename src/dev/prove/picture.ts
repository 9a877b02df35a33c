/** The counts of a proof as bars: orders wrong, effects doubled, effects missing, of each of the five. */
import type { Counts } from './judge.ts';
import { proved, TITLES, type Proof } from './proof.ts';

const PANELS: readonly (readonly [keyof Counts, title: string])[] = [
  ['wrong', 'orders wrong at the end'],
  ['doubled', 'effects doubled'],
  ['missing', 'effects missing'],
];
const NAME_WIDTH = 170;
const PANEL_WIDTH = 190;
const BAR_WIDTH = 120;
const ROW_HEIGHT = 30;
const TOP = 50;

export function drawProof(proof: Proof): string {
  const sides = proved(proof);
  const width = NAME_WIDTH + PANELS.length * PANEL_WIDTH;
  const height = TOP + sides.length * ROW_HEIGHT + 14;
  const parts = PANELS.flatMap(([name, title], panel) => {
    const x = NAME_WIDTH + panel * PANEL_WIDTH;
    const most = Math.max(1, ...sides.map(({ judgement }) => judgement.counts[name]));
    return [
      `<text x="${x}" y="28" class="head">${title}</text>`,
      ...sides.map(({ judgement }, row) => {
        const value = judgement.counts[name];
        const length = Math.round((value / most) * BAR_WIDTH);
        const y = TOP + row * ROW_HEIGHT;
        return (
          `<rect x="${x}" y="${y}" width="${Math.max(1, length)}" height="16" class="${value === 0 ? 'none' : 'some'}"/>` +
          `<text x="${x + Math.max(1, length) + 6}" y="${y + 13}">${value}</text>`
        );
      }),
    ];
  });
  const names = sides.map(
    ({ name }, row) =>
      `<text x="12" y="${TOP + row * ROW_HEIGHT + 13}"${name === 'inorder' ? ' class="head"' : ''}>${TITLES[name]}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Orders wrong, effects doubled and missing, of inorder and of four handlers">
<style>text{font:13px system-ui,sans-serif;fill:#222}.head{font-weight:600}.some{fill:#b3402a}.none{fill:#2f7d4f}</style>
<rect width="100%" height="100%" fill="#fff"/>
${[...names, ...parts].join('\n')}
</svg>
`;
}
