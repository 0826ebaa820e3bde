import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { SubscriptionState } from '#shared/push.ts';
import { isMadeWith, nextStep } from './subscription.ts';

const bytes = Uint8Array.from({ length: 65 }, (_, index) => (index * 37 + 251) % 256);
const key = Buffer.from(bytes).toString('base64url');
const here = { endpoint: 'https://push.example/1', options: { applicationServerKey: bytes.buffer } };
const hub: SubscriptionState = {
  vapidPublicKey: key,
  weeklyTest: false,
  subscription: { endpointHost: 'push.example', createdAt: '2026-11-21T14:00:00.000Z' },
};

test('a subscription is known by the key it was made with', () => {
  deepStrictEqual(
    [
      isMadeWith(here, key),
      isMadeWith(here, `${key.slice(0, -1)}A`),
      isMadeWith({ options: { applicationServerKey: null } }, key),
    ],
    [true, false, false],
  );
});

test('a subscription is kept, given to the hub or made anew, by what browser, hub and device say of it', () => {
  const gone: SubscriptionState = { vapidPublicKey: key, weeklyTest: false };
  deepStrictEqual(
    {
      'nobody asked for it': nextStep(undefined, undefined, gone),
      'the browser dropped it': nextStep(undefined, here.endpoint, hub),
      'all is well': nextStep(here, here.endpoint, hub),
      'the hub has another key': nextStep(here, here.endpoint, { ...hub, vapidPublicKey: 'other' }),
      'the browser replaced it': nextStep(here, 'https://push.example/0', hub),
      'the hub never heard of it': nextStep(here, undefined, gone),
      'the push service told the hub that it is gone': nextStep(here, here.endpoint, gone),
    },
    {
      'nobody asked for it': 'off',
      'the browser dropped it': 'renew',
      'all is well': 'keep',
      'the hub has another key': 'renew',
      'the browser replaced it': 'give',
      'the hub never heard of it': 'give',
      'the push service told the hub that it is gone': 'renew',
    },
  );
});
