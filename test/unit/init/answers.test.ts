import { expect, test } from 'vitest';
import { completeAnswers } from '../../../src/init/answers.ts';
import type { Ask } from '../../../src/init/answers.ts';

const nothing = { apiKey: true, yes: false };

/** Answers in turn; keeps what was asked. */
function person(...answers: string[]) {
  const asked: Parameters<Ask>[0][] = [];
  const ask: Ask = (question) => {
    asked.push(question);
    return Promise.resolve(answers[asked.length - 1] ?? '');
  };
  return { ask, asked };
}

test('three questions; an empty answer is the usual one, and a number chooses', async () => {
  const { ask, asked } = person('1', '', '');
  expect(await completeAnswers(nothing, ask)).toEqual({
    provider: 'stripe',
    environment: 'test',
    orderPaths: ['metadata.order_id', 'client_reference_id'],
    paths: {},
    withApi: true,
  });
  expect(asked).toHaveLength(3);
});

test('what is given is not asked, and the sandbox knows where its order is', async () => {
  const { ask, asked } = person();
  await completeAnswers({ ...nothing, provider: 'sandbox', environment: 'demo' }, ask);
  expect(asked).toEqual([]);
});

test('a wrong answer is asked again, with what is wrong', async () => {
  const { ask, asked } = person('stripe', 'My Shop', 'live', 'metadata. order', 'metadata.cart');
  expect(await completeAnswers(nothing, ask)).toMatchObject({
    environment: 'live',
    orderPaths: ['metadata.cart'],
  });
  expect(asked.map(({ problem }) => problem)).toEqual([
    null,
    null,
    expect.stringContaining('small letters'),
    null,
    expect.stringContaining('dot path'),
  ]);
});

test('an own application says where its fields are; one it does not have is left out', async () => {
  const given = { ...nothing, yes: true, provider: 'standard-webhooks' as const };
  expect(
    await completeAnswers({ ...given, orderPath: ['order.no'], path: ['version='] }, null),
  ).toMatchObject({
    orderPaths: [],
    paths: { id: 'id', order: 'order.no' },
  });
  const { paths } = await completeAnswers({ ...given, path: ['version=', 'time=at'] }, null);
  expect(paths).toEqual({ id: 'id', type: 'type', order: 'data.order', object: 'data.order', time: 'at' });
});

test.each([
  [{}, /no terminal.*--provider stripe\|.*--environment.*--order-path/],
  [{ provider: 'stripe' as const, environment: 'live' }, /give --order-path/],
  [{ yes: true }, /say which --provider/],
  [{ yes: true, provider: 'stripe' as const, environment: 'Live!' }, /--environment must be .*it is 'Live!'/],
  [{ yes: true, provider: 'stripe' as const, orderPath: ["x'"] }, /--order-path must be a dot path/],
  [{ yes: true, provider: 'stripe' as const, path: ['id=x'] }, /--path is for standard-webhooks/],
  [{ yes: true, provider: 'standard-webhooks' as const, path: ['ordr=x'] }, /--path must be name=dot.path/],
])('without anybody to ask %j is refused', async (given, message) => {
  await expect(completeAnswers({ ...nothing, ...given }, null)).rejects.toThrow(message);
});
