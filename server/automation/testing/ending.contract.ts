import { deepStrictEqual, rejects } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Ask } from '#shared/inquiry.ts';
import { handToDecider, overrule } from '../deciders/act.ts';
import { newProposal } from '../deciders/proposals.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { forgetResolved, sweep } from '../../inquiries/expire.ts';
import { withdrawInquiry } from '../../inquiries/withdraw.ts';
import { DAY_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { withDecider } from './deciding.contract.ts';
import type { Place } from '../../inquiries/testing/place.ts';

const QUESTION: Ask = { prompt: 'Which?', deadline: 3600 };

/** What is left of what deciders were asked; the same on every engine. */
export function endingContract(place: (t: TestContext) => Promise<Place>): void {
  async function open(t: TestContext, chosen: object = {}) {
    const p = await place(t);
    const rows = async (table: 'proposals' | 'decider_runs') =>
      (await p.database.read.selectFrom(table).select('inquiry_id').execute()).map((row) => row.inquiry_id);
    const left = async () => [(await rows('proposals')).length, (await rows('decider_runs')).length];
    return { p, ...(await withDecider(p, chosen)), rows, left };
  }

  test('[POL9] what was proposed is gone with its resolution, every run and what somebody left behind with its inquiry', async (t) => {
    const { p, id, deciders, script, asked, turn, left, rows } = await open(t, { suggests: true });
    const ids: string[] = [];
    for (let each = 0; each < 6; each++) ids.push(await p.ask(each < 5 ? QUESTION : { ...QUESTION, deadline: 60 }));
    const [answered, handed, dismissed, stopped, withdrawn] = ids as [string, string, string, string, string];
    await deciders.idle();
    const seen = [await left()];
    await answerInquiry(p.inquiries, p.phone, answered, { text: 'Red' });
    await handToDecider(p.inquiries, p.phone, handed);
    const proposalOf = async (inquiryId: string) => (await rowsOf(p)).find((row) => row.inquiry_id === inquiryId)!.id;
    await overrule(p.inquiries, p.phone, await proposalOf(dismissed), 'dismiss');
    await overrule(p.inquiries, p.phone, await proposalOf(stopped), 'stop');
    await withdrawInquiry(p.inquiries, p.sourceId, withdrawn);
    p.pass(60_000);
    await turn();
    await sweep(p.inquiries);
    seen.push(await left());
    let end = (): void => undefined;
    script.answers = () => new Promise((done) => (end = () => done({ answer: { text: 'Blue' } })));
    ids.push(await p.ask(QUESTION));
    while (asked.length < 7) await new Promise((done) => setImmediate(done));
    for (const open of [dismissed, stopped, ids[6]!])
      await answerInquiry(p.inquiries, p.phone, open, { outcome: 'declined' });
    await p.database.transaction((trx) =>
      trx
        .insertInto('proposals')
        .values({ ...newProposal(answered, { decider: { id, name: 'Helper' }, why: 'asked', now: 0 }), due_at: null })
        .execute(),
    );
    seen.push(await left());
    p.pass(DAY_MS - 1);
    await forgetResolved(p.database, 1);
    seen.push([(await rows('proposals')).length, (await rows('decider_runs')).includes(ids[6]!) ? 1 : 0]);
    p.pass(1_000);
    await forgetResolved(p.database, 1);
    seen.push(await left());
    end();
    await deciders.idle();
    seen.push(await left());
    deepStrictEqual(seen, [
      [6, 6],
      [2, 6],
      [1, 6],
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  test('[POL8] a process that ends while a person hands over, or a refusal, leaves nothing half done', async (t) => {
    const { p, rows } = await open(t);
    const id = await p.ask(QUESTION);
    const killedAfter = async (most: number) => {
      let made = 0;
      const transaction: Database['transaction'] = async (work) => {
        if (made++ === most) throw new Error('killed');
        return p.database.transaction(work);
      };
      const database = { ...p.database, transaction };
      await handToDecider({ ...p.inquiries, database }, p.phone, id).catch(() => undefined);
      return (await rowsOf(p)).map(({ state }) => state);
    };
    const seen = [await killedAfter(0), await killedAfter(1)];
    const late = await p.ask({ ...QUESTION, deadline: 5 });
    p.pass(4_000);
    await rejects(handToDecider(p.inquiries, p.phone, late), { status: 409 });
    deepStrictEqual([seen, (await rows('proposals')).includes(late)], [[[], ['waiting']], false]);
  });
}

function rowsOf({ database }: Place) {
  return database.read.selectFrom('proposals').select(['id', 'inquiry_id', 'state']).execute();
}
