import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawSvg } from '../../../../src/ordering/check/draw-svg.ts';
import { stepsOf } from '../../../../src/ordering/check/steps.ts';
import type { Cell, Machine } from '../../../../src/ordering/machine.ts';
import { demoMachine } from '../../dispatch/demo-machine.ts';
import { coincide, overlap, readPicture, runsThrough } from './svg-picture.ts';

const machineOf = (
  count: number,
  rows: { type: string; cells: { from: number; own: number; other: number }[]; isBack: boolean }[],
): Machine => {
  const name = (at: number) => `status_${at % count}`;
  const statuses = Array.from({ length: count }, (_, at) => {
    const deadline =
      at === 1 ? { deadline: { afterMs: 86_400_000, type: 'type.0', unasked: 'review' as const } } : {};
    return [name(at), { effects: at % 2 === 0 ? [] : ['fulfil'], ...deadline }] as const;
  });
  const on = rows.map(({ type, cells }) => {
    const row = cells.map(({ from, own, other }): [string, Cell] => {
      const cell: Cell = own === other ? name(own) : { own: name(own), other: name(other) };
      return [name(from), cell];
    });
    return [type, Object.fromEntries(row)] as const;
  });
  return {
    ...demoMachine,
    initial: name(0),
    statuses: Object.fromEntries(statuses),
    on: Object.fromEntries(on),
    stepsBack: rows.filter(({ isBack }) => isBack).map(({ type }) => type),
  };
};

const anyMachine = fc.integer({ min: 1, max: 9 }).chain((count) => {
  const status = fc.nat(count - 1);
  const cells = fc.array(fc.record({ from: status, own: status, other: status }), {
    minLength: 1,
    maxLength: 6,
  });
  return fc.array(fc.record({ cells, isBack: fc.boolean() }), { minLength: 1, maxLength: 10 }).map((rows) =>
    machineOf(
      count,
      rows.map((row, at) => ({ ...row, type: `type.${at}` })),
    ),
  );
});

function problemsOf(svg: string): string[] {
  const { boxes, labels, lines, width, height } = readPicture(svg);
  const problems: string[] = [];
  const pairs = <T>(items: T[], isWrong: (a: T, b: T) => boolean, what: string) => {
    for (const [at, a] of items.entries())
      for (const b of items.slice(at + 1))
        if (isWrong(a, b)) problems.push(`${what}: ${JSON.stringify([a, b])}`);
  };
  pairs(boxes, overlap, 'boxes meet');
  pairs(labels, overlap, 'labels meet');
  pairs(lines, (a, b) => a.of !== b.of && coincide(a, b), 'lines of two arrows lie on each other');
  for (const box of boxes) {
    for (const line of lines)
      if (runsThrough(line, box)) problems.push(`a line runs through a box: ${JSON.stringify([line, box])}`);
    for (const label of labels) if (overlap(label, box)) problems.push(`a label meets a box: ${label.text}`);
  }
  for (const label of labels)
    for (const line of lines)
      if (runsThrough(line, label)) problems.push(`a line runs through a label: ${label.text}`);
  for (const { x1, x2, y1, y2 } of [...boxes, ...labels, ...lines])
    if (x1 < 0 || y1 < 30 || x2 > width || y2 > height - 20)
      problems.push(`outside: ${JSON.stringify({ x1, x2, y1, y2 })}`);
  return problems;
}

describe('the picture of a machine', () => {
  test('the demo’s: no arrow runs through a box, no label meets anything, and every step is there', () => {
    const svg = drawSvg(demoMachine);
    expect(problemsOf(svg)).toEqual([]);
    const { labels, boxes } = readPicture(svg);
    expect(boxes).toHaveLength(Object.keys(demoMachine.statuses).length);
    expect(new Set(labels.map(({ text }) => text))).toEqual(
      new Set(stepsOf(demoMachine).map(({ label }) => label)),
    );
  });

  test('any machine’s', () => {
    fc.assert(
      fc.property(anyMachine, (machine) => {
        const svg = drawSvg(machine);
        expect(problemsOf(svg)).toEqual([]);
        const shown = new Set(readPicture(svg).labels.map(({ text }) => text));
        for (const { label } of stepsOf(machine)) expect(shown).toContain(label);
      }),
      { numRuns: 100 },
    );
  });

  test('says what it shows to those who do not see it, and what its lines mean to those who do', () => {
    const svg = drawSvg(demoMachine);
    expect(svg).toMatch(
      /^<svg [^>]*role="img" aria-labelledby="title desc">\n<title id="title">order, version 1</,
    );
    expect(svg).toContain('From refunded to paid by refund.failed.');
    expect(svg).toContain('dashed: a step back');
    expect(svg.match(/class="step c\d+ back"/g)).toHaveLength(2);
    expect(svg.match(/class="step c\d+ late"/g)).toHaveLength(1);
    expect(svg).toContain('>deadline 24h<');
  });

  test('is the same each time, and holds names of any kind', () => {
    expect(drawSvg(demoMachine)).toBe(drawSvg(demoMachine));
    const on = { 'a<b>&"c"': { new: 'paid' } };
    const odd = drawSvg({ ...demoMachine, name: 'o<&', on });
    expect(odd).toContain('a&lt;b&gt;&amp;&quot;c&quot;');
    expect(odd).not.toContain('a<b>');
  });
});
