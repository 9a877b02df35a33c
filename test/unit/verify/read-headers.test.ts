import { expect, it } from 'vitest';
import { readHeaders } from '../../../src/verify/read-headers.ts';

const WANTED = { 'webhook-id': ['msg_1'], 'x-twice': ['a', 'b'] };
const read = (text: string) => ({ ...readHeaders(text) });

it('takes lines as they went over the wire, up to the empty one', () => {
  const text =
    'POST /webhooks/shop HTTP/1.1\r\nWebhook-Id: msg_1\r\nX-Twice: a\r\nX-Twice:b\r\n\r\n{"a": "b"}';
  expect(read(text)).toEqual(WANTED);
});

it('takes what curl -v printed: what was sent, and neither its talk nor the answer', () => {
  const text =
    '* Connected to shop\n> POST / HTTP/1.1\n> Webhook-Id: msg_1\n> X-Twice: a\n> X-Twice: b\n>\n< HTTP/1.1 401\n< X-Twice: c\n';
  expect(read(text)).toEqual(WANTED);
});

it('takes JSON as loggers and frameworks write it', () => {
  const shapes: unknown[] = [
    { 'Webhook-Id': 'msg_1', 'X-Twice': ['a', 'b'] },
    { headers: { 'webhook-id': 'msg_1', 'x-twice': ['a', 'b'] }, body: '{}' },
    [
      ['Webhook-Id', 'msg_1'],
      ['X-Twice', 'a'],
      ['X-Twice', 'b'],
    ],
    [
      { name: 'Webhook-Id', value: 'msg_1' },
      { name: 'x-twice', value: 'a' },
      { key: 'x-twice', value: 'b' },
    ],
    ['Webhook-Id', 'msg_1', 'X-Twice', 'a', 'X-Twice', 'b'],
    { HTTP_WEBHOOK_ID: 'msg_1', HTTP_X_TWICE: ['a', 'b'] },
  ];
  for (const shape of shapes) expect(read(JSON.stringify(shape))).toEqual(WANTED);
});

it('joins a line that was folded', () => {
  expect(read('webhook-signature: v1,aaa\n  v1,bbb\n')).toEqual({ 'webhook-signature': ['v1,aaa v1,bbb'] });
});

it('says what it takes when there is nothing in it', () => {
  expect(() => readHeaders('\n')).toThrow('`Name: value`');
  expect(() => readHeaders('{"a":')).toThrow('is none');
});
