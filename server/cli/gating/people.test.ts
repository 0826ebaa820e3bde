import { deepStrictEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { Unreachable, type HubClient } from '../hub-client.ts';
import { askPeople } from './people.ts';

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
  return { hub: { ask: next('ask', asks), read: next('read', reads), withdraw }, calls };
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
