import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { isRetry } from './continuations.ts';

test('a call is a retry by its state or its answers, and a state that is no text makes it a new call', () => {
  const given = [
    undefined,
    {},
    { requestState: 's' },
    { inputResponses: {} },
    { requestState: 7, inputResponses: {} },
    { requestState: null, inputResponses: {} },
    { requestState: {} },
  ];
  deepStrictEqual(given.map(isRetry), [false, false, true, true, false, false, false]);
});
