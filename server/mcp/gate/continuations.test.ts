import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { createCalls } from '../calls.ts';
import { cancelCall } from './continuations.ts';

const forever = () => new Promise<void>(() => {});
const origin = (sessionId: string | undefined) => ({ gate: 'g', sourceId: 'src_1', sessionId });

test('without sessions two clients may use one id: then neither call is taken back', async () => {
  const calls = createCalls();
  const said: string[] = [];
  const begin = (name: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = (reason: string) => void said.push(`${name} ${reason}`);
    const running = calls.run({ origin: origin(undefined), requestId: 1, cancel }, 0, () => promise);
    return () => (resolve(), running);
  };
  const end = begin('first');
  begin('second');
  const cancel = (requestId: string | number, reason: string) =>
    cancelCall({ inquiries: undefined as never, calls }, origin(undefined), requestId, reason);
  const met = [await cancel(1, 'no')];
  await end();
  met.push(await cancel('1', 'no'), await cancel(1, 'yes'));
  deepStrictEqual([met, said], [[false, false, true], ['second yes']]);
});

test('a session that ends takes its own calls back and no others', () => {
  const calls = createCalls();
  const ended: number[] = [];
  for (const [at, sessionId] of ['a', 'a', 'ab', undefined].entries())
    void calls.run({ origin: origin(sessionId), requestId: at, cancel: () => void ended.push(at) }, 0, forever);
  calls.endSession(origin('a'));
  deepStrictEqual(ended, [0, 1]);
});
