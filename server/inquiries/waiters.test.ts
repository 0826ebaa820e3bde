import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createCollected } from './collected.ts';
import { createWaiters, type Wait } from './waiters.ts';
import { pino } from 'pino';
import type { Inquiry } from '#shared/inquiry.ts';
import { localSignals } from '../platform/nodes/signals.ts';
import type { Database } from '../platform/database.ts';
import type { Inquiries } from './inquiries.ts';
import type { Timers } from '../platform/clock.ts';
import { waitForResolution } from './hold.ts';

test('stopping waits for all that is being written, one batch after the other', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const commits: ((stored: { rows: [] }) => void)[] = [];
  const database = { steps: () => new Promise<{ rows: [] }>((commit) => commits.push(commit)) } as unknown as Database;
  const collected = createCollected({ database, log: pino({ level: 'silent' }) });
  let stopped = false;
  collected.add('inq_a');
  t.mock.timers.tick(20);
  await turn();
  collected.add('inq_b');
  t.mock.timers.tick(20);
  await turn();
  void collected.stop().then(() => (stopped = true));
  await turn();
  const seen: [begun: number, stopped: boolean][] = [[commits.length, stopped]];
  for (let at = 0; at < 2; at++) {
    commits[at]?.({ rows: [] });
    await turn();
    seen.push([commits.length, stopped]);
  }
  deepStrictEqual(seen, [
    [1, false],
    [2, false],
    [2, true],
  ]);
});

for (const by of ['asker', 'reader'] as const) {
  test(`a resolution of this node is ${by === 'asker' ? 'handed to who asked' : 'read anew by whoever only looks'}`, async () => {
    const signals = localSignals();
    const waiters = createWaiters(signals);
    const resolution = { outcome: 'expired', at: '', by: { kind: 'deadline', label: 'deadline' }, text: '' } as const;
    const resolvedHere = {
      state: 'expired' as const,
      revision: 2,
      deadlineAt: 'd',
      latestAt: 'l',
      reach: { told: 1, accepted: 1, shown: 0, opened: 0 },
      resolution,
    };
    let reads = 0;
    const read = async () => ({ id: 'inq_a', revision: ++reads, ...(reads > 1 ? { resolution } : {}) }) as Inquiry;
    const wait: Wait = {
      inquiryId: 'inq_a',
      read,
      callerId: 'x',
      by,
      ms: 60_000,
      signal: new AbortController().signal,
    };
    const waiting = waiters.lastReading(wait);
    await turn();
    waiters.hand('inq_a', resolvedHere);
    signals.publish('inq_a');
    deepStrictEqual(
      [await waiting, reads],
      by === 'asker' ? [{ id: 'inq_a', ...resolvedHere }, 1] : [{ id: 'inq_a', revision: 2, resolution }, 2],
    );
  });
}

test('however many calls wait for an inquiry, it is read once at each signal and every 15 s, and kept once', async () => {
  const signals = localSignals();
  let now = 0;
  let due: { at: number; run: () => void }[] = [];
  const timers: Timers = {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      due.push(timer);
      return () => void (due = due.filter((one) => one !== timer));
    },
  };
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    for (const { run } of due.filter(({ at }) => at <= now)) run();
    due = due.filter(({ at }) => at > now);
    await turn();
  };
  const waiters = createWaiters(signals, timers);
  let reads = 0;
  const ending: Pick<Inquiry, 'resolution'> = {};
  const read = async () => ({ id: 'inq_a', revision: ++reads, ...ending }) as Inquiry;
  const wait = { inquiryId: 'inq_a', read, callerId: 'x', ms: Infinity, signal: new AbortController().signal } as const;
  const ended = Promise.all(
    Array.from({ length: 2_000 }, (_, at) => waiters.lastReading({ ...wait, by: at % 2 === 0 ? 'asker' : 'source' })),
  );
  await turn();
  const seen = [reads];
  await pass(14_999);
  seen.push(reads);
  await pass(1);
  seen.push(reads);
  signals.publish('inq_a');
  await turn();
  seen.push(reads);
  ending.resolution = { outcome: 'expired', at: '', by: { kind: 'deadline', label: 'deadline' }, text: '' };
  signals.publish('inq_a');
  const distinct = new Set(await ended);
  deepStrictEqual([...seen, reads, distinct.size], [1, 1, 2, 3, 4, 1]);
});

test('a reading that began before a change is not the last word about it', async () => {
  const signals = localSignals();
  const waiters = createWaiters(signals);
  const readings: ((inquiry: Inquiry) => void)[] = [];
  const read = () => new Promise<Inquiry>((resolve) => readings.push(resolve));
  const wait = { inquiryId: 'inq_a', read, callerId: 'x', by: 'asker', ms: 60_000 } as const;
  const ended = waiters.lastReading({ ...wait, signal: new AbortController().signal });
  await turn();
  signals.publish('inq_a');
  readings[0]?.({ id: 'inq_a', revision: 1 } as Inquiry);
  await turn();
  const resolved = { id: 'inq_a', revision: 2, resolution: { outcome: 'expired' } } as Inquiry;
  readings[1]?.(resolved);
  deepStrictEqual([await ended, readings.length], [resolved, 2]);
});

test('a lost call ends as it is, also where it cannot be noted how long it waited', async () => {
  let now = 0;
  let written = 0;
  const steps = async () => {
    if (++written > 1) throw new Error('away');
  };
  const database = { clock: { now: () => now }, steps } as unknown as Database;
  const at = new Date(0).toISOString();
  const inquiry = { id: 'inq_a', source: { id: 'src_a' }, openedAt: at, deadlineAt: at } as Inquiry;
  const read = async () => {
    now += 3_600_000;
    return inquiry;
  };
  const wait = {
    inquiryId: 'inq_a',
    read,
    callerId: 'x',
    by: 'asker',
    ms: 60_000,
    signal: AbortSignal.abort(),
  } as Wait;
  const inquiries = { waiters: createWaiters(localSignals()), database } as Inquiries;
  deepStrictEqual([await waitForResolution(inquiries, wait), written], [{ inquiry, ended: 'gone' }, 2]);
});
