import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { CallCancelled } from '../hold.ts';
import { createCalls } from './calls.ts';

const origin = (sessionId: string | undefined) => ({ gate: 'g', sourceId: 'src_1', sessionId });

test('without sessions two clients may use one id: then neither call is taken back', async () => {
  const calls = createCalls(undefined as never);
  const [first, second] = [new AbortController(), new AbortController()];
  const forget = calls.add({ origin: origin(undefined), requestId: 1, abort: first });
  calls.add({ origin: origin(undefined), requestId: 1, abort: second });
  const cancel = (requestId: string | number, reason: string) => calls.cancel(origin(undefined), requestId, reason);
  const met = [await cancel(1, 'no')];
  forget();
  met.push(await cancel('1', 'no'), await cancel(1, 'yes'));
  deepStrictEqual(
    [met, first.signal.aborted, second.signal.reason],
    [[false, false, true], false, new CallCancelled('yes')],
  );
});

test('a session that ends takes its own calls back and no others', () => {
  const calls = createCalls(undefined as never);
  const held = ['a', 'a', 'ab', undefined].map((sessionId, at) => {
    const abort = new AbortController();
    calls.add({ origin: origin(sessionId), requestId: at, abort });
    return abort;
  });
  calls.endSession(origin('a'));
  deepStrictEqual(
    held.map(({ signal }) => signal.aborted),
    [true, true, false, false],
  );
});
