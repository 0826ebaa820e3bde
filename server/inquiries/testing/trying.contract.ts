import { deepStrictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { AnswerBody, AnswerReply } from '#shared/answer.ts';
import type { AppError } from '#shared/problem.ts';
import { renewCodes } from '../../people/passkeys/store.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { ask } from '../ask.ts';
import { challengeAnswer } from '../assured.ts';
import type { Inquiries } from '../inquiries.ts';
import { withdrawInquiry } from '../withdraw.ts';
import { listForSource } from '../read.ts';
import { addPasskeyTo, proofOf } from './assured.contract.ts';
import { answerAlone, type Place } from './place.ts';

const WRONG = 'AAAA-AAAA-AAAA-AAAA';
type Between = () => Promise<unknown>;

/** What is tried again has an end, and a refusal is not taken for a race; the same on every engine. */
export function tryingContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(async (t) => {
    const p = await open(t);
    const own = await addPasskeyTo(p, p.phone);
    const codes = await renewCodes(p.database, p.phone, await proofOf({ ...p, own }));
    const callToApprove = async () => {
      const id = await p.ask({
        assurance: 'passkey',
        actions: [{ name: 'drop', args: {}, allowed: ['approve', 'reject'] }],
      });
      const body: AnswerBody = { digest: (await p.read(id)).digest, decisions: [{ type: 'approve' }] };
      return { id, body };
    };
    return { p, own, codes, ask: callToApprove };
  });
  const told = (reply: Promise<AnswerReply>) =>
    reply.then(
      ({ won, resolution }) => ({ won, outcome: resolution.outcome }),
      ({ code }: AppError) => code,
    );

  test('[APR3] a code that is wrong or used is refused once, with an answerId too, and tried no more', async ({
    p,
    ...scene
  }) => {
    const [code = ''] = scene.codes;
    const [one, two] = [await scene.ask(), await scene.ask()];
    await p.answer(one.id, { ...one.body, code });
    for (const refused of [WRONG, code]) {
      const { node, tried } = counting(p);
      const reply = answerAlone(node, p.phone, two.id, { ...two.body, code: refused, answerId: 'a' });
      deepStrictEqual([await told(reply), tried], ['passkey.refused', { reads: 2, changes: 1 }]);
    }
    deepStrictEqual((await p.read(two.id)).state, 'open');
  });

  test('[APR3] one code for two inquiries at once approves one of them, and the other is refused', async ({
    p,
    ...scene
  }) => {
    const [code = ''] = scene.codes;
    const { node, tried } = counting(p);
    const both = await Promise.all([scene.ask(), scene.ask()]);
    const replies = both.map(({ id, body }, at) =>
      told(answerAlone(node, p.phone, id, { ...body, code, answerId: `a${at}` })),
    );
    const [won, refused] = (await Promise.all(replies)).toSorted((a) => (typeof a === 'string' ? 1 : -1));
    deepStrictEqual([won, refused], [{ won: true, outcome: 'answered' }, 'passkey.refused']);
    deepStrictEqual(tried, { reads: 3, changes: 2 });
  });

  test('[RES2] an answer that was sent twice at once has its first reply twice, whatever its proof and whenever it was used up', async ({
    p,
    ...scene
  }) => {
    const signed = async ({ id, body }: { id: string; body: AnswerBody }): Promise<AnswerBody> => ({
      assertion: scene.own.sign(await challengeAnswer(p.inquiries, p.phone, id, body)),
    });
    for (const proofOfIt of [async () => ({ code: scene.codes.pop() ?? '' }), signed])
      // Behind the first or the second reading; the second one of a signature is that of its challenge.
      for (const after of [1, 2]) {
        const asked = await scene.ask();
        const body = { ...asked.body, ...(await proofOfIt(asked)), answerId: 'a' };
        let first: AnswerReply | undefined;
        const twin = await answerAlone(
          meanwhile(p, after, async () => (first = await p.answer(asked.id, body))),
          p.phone,
          asked.id,
          body,
        );
        // A code is not looked up before it is used: then the twin itself is first.
        if (first === undefined) first = await p.answer(asked.id, body);
        deepStrictEqual([twin.won, twin], [true, first]);
        const both = await scene.ask();
        const sent = { ...both.body, ...(await proofOfIt(both)), answerId: 'b' };
        const [one, other] = await Promise.all([1, 2].map(() => p.answer(both.id, sent)));
        deepStrictEqual([one?.won, other], [true, one]);
      }
  });

  test('[RES2] whose code is wrong is told how it ended where it ended meanwhile, and refused where that wants the code too', async ({
    p,
    ...scene
  }) => {
    const ended = async (end: (id: string, body: AnswerBody) => Promise<unknown>) => {
      const { id, body } = await scene.ask();
      const node = meanwhile(p, 1, () => end(id, body));
      return told(answerAlone(node, p.phone, id, { ...body, code: WRONG, answerId: 'a' }));
    };
    const approve = (id: string, body: AnswerBody) => p.answer(id, { ...body, code: scene.codes.pop() ?? '' }, p.phone);
    deepStrictEqual(
      [await ended(approve), await ended((id) => withdrawInquiry(p.inquiries, p.sourceId, id))],
      [{ won: false, outcome: 'answered' }, 'passkey.refused'],
    );
  });

  test('[RES1] an answer that neither wins nor loses is given up after a few tries, and may be sent again', async ({
    p,
  }) => {
    const id = await p.ask({ prompt: 'Go?' });
    let tries = 0;
    const steps = async () => {
      if (++tries > 50) throw new Error('It is tried for ever.');
    };
    const node = { ...p.inquiries, database: { ...p.database, steps: steps as never } };
    const sent = { text: 'Yes', answerId: 'a' };
    deepStrictEqual([await told(answerAlone(node, p.phone, id, sent)), tries], ['database.busy', 20]);
    deepStrictEqual(await told(p.answer(id, sent)), { won: true, outcome: 'answered' });
  });

  test('[POL4] an ask whose rules change whenever they are read is given up after a few tries, and stores nothing', async ({
    p,
  }) => {
    let lookedUp = 0;
    const settling = {
      ...p.inquiries.settling,
      lookUp: async (...given: Parameters<typeof p.inquiries.settling.lookUp>) => {
        if (++lookedUp > 50) throw new Error('It is tried for ever.');
        return {
          ...(await p.inquiries.settling.lookUp(...given)),
          *stillTrue() {
            yield* [];
            return false;
          },
        };
      },
    };
    const asked = ask({ ...p.inquiries, settling }, { sourceId: p.sourceId, ask: { prompt: 'Go?' }, waitMs: 0 });
    const { code } = await asked.then(
      () => ({ code: 'asked' }),
      (error: AppError) => error,
    );
    const { items } = await listForSource(p.database.read, p.sourceId, { limit: 10 });
    deepStrictEqual([code, lookedUp, items], ['database.busy', 10, []]);
  });
}

/** The same node, which counts what it reads and changes, and gives up where that does not end. */
function counting({ inquiries, database }: Place): { node: Inquiries; tried: { reads: number; changes: number } } {
  const tried = { reads: 0, changes: 0 };
  const noted = <Call extends (...given: never[]) => Promise<unknown>>(kind: keyof typeof tried, call: Call): Call =>
    ((...given) => {
      if (++tried[kind] > 50) throw new Error('It is tried for ever.');
      return call(...given);
    }) as Call;
  const counted = { ...database, rows: noted('reads', database.rows), steps: noted('changes', database.steps) };
  return { node: { ...inquiries, database: counted }, tried };
}

/** The same node, on which something happens once behind its reading with this number. */
function meanwhile({ inquiries, database }: Place, after: number, happens: Between): Inquiries {
  let read = 0;
  const rows = async (...statements: Parameters<typeof database.rows>) => {
    const found = await database.rows(...statements);
    if (++read === after) await happens();
    return found;
  };
  return { ...inquiries, database: { ...database, rows: rows as typeof database.rows } };
}
