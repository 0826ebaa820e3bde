import { deepStrictEqual, match, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { holdCall, type HoldCommand } from '../../mcp/gate/hold.ts';
import { readArgsText } from '../../mcp/messages.ts';
import { decide } from '../../automation/rules/decide.ts';
import { Unreachable, type HubClient } from '../command/hub-client.ts';
import type { WrappedGate } from './options.ts';
import { askPeople, CLI, createPeople } from './people.ts';

const PATIENCE = { askMs: 60_000, hearMs: 60_000, firstRetryMs: 1, longestRetryMs: 4 };
const LITTLE = { ...PATIENCE, askMs: 60, hearMs: 60 };
const ASK = { prompt: 'Ship?', key: 'k' };
const OPEN = { id: 'inq_1' } as Inquiry;
const ANSWERED = { id: 'inq_1', resolution: { outcome: 'answered' } } as Inquiry;

/** A hub that replies with these, one after the other; the last for ever. */
function hubOf(asks: (Inquiry | Error)[], reads: (Inquiry | Error)[] = []): { hub: HubClient; calls: string[] } {
  const calls: string[] = [];
  const next = (name: string, replies: (Inquiry | Error)[]) => async (): Promise<Inquiry> => {
    calls.push(name);
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    if (reply instanceof Error) throw reply;
    return reply ?? OPEN;
  };
  const withdraw = async (id: string, reason: string) => void calls.push(`withdraw ${id} ${reason}`);
  return {
    hub: { now: Date.now, ask: next('ask', asks), read: next('read', reads), withdraw, receipt: async () => 'jws' },
    calls,
  };
}

const gone = () => new Unreachable('No hub replies.');
const waiting = () => new AbortController().signal;

test('[ASK2] a hub that is away for a moment is asked again with the same key, and heard again', async () => {
  const { hub, calls } = hubOf([gone(), gone(), OPEN], [gone(), OPEN, gone(), ANSWERED]);
  deepStrictEqual(await askPeople(hub, ASK, waiting(), PATIENCE), ANSWERED);
  deepStrictEqual(calls, ['ask', 'ask', 'ask', 'read', 'read', 'read', 'read']);
});

test('[RES4] a hub that stays away decides nothing, before it was asked or after', async () => {
  await rejects(askPeople(hubOf([gone()]).hub, ASK, waiting(), LITTLE), Unreachable);
  await rejects(askPeople(hubOf([OPEN], [gone()]).hub, ASK, waiting(), LITTLE), Unreachable);
});

test('a hub that refuses is not asked again', async () => {
  const { hub, calls } = hubOf([new AppError(401, 'credential.unknown', 'This credential is not known here.')]);
  await rejects(askPeople(hub, ASK, waiting(), PATIENCE), AppError);
  deepStrictEqual(calls, ['ask']);
});

test('[WDR1] who stops waiting takes back what was asked, even while it is being asked', async () => {
  const controller = new AbortController();
  const { hub, calls } = hubOf([OPEN]);
  const asking: HubClient = {
    ...hub,
    ask: (...given) => {
      controller.abort(new Error('No longer.'));
      return hub.ask(...given);
    },
  };
  deepStrictEqual(await askPeople(asking, ASK, controller.signal, PATIENCE), 'gone');
  deepStrictEqual(calls, ['ask', 'withdraw inq_1 No longer.']);
});

const GATE: WrappedGate = { name: 'shop', rules: [], otherwise: 'ask', elicitation: 'client', deadline: 60 };
const text = '{"id":1,"method":"tools/call","params":{"name":"pay","arguments":{"euros":1.50}}}';

function deciding(hub: () => Promise<HubClient>, gate: Partial<WrappedGate> = {}) {
  const people = createPeople({ gate: { ...GATE, ...gate }, hub, cwd: '/home/ada', patience: LITTLE }, 0);
  const { signal } = new AbortController();
  const verdict = decide(GATE, 'pay') as HoldCommand['verdict'];
  return (line = text) => {
    const call = { name: 'pay', argsText: readArgsText(line) };
    return holdCall(people.of('pay', signal), { gate: GATE, source: CLI, call, verdict, agent: 'Agent', signal });
  };
}

test('[APR1] a call whose receipt no hub has, or that ended meanwhile, is not run', async () => {
  const approved = (validUntil: string): Inquiry =>
    ({
      id: 'inq_1',
      resolution: { outcome: 'answered', answer: { decisions: [{ type: 'approve' }] }, validUntil },
    }) as never;
  const [later, past] = [approved('2999-01-01T00:00:00.000Z'), approved('2020-01-01T00:00:00.000Z')];
  const decide = async (inquiry: Inquiry, receipt: HubClient['receipt']) => {
    const { hub } = hubOf([inquiry]);
    const decided = await deciding(async () => ({ ...hub, receipt }), { receipt: true })();
    return decided === 'gone' ? decided : 'text' in decided ? decided.text : decided;
  };
  const away = async () => Promise.reject(gone());
  deepStrictEqual(
    [await decide(later, async () => 'jws'), await decide(later, away)],
    [
      { type: 'forward', receipt: 'jws', inquiryId: 'inq_1' },
      'The call was approved and not run: its receipt cannot be had. No hub replies.',
    ],
  );
  match(JSON.stringify(await decide(past, async () => 'jws')), /ended/);
});

test('[RES4] a call is refused in one sentence while no hub replies, and where it cannot be asked', async () => {
  const away: HubClient = {
    now: Date.now,
    ask: async () => Promise.reject(new Unreachable('No hub replies at http://hub.')),
    read: async () => ({}) as Inquiry,
    withdraw: async () => {},
    receipt: async () => 'jws',
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
    now: Date.now,
    ask: async (ask) => {
      asks.push(ask);
      const decisions = [{ type: 'edit' as const, argsText: '{"euros":2.0}' }];
      return { id: 'inq_1', resolution: { outcome: 'answered', answer: { decisions } } } as Inquiry;
    },
    read: async () => ({}) as Inquiry,
    withdraw: async () => {},
    receipt: async () => 'jws',
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
      validFor: 60,
      context: { agent: 'Agent', cwd: '/home/ada' },
      deadline: 60,
      latest: 60,
    }),
  );
});
