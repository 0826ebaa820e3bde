import { deepStrictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Resolution } from '#shared/answer.ts';
import type { AppError } from '#shared/problem.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { createWork, inTurn } from '../../platform/turns.ts';
import { answerInquiry } from '../answer.ts';
import { ask } from '../ask.ts';
import { challengeAnswer } from '../assured.ts';
import { saveDraft } from '../draft.ts';
import { extendInquiry } from '../extend.ts';
import { takeBack } from '../hands.ts';
import { setApart } from '../later.ts';
import { withdrawInquiry } from '../withdraw.ts';
import type { Place } from './place.ts';

const MEMBERS = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`member ${at}`, at]));
const LARGE = { actions: [{ name: 'drop', args: MEMBERS, allowed: ['approve' as const, 'reject' as const] }] };

/** What works on a large inquiry takes the turn of its caller, however small its body is; the same on every engine. */
export function turnsContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(open);

  /** Whether a call took a turn, and how it ended. */
  async function taken(call: () => Promise<unknown>): Promise<[turns: number, ended: string]> {
    let turns = 0;
    const work = createWork({ take: async () => (turns++, () => {}) }, 'caller');
    const ended = await inTurn(work, call).then(
      () => 'done',
      (error: unknown) => (error as { code?: string }).code ?? String(error),
    );
    return [turns, ended];
  }

  test('[LIV3] a small call about a large inquiry works in one turn, and about a small one in none', async (p) => {
    const ways = async (wanted: object): Promise<Record<string, [number, string]>> => {
      const id = await p.ask({ ...wanted, deadline: 3600, latest: 7200 });
      const { digest } = await p.read(id);
      const decisions = [{ type: 'approve' as const }];
      const { personId } = p.phone;
      return {
        extend: await taken(() => extendInquiry(p.inquiries, p.phone, id, 60)),
        draft: await taken(() => saveDraft(p.inquiries, p.phone, id, { text: 'Ma' })),
        snooze: await taken(() => setApart(p.inquiries, { personId }, id, p.database.clock.now() + 60_000)),
        'take back': await taken(() => takeBack(p.inquiries, { personId }, id)),
        challenge: await taken(() => challengeAnswer(p.inquiries, p.phone, id, { decisions })),
        'wrong digest': await taken(() => answerInquiry(p.inquiries, p.phone, id, { digest: 'x', decisions })),
        'no digest': await taken(() => answerInquiry(p.inquiries, p.phone, id, { decisions })),
        answer: await taken(() => answerInquiry(p.inquiries, p.phone, id, { digest, decisions })),
        lose: await taken(() => answerInquiry(p.inquiries, p.laptop, id, { digest, decisions })),
      };
    };
    const ended = { extend: 'done', draft: 'done', snooze: 'done', 'take back': 'approval.none' };
    const refused = { challenge: 'answer.does_not_fit', 'wrong digest': 'answer.does_not_fit' };
    const expected = { ...ended, ...refused, 'no digest': 'answer.does_not_fit', answer: 'done', lose: 'done' };
    const inTurns = (turns: number) =>
      Object.fromEntries(Object.entries(expected).map(([name, end]) => [name, [turns, end]]));
    deepStrictEqual(await ways(LARGE), inTurns(1));
    deepStrictEqual(await ways({ actions: [{ ...LARGE.actions[0], args: {} }] }), inTurns(0));
  });

  test('[LIV3] a resolved inquiry is not read to say so: what comes after its end takes no turn', async (p) => {
    const id = await p.ask(LARGE);
    const { digest } = await p.read(id);
    await p.answer(id, { digest, decisions: [{ type: 'reject' }] });
    const { personId } = p.phone;
    const over = [0, 'inquiry.already_resolved'];
    deepStrictEqual(
      [
        await taken(() => withdrawInquiry(p.inquiries, p.sourceId, id)),
        await taken(() => extendInquiry(p.inquiries, p.phone, id, 60)),
        await taken(() => setApart(p.inquiries, { personId }, id, undefined)),
        await taken(() => takeBack(p.inquiries, { personId }, id)),
        await taken(() => saveDraft(p.inquiries, p.phone, id, { text: 'Ma' })),
      ],
      [over, over, over, over, [0, 'done']],
    );
    const edited = await p.ask({ actions: [{ ...LARGE.actions[0]!, allowed: ['edit'], args: { token: 'abc' } }] });
    const decisions = [{ type: 'edit' as const, args: { token: 'xyz' } }];
    await p.answer(edited, { digest: (await p.read(edited)).digest, decisions });
    // The words of an edit leave secret arguments out.
    const text = 'Approved with these arguments instead: {"token":••••}\nAsked: drop {"token":••••}';
    const refusal = await withdrawInquiry(p.inquiries, p.sourceId, edited).catch((error: AppError) => error.extra);
    deepStrictEqual((refusal as { resolution?: Resolution }).resolution?.text, text);
  });

  test('[LIV3] a large inquiry is withdrawn, read again and superseded in a turn', async (p) => {
    const { inquiries, sourceId } = p;
    const [one, two] = [await p.ask(LARGE), await p.ask({ ...LARGE, prompt: 'Again' })];
    const anew = { prompt: 'Something else?', supersedes: two };
    deepStrictEqual(
      [
        await taken(() => withdrawInquiry(inquiries, sourceId, one)),
        await taken(() => withdrawInquiry(inquiries, sourceId, one)),
        await taken(() => ask(inquiries, { sourceId, ask: anew, waitMs: 0 })),
      ],
      [
        [1, 'done'],
        [1, 'done'],
        [1, 'done'],
      ],
    );
  });
}
