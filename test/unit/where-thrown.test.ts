import { describe, expect, it } from 'vitest';
import { whereThrown } from '../../src/where-thrown.ts';

const thrownBy = (run: () => unknown): unknown => {
  try {
    run();
  } catch (thrown) {
    return thrown;
  }
  return null;
};

describe('what a stranger threw', () => {
  it('is named by kind and place', () => {
    const thrown = thrownBy(() => (null as unknown as { email: string }).email);
    expect(whereThrown(thrown)).toMatch(/^TypeError at where-thrown\.test\.ts:\d+$/);
  });

  it('is never quoted', () => {
    const quoting = [
      thrownBy(() => JSON.parse('{"mail": jane@example.com')),
      new Error('no plan for jane@example.com'),
      new Error('jane\n    at jane@example.com (/jane@example.com:1:1)'),
      Object.assign(new Error('x'), { name: 'jane@example.com' }),
      Object.assign(new Error('x'), { message: 'another', stack: 'x\n    at jane (/jane@example.com:1:1)' }),
      'jane@example.com',
    ];
    for (const thrown of quoting) expect(whereThrown(thrown)).not.toContain('jane');
    expect(whereThrown('jane@example.com')).toBe('thrown: string');
  });
});
