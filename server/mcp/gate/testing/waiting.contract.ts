import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Decision } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { answerInquiry } from '../../../inquiries/answer.ts';
import { sweep } from '../../../inquiries/expire.ts';
import { listForSource, readForSource } from '../../../inquiries/read.ts';
import type { Place } from '../../../inquiries/testing/place.ts';
import { withdrawInquiry } from '../../../inquiries/withdraw.ts';
import { invite, takeInvited } from '../continuations.ts';
import {
  type Asker,
  CallCancelled,
  holdCall,
  type HoldCommand,
  createPeople,
  type Place as HeldPlace,
} from '../hold.ts';
import { decide } from '../../../automation/rules/decide.ts';
import { GATE as EVERY_CALL, gatesOn } from './gates.ts';

const GATE = { ...EVERY_CALL, deadline: 600 };
const CALL = { name: 'write', argsText: '{"path":"a"}' };
const verdict = decide(GATE, CALL.name) as HoldCommand['verdict'];
const APPROVE: Decision = { type: 'approve' };
const GRACE_MS = 60_000;

type Command = HoldCommand & Asker & { requestId: string };
type Undecided = { type: 'undecided'; place: HeldPlace; inquiryId: string };
type Scene = {
  p: Place;
  hold(more?: Partial<Command>): Promise<Awaited<ReturnType<typeof holdCall>> | Undecided>;
  /** Holds for no time at all: what becomes of it without a decision. */
  brief(more?: Partial<Command>): Promise<Undecided>;
  decide(id: string, decision?: Decision): Promise<unknown>;
  open(): Promise<Inquiry[]>;
  outcomeOf(id: string): Promise<string | undefined>;
  /** What devices were told. */
  told(): string[];
};

function node(p: Place): Scene {
  const gates = gatesOn(p, GATE);
  const read = (id: string) => readForSource(p.inquiries, id, p.sourceId);
  const hold: Scene['hold'] = async (more = {}) => {
    let inquiryId = '';
    const signal = new AbortController().signal;
    const onAsked = (id: string): void => void (inquiryId = id);
    const asker = { gate: GATE, source: { id: p.sourceId }, sessionId: 'session', signal, onAsked };
    const about = { ...asker, call: CALL, verdict, requestId: '1' };
    const command = { ...about, ...more };
    const held = await holdCall(createPeople(gates, command), command);
    return held !== 'gone' && held.type === 'undecided' ? { ...held, inquiryId } : held;
  };
  return {
    p,
    hold,
    brief: async (more) => (await hold({ waitMs: 0, ...more })) as Undecided,
    decide: async (id, decision = APPROVE) =>
      answerInquiry(p.inquiries, p.phone, id, { digest: (await read(id)).digest, decisions: [decision] }),
    open: async () => {
      const { items } = await listForSource(p.database.read, p.sourceId, { state: 'open', limit: 99 });
      return items.toReversed();
    },
    outcomeOf: async (id) => (await read(id)).resolution?.outcome,
    told: () => p.news.map(({ event }) => event),
  };
}

