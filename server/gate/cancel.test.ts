import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { createCancellable } from './cancel.ts';
import { CallCancelled } from './hold.ts';

const named = (sessionId: string | undefined, requestId: string | number = 1) => ({
  gate: 'g',
  sourceId: 'src_1',
  sessionId,
  requestId,
});

test('without sessions two clients may use one id: then neither call is taken back', async () => {
  const calls = createCancellable(undefined as never);
  const [first, second] = [new AbortController(), new AbortController()];
  const forget = calls.add(named(undefined), first);
  calls.add(named(undefined), second);
  const met = [await calls.cancel(named(undefined), 'no')];
  forget();
  met.push(await calls.cancel(named(undefined, '1'), 'no'), await calls.cancel(named(undefined), 'yes'));
  deepStrictEqual(
    [met, first.signal.aborted, second.signal.reason],
    [[false, false, true], false, new CallCancelled('yes')],
  );
});

test('a session that ends takes its own calls back and no others', () => {
  const calls = createCancellable(undefined as never);
  const held = ['a', 'a', 'ab', undefined].map((sessionId, at) => {
    const abort = new AbortController();
    calls.add(named(sessionId, at), abort);
    return abort;
  });
  calls.endSession('g', 'src_1', 'a');
  deepStrictEqual(
    held.map(({ signal }) => signal.aborted),
    [true, true, false, false],
  );
});
