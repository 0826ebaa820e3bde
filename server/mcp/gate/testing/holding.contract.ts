import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Decision } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { answerInquiry } from '../../../inquiries/answer.ts';
import { collectOnce } from '../../../inquiries/collected.ts';
import { sweep } from '../../../inquiries/expire.ts';
import { listForSource, readForSource } from '../../../inquiries/read.ts';
import type { Place } from '../../../inquiries/testing/place.ts';
import { cancelCall, keepCall, createStreamId } from '../continuations.ts';
import { type Asker, CallCancelled, type Gates, holdCall, type HoldCommand, createPeople, takenBack } from '../hold.ts';
import type { Rule, Then, When } from '#shared/policies/rule.ts';
import { putPolicies } from '../../../automation/rules/change.ts';
import { refusal } from '../call.ts';
import { decide as verdictOf } from '../../../automation/rules/decide.ts';
import { createCalls } from '../../calls.ts';
import { GATE, gatesOn } from './gates.ts';

const CALL = { name: 'write', argsText: '{"path":"a"}' };
const verdict = verdictOf(GATE, CALL.name) as HoldCommand['verdict'];

type Scene = { p: Place; gates: Gates; counted: string[] };

function node(p: Place): Scene {
  const counted: string[] = [];
  return { p, gates: gatesOn(p, GATE, { count: (event) => void counted.push(event) }), counted };
}

type Command = HoldCommand & Asker & { requestId: string };

function hold({ gates, p }: Scene, more: Partial<Command> = {}): ReturnType<typeof holdCall> {
  const { sessionId, requestId = '1' } = more;
  const origin = { gate: GATE.name, sourceId: p.sourceId, sessionId };
  const streamId = createStreamId(origin, requestId);
  const command: Command = {
    gate: GATE,
    source: { id: p.sourceId },
    call: CALL,
    verdict,
    requestId,
    signal: new AbortController().signal,
    onAsked: (inquiryId) => keepCall(p.database, origin, streamId, { inquiryId, text: '{}', ms: 60_000 }),
    ...more,
  };
  return holdCall(createPeople(gates, command), command);
}

async function open({ p }: Scene, count: number): Promise<Inquiry[]> {
  for (;;) {
    const { items } = await listForSource(p.database.read, p.sourceId, { state: 'open', limit: 99 });
    if (items.length === count) return items.toReversed();
    await turn();
  }
}

const decide = ({ p }: Scene, { id, digest }: Inquiry, decision: Decision) =>
  answerInquiry(p.inquiries, p.phone, id, { digest, decisions: [decision] });
const outcomeOf = async ({ p }: Scene, id: string) =>
  (await readForSource(p.inquiries, id, p.sourceId)).resolution?.outcome;
const APPROVE: Decision = { type: 'approve' };

