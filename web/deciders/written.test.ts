import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Decider } from '#shared/policies/decider.ts';
import { toBody, toWritten } from './written.ts';

const HELPER: Decider = {
  id: 'dcd_1',
  kind: 'chat',
  name: 'Helper',
  url: 'http://127.0.0.1:1/v1',
  model: 'qwen-3',
  instructions: 'Be kind.',
  hasKey: true,
  holdSeconds: 20,
  timeoutSeconds: 30,
  changedAt: '2027-01-01T00:00:00.000Z',
};

test('a decider that nobody changed in its form stays as it is, its key too', () => {
  const { id: _id, kind: _kind, hasKey: _key, changedAt: _at, ...same } = HELPER;
  deepStrictEqual(toBody(toWritten(HELPER), HELPER), same);
});

test('a key is written, or forgotten where none is written', () => {
  const keyOf = (change: object) => toBody({ ...toWritten(HELPER), ...change }, HELPER)['key'];
  deepStrictEqual([keyOf({ key: ' k ', forget: true }), keyOf({ forget: true }), keyOf({})], ['k', null, undefined]);
});

test('what is no number of seconds goes to the hub as it was written', () => {
  const body = toBody({ ...toWritten(undefined), kind: 'mcp', tool: 'decide', holdSeconds: 'soon' }, undefined);
  deepStrictEqual(
    [body['kind'], body['tool'], 'model' in body, body['holdSeconds'], body['timeoutSeconds']],
    ['mcp', 'decide', false, 'soon', 30],
  );
});
