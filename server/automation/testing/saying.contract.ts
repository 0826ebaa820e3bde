import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Ask } from '#shared/inquiry.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { changeDecider } from '../deciders/config/store.ts';
import { handToDecider } from '../deciders/act.ts';
import { sweep } from '../../inquiries/expire.ts';
import { currentTrace, withTrace } from '../../platform/trace.ts';
import { withdrawIfOpen } from '../../inquiries/withdraw.ts';
import { readAsSource } from '../../inquiries/store.ts';
import { readContext } from '../../reports/history/context.ts';
import { withDecider } from './deciding.contract.ts';
import type { Place } from '../../inquiries/testing/place.ts';

const QUESTION: Ask = { prompt: 'Which?', deadline: 3600 };
const CALL = { actions: [{ name: 'Bash', args: {}, allowed: ['approve', 'reject'] }], deadline: 3600 } as Ask;

/** What a decider says to the source itself, and whose word it needs; the same on every engine. */
export function sayingContract(place: (t: TestContext) => Promise<Place>): void {
  async function open(t: TestContext, chosen: object = {}) {
    const p = await place(t);
    const d = await withDecider(p, { agentMayAsk: true, ...chosen });
    const say = async (id: string, aside = {}) => d.deciders.say(await readAsSource(p.database, id, p.sourceId), aside);
    return { p, ...d, say };
  }

  test('[POL8] what a person decides, or the owner takes back, while a decider thinks is what its source hears', async (t) => {
    const { p, say, script, choose, runs } = await open(t);
    const meanwhile = (what: () => Promise<unknown>) => {
      script.answers = async () => {
        await what();
        return { answer: { text: 'Blue' } };
      };
    };
    const declined = await p.ask(QUESTION);
    meanwhile(() => answerInquiry(p.inquiries, p.phone, declined, { outcome: 'declined' }));
    deepStrictEqual([await say(declined), await runs(declined)], [undefined, ['agent']]);
    const taken = await p.ask(QUESTION);
    meanwhile(() => choose({ agentMayAsk: false }));
    await rejects(say(taken), { code: 'source.may_not_decide' });
    await choose({ agentMayAsk: true });
    const changed = await p.ask(QUESTION);
    meanwhile(() => p.database.transaction((trx) => trx.updateTable('deciders').set({ changed_at: 1 }).execute()));
    await rejects(say(changed), { code: 'inquiry.undecidable' });
  });

  test('a decider is called within the trace that its question came with, or that of the call that wants its word', async (t) => {
    const { p, say, script, turn, choose } = await open(t, { suggests: true });
    const [trace, other] = ['a', 'b'].map((digit) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`);
    const traces: (string | undefined)[] = [];
    script.answers = () => {
      traces.push(currentTrace());
      return { answer: { text: 'Blue' } };
    };
    const traced = await withTrace(trace, () => p.ask(QUESTION));
    await turn();
    await p.ask({ prompt: 'And this?', deadline: 3600 });
    await turn();
    await say(traced);
    await choose({ agentMayAsk: true });
    await withTrace(other, async () => say(await withTrace(trace, () => p.ask({ prompt: 'Third?', deadline: 3600 }))));
    deepStrictEqual(traces, [trace, undefined, trace, other]);
  });

  test('[POL8] one that is turned off is asked about nothing, as if it were not there, until it is turned on', async (t) => {
    const p = await place(t);
    const { asked, deciders, id, proposal } = await withDecider(p, { suggests: true });
    const turn = (off: boolean) => changeDecider(p.inquiries, id, { off });
    await turn(true);
    const open = await p.ask(QUESTION);
    await deciders.idle();
    await rejects(handToDecider(p.inquiries, p.phone, open, undefined), { code: 'inquiry.undecidable' });
    const { decider } = await readContext(p.database, open, { id: p.phone.personId });
    deepStrictEqual([asked, await proposal(), decider], [[], undefined, undefined]);
    await turn(false);
    await p.ask({ ...QUESTION, prompt: 'And now?' });
    await deciders.idle();
    deepStrictEqual(
      [asked.length, (await readContext(p.database, open, { id: p.phone.personId })).decider],
      [1, { id, name: 'Helper' }],
    );
  });

  test('[POL9] what a device handed over ends when that device is revoked during the hold', async (t) => {
    const p = await place(t);
    const { deciders, turn, resolution, proposal, id } = await withDecider(p);
    const inquiryId = await p.ask(QUESTION);
    await handToDecider(p.inquiries, p.phone, inquiryId);
    await deciders.idle();
    const held = (await proposal())?.state;
    await p.database.transaction((trx) =>
      trx.updateTable('devices').set({ revoked_at: 1 }).where('id', '=', p.phone.deviceId).execute(),
    );
    p.pass(20_001);
    await turn();
    const { state, problem } = (await proposal())!;
    deepStrictEqual(
      [held, await resolution(inquiryId), state, problem],
      ['ready', undefined, 'failed', 'It may not decide this any more.'],
    );
    await handToDecider(p.inquiries, p.laptop, inquiryId);
    await deciders.idle();
    p.pass(20_001);
    await turn();
    deepStrictEqual((await resolution(inquiryId))?.by, { kind: 'decider', label: 'Helper', deciderId: id });
  });

  test('[POL8] about a call it says nothing before the deadline, and then what it says', async (t) => {
    const { p, say, script, asked } = await open(t, { actions: true });
    script.answers = () => ({ answer: { decisions: [{ type: 'approve' }] } });
    const call = await p.ask(CALL);
    await rejects(say(call), { code: 'inquiry.open' });
    strictEqual(asked.length, 0);
    p.pass(3_600_000);
    await sweep(p.inquiries);
    deepStrictEqual((await say(call))?.answer, { decisions: [{ type: 'approve' }] });
  });

  test('[POL8] what it said counts until it is changed, that it does not decide too, and it is asked three times at most', async (t) => {
    const { p, say, script, asked } = await open(t);
    const id = await p.ask(QUESTION);
    const change = () => {
      p.pass(1_000);
      return p.database.transaction((trx) =>
        trx
          .updateTable('deciders')
          .set({ changed_at: Math.round(p.database.clock.now()) })
          .execute(),
      );
    };
    const said = async () => {
      p.pass(1_000);
      return (await say(id))?.text;
    };
    const found = [await said(), await said()];
    await change();
    script.answers = () => ({ problem: 'Helper leaves it to people: Not mine.' });
    found.push(await said(), await said());
    await change();
    script.answers = () => ({ problem: 'It is down.' });
    found.push(await said());
    const left = 'Helper leaves it to people: Not mine.';
    deepStrictEqual([found, asked.length], [['Blue', 'Blue', left, left, 'It is down.'], 3]);
    await rejects(say(id), { code: 'inquiry.asked_often' });
    strictEqual(asked.length, 3);
  });

  test('[POL8] it is told what led to the question and what is to be reached, and where the owner allows it speaks after a decline: of questions, never of calls, secrets or what was taken back', async (t) => {
    const { p, say, script, asked, choose } = await open(t, { actions: true });
    script.answers = () => ({ answer: { text: 'Blue' } });
    const decline = (id: string) => answerInquiry(p.inquiries, p.phone, id, { outcome: 'declined' });
    const question = await p.ask(QUESTION);
    await decline(question);
    const before = await say(question);
    await choose({ actions: true, agentMayAsk: true, afterDecline: true });
    const aside = { background: 'Two are sold out.', goal: 'Order paint.' };
    deepStrictEqual([before, (await say(question, aside))?.answer], [undefined, { text: 'Blue' }]);
    deepStrictEqual([asked.at(-1)?.background, asked.at(-1)?.goal], [aside.background, aside.goal]);
    const call = await p.ask(CALL);
    await decline(call);
    const taken = await p.ask({ ...QUESTION, prompt: 'And this?' });
    await withdrawIfOpen(p.inquiries, p.sourceId, taken);
    const secret = await p.ask({ questions: [{ id: 'k', type: 'text', prompt: 'Key?', secret: true }] } as Ask);
    await decline(secret);
    deepStrictEqual([await say(call), await say(taken)], [undefined, undefined]);
    await rejects(say(secret), { code: 'inquiry.undecidable' });
    await choose({ actions: true, agentMayAsk: false, afterDecline: true });
    await rejects(say(question), { code: 'source.may_not_decide' });
    deepStrictEqual(asked.length, 1);
    deepStrictEqual((await readAsSource(p.database, question, p.sourceId)).outcome, 'declined');
  });
}
