import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { Unreachable, type HubClient } from '../hub-client.ts';
import { holdCall, type HoldCommand } from '../../gate/hold.ts';
import { argsTextOf } from '../../gate/messages.ts';
import { decide } from '../../policies/decide.ts';
import type { WrappedGate } from './options.ts';
import { CLI, createPeople } from './people.ts';

const GATE: WrappedGate = { name: 'shop', rules: [], otherwise: 'ask', elicitation: 'client', deadline: 60 };
const PATIENCE = { askMs: 5, hearMs: 5, firstRetryMs: 1, longestRetryMs: 1 };
const text = '{"id":1,"method":"tools/call","params":{"name":"pay","arguments":{"euros":1.50}}}';

function deciding(hub: () => Promise<HubClient>) {
  const people = createPeople({ gate: GATE, hub, cwd: '/home/ada', patience: PATIENCE }, 0);
  const { signal } = new AbortController();
  const verdict = decide(GATE, 'pay') as HoldCommand['verdict'];
  return (line = text) => {
    const call = { name: 'pay', argsText: argsTextOf(line) };
    return holdCall(people.of('pay', signal), { gate: GATE, source: CLI, call, verdict, agent: 'Agent', signal });
  };
}

test('[RES4] a call is refused in one sentence while no hub replies, and where it cannot be asked', async () => {
  const away: HubClient = {
    ask: async () => Promise.reject(new Unreachable('No hub replies at http://hub.')),
    read: async () => ({}) as Inquiry,
    withdraw: async () => {},
  };
  const refused = (why: string) => ({ type: 'reply', text: `The call was not run: ${why}`, isError: true });
  deepStrictEqual(await deciding(async () => away)(), refused('nobody could be asked. No hub replies at http://hub.'));
  deepStrictEqual(
    await deciding(() => Promise.reject(new Error('There is no data.')))(),
    refused('nobody could be asked. There is no data.'),
  );
  deepStrictEqual(
    await deciding(async () => away)(text.replace('1.50', '"\\u0000"')),
    refused('a person cannot be shown it. A text contains the character U+0000.'),
  );
});

test('an ask has a key of its own, the numbers as written, and ends when it says', async () => {
  const asks: Ask[] = [];
  const hub: HubClient = {
    ask: async (ask) => {
      asks.push(ask);
      const decisions = [{ type: 'edit' as const, argsText: '{"euros":2.0}' }];
      return { id: 'inq_1', resolution: { outcome: 'answered', answer: { decisions } } } as Inquiry;
    },
    read: async () => ({}) as Inquiry,
    withdraw: async () => {},
  };
  const decided = deciding(async () => hub);
  deepStrictEqual(await decided(), { type: 'forward', argsText: '{"euros":2.0}', inquiryId: 'inq_1' });
  await decided();
  const [{ key, group, ...ask } = {} as Ask, again] = asks;
  deepStrictEqual([key === again?.key, group === again?.group], [false, true]);
  deepStrictEqual(
    JSON.stringify(ask),
    JSON.stringify({
      title: 'shop: pay',
      actions: [
        {
          name: 'pay',
          args: { euros: (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('1.50') },
          allowed: ['approve', 'edit', 'reject', 'respond'],
          caution: true,
        },
      ],
      context: { agent: 'Agent', cwd: '/home/ada' },
      deadline: 60,
      latest: 60,
    }),
  );
});
