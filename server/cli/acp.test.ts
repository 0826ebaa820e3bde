import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { asking } from './acp.ts';
import { Unreachable, type HubClient } from './command/hub-client.ts';

const NOW = Date.parse('2026-11-28T10:00:00Z');
const approved = (validUntil: string) =>
  ({
    id: 'inq_1',
    resolution: { outcome: 'answered', at: '', validUntil, answer: { decisions: [{ type: 'approve' }] } },
  }) as unknown as Inquiry;

/** A hub that has this inquiry, and does not reply before. */
function hubWith(inquiry: Inquiry, silent = 0) {
  const asks: Ask[] = [];
  const client: Pick<HubClient, 'ask' | 'now'> = {
    ask: (ask) => {
      asks.push(ask);
      return asks.length > silent ? Promise.resolve(inquiry) : Promise.reject(new Unreachable('No hub replies.'));
    },
    now: () => NOW,
  };
  return { asks, hub: () => Promise.resolve(client as HubClient) };
}

test('[APR1] what was approved and ended while its machine slept is no answer', async () => {
  const outcomes = ['2026-11-28T10:00:01Z', '2026-11-28T10:00:00Z'].map(async (validUntil) => {
    const ask = asking({ cwd: '/here', say: () => {}, hub: hubWith(approved(validUntil)).hub }, {});
    const inquiry = await ask({ prompt: 'x' }, new AbortController().signal);
    return inquiry === 'gone' ? inquiry : inquiry.resolution?.outcome;
  });
  deepStrictEqual(await Promise.all(outcomes), ['answered', 'expired']);
});

test('[ASK2] a hub that is away is asked again under one key, which is said once', async () => {
  const said: string[] = [];
  const { asks, hub } = hubWith(approved('2027-01-01T00:00:00Z'), 2);
  const pace = { firstRetryMs: 1, longestRetryMs: 1 };
  const ask = asking({ cwd: '/here', hub, say: (sentence) => void said.push(sentence) }, { to: ['anna'] }, pace);
  await ask({ prompt: 'x', context: { agent: 'Claude' } }, new AbortController().signal);
  const [{ key, ...first } = {}] = asks;
  deepStrictEqual(first, { to: ['anna'], prompt: 'x', context: { agent: 'Claude', cwd: '/here' } });
  deepStrictEqual([new Set(asks.map((one) => one.key)), said], [new Set([key]), ['No hub replies.']]);
});