/** What every engine must do for calls whose clients cannot wait as long as a person takes. */
export function waitingContract(openOn: (t: TestContext) => Promise<Place>): void {
  test('[ASK5] a call that goes on in rounds is one question, whichever nodes hold it, and passes once', async (t) => {
    const p = await openOn(t);
    const [here, there] = [node(p), node(p)];
    const first = await here.brief();
    deepStrictEqual(
      [first.type, first.place.ordinal, (await here.open()).map(({ id }) => id)],
      ['undecided', 0, [first.inquiryId]],
    );
    for (const at of [there, here, there, here]) {
      p.pass(45_250);
      await sweep(p.inquiries);
      deepStrictEqual(await at.brief({ place: first.place }), first);
    }
    await here.decide(first.inquiryId);
    p.pass(250);
    deepStrictEqual(await there.hold({ place: first.place }), { type: 'forward', inquiryId: first.inquiryId });
    deepStrictEqual(here.told(), ['inquiry', 'withdraw']);
    // The same round again, kept by whoever means ill: asked about anew.
    const replayed = await here.brief({ place: first.place });
    deepStrictEqual([replayed.type, replayed.inquiryId === first.inquiryId], ['undecided', false]);
  });

  test('[ASK5] a call that returned undecided finds its question when it comes again, and a decision made meanwhile', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    const first = await scene.brief();
    p.pass(30_000);
    await sweep(p.inquiries);
    deepStrictEqual(await scene.brief(), first);
    await scene.decide(first.inquiryId, { type: 'edit', argsText: '{"path": "b"}' });
    p.pass(30_000);
    deepStrictEqual(await scene.hold(), { type: 'forward', argsText: '{"path":"b"}', inquiryId: first.inquiryId });
    deepStrictEqual(scene.told(), ['inquiry', 'withdraw']);
  });

  test('[ASK5] a question that its client was told to come back for is left to one identical call of it, for a minute', async (t) => {
    const p = await openOn(t);
    const origin = { gate: 'notes', sourceId: 'src_a' };
    const invited = { origin, call: CALL, agent: 'Gemini' };
    const places = [0, 1].map((ordinal) => ({ within: 'one call', ordinal }));
    const inquiryId = await p.ask({ prompt: 'Now?' });
    const leave = async () => {
      for (const place of places) await invite(p.database, invited, { ...place, inquiryId, ms: GRACE_MS });
    };
    const take = (other: Partial<typeof invited> = {}) => takeInvited(p.database, { ...invited, ...other });
    await leave();
    const others = [
      { origin: { ...origin, sourceId: 'src_b' } },
      { origin: { ...origin, gate: 'other' } },
      { agent: 'Codex' },
      { call: { ...CALL, argsText: '{"path":"b"}' } },
      { call: { ...CALL, name: 'erase' } },
    ];
    for (const other of others) deepStrictEqual(await take(other), undefined);
    deepStrictEqual([await take(), await take(), await take()], [...places, undefined]);
    await leave();
    p.pass(GRACE_MS);
    deepStrictEqual(await take(), undefined);
  });

  test('[ASK5] what a tool says of itself may change while its call waits: it is one question, but never for another decision', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    const { inquiryId, place } = await scene.brief();
    const said = { description: 'Writes it.', caution: false, toolSchema: { type: 'object' } };
    const [round, again] = [{ place }, {}];
    for (const more of [round, again])
      deepStrictEqual((await scene.brief({ ...more, verdict: { ...verdict, ...said } })).inquiryId, inquiryId);
    const others: Partial<Command>[] = [
      { verdict: { ...verdict, allowed: ['approve', 'reject'] } },
      { verdict: { ...verdict, argsSchema: { type: 'object', required: ['path'] } } },
      { gate: { ...GATE, to: ['owner'] } },
    ];
    for (const other of others)
      for (const more of [round, again])
        deepStrictEqual((await scene.brief({ ...more, ...other })).inquiryId === inquiryId, false);
    await scene.decide(inquiryId);
    deepStrictEqual(await scene.hold({ ...round, verdict: { ...verdict, ...said } }), { type: 'forward', inquiryId });
  });

  test('[ASK5] nothing that was decided more than a minute ago lets a call pass that comes late, by a round neither', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    for (const round of [true, false]) {
      const first = await scene.brief();
      await scene.decide(first.inquiryId);
      p.pass(60_000);
      const late = await scene.brief(round ? { place: first.place } : {});
      deepStrictEqual([late.type, late.inquiryId === first.inquiryId], ['undecided', false]);
      await withdrawInquiry(p.inquiries, p.sourceId, late.inquiryId);
    }
  });

  test('[ASK5] a round that is sent twice at once lets one call pass, and the other is asked about anew', async (t) => {
    const p = await openOn(t);
    const [here, there] = [node(p), node(p)];
    const first = await here.brief();
    const calls = [here.hold({ place: first.place }), there.hold({ place: first.place })];
    while (p.inquiries.waiters.count(first.inquiryId) < 2) await turn();
    await here.decide(first.inquiryId);
    deepStrictEqual(await Promise.race(calls), { type: 'forward', inquiryId: first.inquiryId });
    let [anew] = await here.open();
    while (!anew) {
      await turn();
      [anew] = await here.open();
    }
    await here.decide(anew.id, { type: 'reject' });
    const results = (await Promise.all(calls)).map((one) => (one === 'gone' ? one : one.type));
    deepStrictEqual(results.toSorted(), ['forward', 'reply']);
  });

  test('[WDR1] a call whose client does not come back is let go after its grace, and asked about anew when it does', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    const first = await scene.brief();
    p.pass(GRACE_MS / 2);
    await sweep(p.inquiries);
    const before = await scene.outcomeOf(first.inquiryId);
    p.pass(GRACE_MS / 2);
    await sweep(p.inquiries);
    deepStrictEqual([before, await scene.outcomeOf(first.inquiryId)], [undefined, 'withdrawn']);
    const again = await scene.brief({ place: first.place });
    deepStrictEqual([again.type, again.inquiryId === first.inquiryId], ['undecided', false]);
  });

  test('[WDR1] a question outlives the node that held its call by what the client had left, and a minute', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    const { inquiryId, place } = await scene.brief();
    const gone = new AbortController();
    const round = scene.hold({ place, waitMs: 45_000, signal: gone.signal });
    while (p.inquiries.waiters.count(inquiryId) === 0) await turn();
    const row = await p.database.read
      .selectFrom('inquiries')
      .select('lease_until')
      .where('id', '=', inquiryId)
      .executeTakeFirstOrThrow();
    const left = Number(row.lease_until) - p.database.clock.now();
    deepStrictEqual([left > 100_000, left <= 105_000], [true, true]);
    gone.abort();
    deepStrictEqual(await round, 'gone');
  });

  test('[WDR1] a call that goes on waiting and is taken back before it waits takes its question back', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    const { place, inquiryId } = await scene.brief();
    const signal = AbortSignal.abort(new CallCancelled('Changed my mind.'));
    deepStrictEqual([await scene.hold({ place, signal }), await scene.outcomeOf(inquiryId)], ['gone', 'withdrawn']);
    const fresh = await scene.hold({ signal });
    deepStrictEqual([fresh, await scene.open(), scene.told()], ['gone', [], ['inquiry', 'withdraw']]);
  });

  test('[RES4] what was rejected or expired between two rounds is what the next round says', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    const rejected = await scene.brief();
    await scene.decide(rejected.inquiryId, { type: 'reject', message: 'No.' });
    deepStrictEqual(await scene.hold({ place: rejected.place }), {
      type: 'reply',
      text: 'A person rejected this call; it was not run. Their words: No.',
      isError: true,
      inquiryId: rejected.inquiryId,
    });
    p.inquiries.collected.add(rejected.inquiryId);
    const expiring = await scene.brief({ gate: { ...GATE, deadline: 5 } });
    p.pass(5_000);
    await sweep(p.inquiries);
    deepStrictEqual(await scene.hold({ place: expiring.place }), {
      type: 'reply',
      text:
        'Nobody answered in time. Nobody decided: this is neither a yes nor a no. Do not ask the same again now.\n' +
        'The call was not run: nobody approved it.',
      isError: true,
      inquiryId: expiring.inquiryId,
    });
  });

  test('[ASK5] of two identical calls each goes on with its own question, by rounds and without', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    for (const byRound of [true, false]) {
      const both = [scene.hold({ waitMs: 1 }), scene.hold({ waitMs: 1 })];
      const [one, two] = (await Promise.all(both)) as [Undecided, Undecided];
      deepStrictEqual([one.place.ordinal, two.place.ordinal, one.inquiryId === two.inquiryId], [0, 1, false]);
      const again = (first: Undecided) => scene.hold(byRound ? { place: first.place } : {});
      const calls = [again(one), again(two)];
      while (p.inquiries.waiters.count(two.inquiryId) === 0) await turn();
      await scene.decide(one.inquiryId);
      deepStrictEqual(await Promise.race(calls), { type: 'forward', inquiryId: one.inquiryId });
      // Its place is free now: the other one does not slip into it and ask anew.
      await scene.decide(two.inquiryId);
      await Promise.all(calls);
      deepStrictEqual(await scene.open(), []);
    }
    const [left, other] = (await Promise.all([scene.hold({ waitMs: 1 }), scene.hold({ waitMs: 1 })])) as [
      Undecided,
      Undecided,
    ];
    await scene.decide(left.inquiryId);
    deepStrictEqual(await scene.hold(), { type: 'forward', inquiryId: left.inquiryId });
    deepStrictEqual(await scene.brief(), other);
    deepStrictEqual(
      (await scene.open()).map(({ id }) => id),
      [other.inquiryId],
    );
  });
}