/** What every engine must do for gates. */
export function holdingContract(openOn: (t: TestContext) => Promise<Place>): void {
  test('[ASK5] a resolution is claimed once, whoever tries and how often', async (t) => {
    const p = await openOn(t);
    const id = await p.ask({ prompt: 'Now?' });
    const before = await collectOnce(p.inquiries, id);
    await answerInquiry(p.inquiries, p.phone, id, { text: 'Yes' });
    const claims = await Promise.all([1, 2, 3].map(() => collectOnce(p.inquiries, id)));
    deepStrictEqual([before, claims.filter(Boolean).length, await collectOnce(p.inquiries, id)], [false, 1, false]);
    const other = await p.ask({ prompt: 'And now?' });
    await answerInquiry(p.inquiries, p.phone, other, { text: 'Yes' });
    p.inquiries.collected.add(other);
    deepStrictEqual(await collectOnce(p.inquiries, other), false);
  });

  test('[ASK5] [race] one approval lets one of two same calls pass that wait on two nodes, the other is asked about again', async (t) => {
    const p = await openOn(t);
    const [here, there] = [node(p), node(p)];
    const session = { sessionId: 's', requestId: 'r' };
    const calls = [hold(here, session)];
    const [inquiry] = await open(here, 1);
    calls.push(hold(there, session));
    // In the same instant Postgres may let both ask: two questions, which is as safe and not what is shown here.
    while (p.inquiries.waiters.count(inquiry!.id) < 2) await turn();
    await decide(here, inquiry!, APPROVE);
    const first = await Promise.race(calls);
    deepStrictEqual(first, { type: 'forward', inquiryId: inquiry?.id });
    const [again] = await open(here, 1);
    await decide(here, again!, { type: 'edit', argsText: '{"path": "b"}' });
    const all = await Promise.all(calls);
    deepStrictEqual(
      all.filter((one) => one !== first),
      [{ type: 'forward', argsText: '{"path":"b"}', inquiryId: again?.id }],
    );
    deepStrictEqual([...here.counted, ...there.counted].toSorted(), ['approved', 'asked', 'asked', 'edited']);
  });

  test('[APR1] an approval that ends before its call is passed on passes nothing; a second call is asked about anew', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    let lateMs = 60_000;
    scene.gates.find = async () => {
      p.pass(lateMs);
      return GATE;
    };
    const late = hold(scene);
    const [first] = await open(scene, 1);
    await decide(scene, first!, APPROVE);
    const { type, ...reply } = (await late) as { type: string; text?: string };
    const { validUntil } = (await p.resolution(first!.id))!;
    const text = `Not decided: the approval ended at ${validUntil}, before it was used. Nothing was run. Ask again if it is still needed.`;
    deepStrictEqual([type, reply], ['reply', { text, isError: true, inquiryId: first?.id }]);
    lateMs = 59_000;
    const inTime = hold(scene);
    const [second] = await open(scene, 1);
    await decide(scene, second!, APPROVE);
    deepStrictEqual(await inTime, { type: 'forward', inquiryId: second?.id });
  });

  test('[ASK5] the same call of another session, or of a client without one, is a question of its own', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    const gone = new AbortController();
    const lost = [{ sessionId: 's' }, {}, {}].map((more) => hold(scene, { ...more, signal: gone.signal }));
    const inquiries = await open(scene, 3);
    gone.abort();
    await Promise.all(lost);
    for (const one of inquiries) await decide(scene, one, APPROVE);
    const anew = new AbortController();
    const others = [{ sessionId: 't' }, {}].map((more) => hold(scene, { ...more, signal: anew.signal }));
    await open(scene, 2);
    anew.abort();
    deepStrictEqual(await Promise.all(others), ['gone', 'gone']);
  });

  test('[ASK5] an approval that nobody used is as old as a minute', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    const gone = new AbortController();
    const lost = hold(scene, { sessionId: 's', signal: gone.signal, graceMs: 3_600_000 });
    const [inquiry] = await open(scene, 1);
    gone.abort();
    deepStrictEqual(await lost, 'gone');
    await decide(scene, inquiry!, APPROVE);
    p.pass(61_000);
    const late = hold(scene, { sessionId: 's' });
    const [asked] = await open(scene, 1);
    await decide(scene, asked!, { type: 'respond', message: 'No need.' });
    deepStrictEqual(await late, { type: 'reply', text: 'No need.', isError: false, inquiryId: asked?.id });
  });

  test('[SEC1] an approval lets no call of a revoked source pass, nor one at a gate that is gone or denies it now', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    const DENY = { ...GATE, rules: [{ tool: 'write', does: 'deny' as const }] };
    const MOVED = { ...GATE, upstream: { ...GATE.upstream, url: 'http://127.0.0.1:8/mcp' } };
    const met = [];
    for (const now of [undefined, DENY, MOVED, { ...GATE, sources: ['src_other'] }]) {
      const held = hold(scene);
      const [inquiry] = await open(scene, 1);
      scene.gates.find = async () => now;
      await decide(scene, inquiry!, APPROVE);
      const decided = await held;
      met.push(typeof decided === 'object' && decided.type === 'reply' && decided.isError);
      scene.gates.find = async () => GATE;
    }
    const held = hold(scene);
    const [inquiry] = await open(scene, 1);
    await p.database.transaction((trx) => trx.updateTable('sources').set({ revoked_at: 1 }).execute());
    await decide(scene, inquiry!, APPROVE);
    const decided = await held;
    met.push(typeof decided === 'object' && decided.type === 'reply' && decided.isError);
    deepStrictEqual(met, [true, true, true, true, true]);
  });

  test('[SEC1] an approval with other arguments passes no further than the rules of the gate let them', async (t) => {
    const scene = node(await openOn(t));
    const when = { args: { '/path': { under: '/etc' } } };
    scene.gates.find = async () => ({ ...GATE, rules: [{ tool: 'write', when, does: 'deny' }] });
    const edit = async (argsText: string) => {
      const held = hold(scene);
      const [inquiry] = await open(scene, 1);
      await decide(scene, inquiry!, { type: 'edit', argsText });
      const decided = await held;
      return typeof decided === 'object' && decided.type;
    };
    deepStrictEqual([await edit('{"path":"/etc/a"}'), await edit('{"path":"/tmp/a"}')], ['reply', 'forward']);
  });

  test('[WDR1] a cancelled call is withdrawn at once, wherever it is held, and a lost one after its grace', async (t) => {
    const p = await openOn(t);
    const [here, there] = [node(p), node(p)];
    const cancelled = new AbortController();
    const first = hold(here, { signal: cancelled.signal });
    const [one] = await open(here, 1);
    cancelled.abort(new CallCancelled('Changed my mind.'));
    deepStrictEqual([await first, await outcomeOf(here, one!.id)], ['gone', 'withdrawn']);

    const second = hold(here, { sessionId: 's', requestId: 'r' });
    const [two] = await open(here, 1);
    // The same call under another id: its question carries the first one's.
    const again = hold(there, { sessionId: 's', requestId: 'again' });
    while (p.inquiries.waiters.count(two!.id) < 2) await turn();
    const elsewhere = { inquiries: there.p.inquiries, calls: createCalls() };
    const origin = { gate: 'notes', sourceId: p.sourceId, sessionId: 's' };
    deepStrictEqual(
      [
        await cancelCall(elsewhere, origin, 'other', ''),
        await cancelCall(elsewhere, { ...origin, sessionId: undefined }, 'again', ''),
        await cancelCall(elsewhere, origin, 'again', ''),
        await outcomeOf(here, two!.id),
      ],
      [false, false, true, 'withdrawn'],
    );
    deepStrictEqual((await second) !== 'gone' && (await second), {
      type: 'reply',
      text: 'The question was taken back before anybody answered. Do not ask the same again.\nThe call was not run: nobody approved it.',
      isError: true,
      inquiryId: two?.id,
    });
    await again;

    const lost = new AbortController();
    const third = hold(here, { signal: lost.signal });
    const [three] = await open(here, 1);
    lost.abort();
    await third;
    p.pass(2_001);
    await sweep(p.inquiries);
    deepStrictEqual(await outcomeOf(here, three!.id), 'withdrawn');
  });

  test('[ASK5] a call whose client ran out of time keeps its question, and the same call finds it', async (t) => {
    const p = await openOn(t);
    const [here, there] = [node(p), node(p)];
    const [mine, elsewhere] = [here, there].map(() => ({ inquiries: p.inquiries, calls: createCalls() }));
    const origin = { gate: 'notes', sourceId: p.sourceId, sessionId: 's' };
    const abort = new AbortController();
    const first = hold(here, { sessionId: 's', requestId: 'r', signal: abort.signal });
    const call = { origin, requestId: 'r', cancel: (reason: string) => abort.abort(takenBack(reason)) };
    void mine!.calls.run(call, 0, async () => void (await first));
    const [inquiry] = await open(here, 1);
    deepStrictEqual(await cancelCall(elsewhere!, origin, 'r', 'SdkError: Request timed out'), true);
    deepStrictEqual(await cancelCall(mine!, origin, 'r', 'McpError: MCP error -32001: Request timed out'), true);
    deepStrictEqual(await first, 'gone');
    p.pass(30_000);
    await sweep(p.inquiries);
    const second = hold(there, { sessionId: 's', requestId: 's' });
    while (p.inquiries.waiters.count(inquiry!.id) < 1) await turn();
    await decide(here, inquiry!, APPROVE);
    deepStrictEqual(await second, { type: 'forward', inquiryId: inquiry?.id });
  });

  test('[ASK1] a stopping node lets go of its calls and withdraws nothing', async (t) => {
    const p = await openOn(t);
    const scene = node(p);
    const call = hold(scene);
    const [inquiry] = await open(scene, 1);
    p.inquiries.waiters.stop();
    deepStrictEqual([await call, await outcomeOf(scene, inquiry!.id)], ['gone', undefined]);
  });

  test('[POL1] [POL5] the rules of the gate come first, then those of the owner decide about a call that it holds', async (t) => {
    const s = node(await openOn(t));
    const policies = { of: 'hub', personId: s.p.phone.personId } as const;
    const put = (version: number, when: When, then: Then) =>
      putPolicies(s.p.database, policies, { version, rules: [{ name: 'r', when, then }] }, s.p.phone.deviceId);
    const readOnly = { name: 'write', inputSchema: { type: 'object' as const }, annotations: { readOnlyHint: true } };
    const calm = { ...verdict, caution: false };
    await put(0, { gate: 'notes', annotation: 'read-only' }, 'approve');
    const approved = await hold(s, { verdict: calm, tool: readOnly });
    deepStrictEqual([approved === 'gone' || approved.type, s.counted], ['forward', ['asked', 'approved']]);
    await put(1, { gate: 'notes' }, { reject: 'Not here.' });
    const rejected = await hold(s, { verdict: calm });
    const text = 'This call was not run. Reason: Not here.\nDecided by the rule “r”; nobody was asked.';
    deepStrictEqual(rejected, { ...refusal(text), inquiryId: (rejected as { inquiryId?: string }).inquiryId });
    deepStrictEqual((await open(s, 0)).length, 0);
    const other = { name: 'write', argsText: '{"path":"b"}' };
    const held = hold(s, { call: other, verdict: { ...calm, rule: 0 } });
    const [asked] = await open(s, 1);
    await decide(s, asked!, { type: 'approve' });
    deepStrictEqual((await held) === 'gone', false);
  });

  test('[POL5] [door] an approval by a rule lets one call pass, and the next one is looked up anew', async (t) => {
    const s = node(await openOn(t));
    const policies = { of: 'hub', personId: s.p.phone.personId } as const;
    const rule: Rule = { name: 'r', when: { gate: 'notes' }, then: 'approve' };
    await putPolicies(s.p.database, policies, { version: 0, rules: [rule] }, s.p.phone.deviceId);
    const calm = { ...verdict, caution: false };
    const both = await Promise.all([hold(s, { verdict: calm }), hold(s, { verdict: calm })]);
    const ids = both.map((one) => one !== 'gone' && 'inquiryId' in one && one.inquiryId);
    deepStrictEqual(new Set(ids).size, 2);
    await putPolicies(s.p.database, policies, { version: 1, rules: [] }, s.p.phone.deviceId);
    const held = hold(s, { verdict: calm });
    const [asked] = await open(s, 1);
    await decide(s, asked!, { type: 'reject' });
    deepStrictEqual((await held) === 'gone', false);
  });
}
