import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { workflowIdOf } from '../../../src/temporal/workflow-id.ts';

const key = (id: string) => ({ machine: 'order', environment: 'live', id });

describe('workflow ids', () => {
  test('plain ids are readable as they are', () => {
    expect(workflowIdOf(key('1042'))).toBe('order/live/1042');
    expect(workflowIdOf(key('ord_1.A-z'))).toBe('order/live/ord_1.A-z');
  });

  test('case, trailing blanks and 20 digits stay apart', () => {
    const ids = ['a', 'A', 'a ', 'a  ', '12345678901234567890', '12345678901234567891', ''];
    expect(new Set(ids.map((id) => workflowIdOf(key(id)))).size).toBe(ids.length);
  });

  test('an id is plain ASCII of at most 255 bytes, however long the order id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 0, maxLength: 400 }), (id) => {
        expect(workflowIdOf(key(id))).toMatch(/^[\x21-\x7e]{1,255}$/);
      }),
    );
  });

  test('long ids keep a readable head, are told apart by their end, and never cut an escape in two', () => {
    const long = 'é'.repeat(300);
    const [one, two] = [workflowIdOf(key(`${long}1`)), workflowIdOf(key(`${long}2`))];
    expect(one).not.toBe(two);
    expect(one.slice(0, 60)).toBe(two.slice(0, 60));
    expect(one).toMatch(/^order\/live\/(%[0-9A-F]{2})+~[0-9a-f]{64}$/);
  });

  test('the shortened form of one key cannot be written as the id of another', () => {
    const shortened = workflowIdOf(key('x'.repeat(300)));
    const forged = shortened.slice('order/live/'.length);
    expect(workflowIdOf(key(forged))).not.toBe(shortened);
  });
});
