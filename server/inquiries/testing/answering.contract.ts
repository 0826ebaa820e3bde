import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { AnswerBody } from '#shared/answer.ts';
import type { Ask } from '#shared/inquiry.ts';
import { parseExact } from '#shared/json.ts';
import type { AppError } from '#shared/problem.ts';
import { saveDraft } from '../draft.ts';
import { sweep } from '../expire.ts';
import { extendInquiry } from '../extend.ts';
import { readHistory } from '../../reports/history/read.ts';
import { withdrawInquiry } from '../withdraw.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import type { Place } from './place.ts';

/** What people may rely on when they answer; the same on every engine. */
export function answeringContract(place: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(place);

  test('[RES1] the first valid answer wins and stands as the one resolution', async (p) => {
    const id = await p.ask({ prompt: 'Ship?' });
    const reply = await p.answer(id, { text: 'Yes' });
    deepStrictEqual(reply, {
      won: true,
      resolution: {
        outcome: 'answered',
        at: reply.resolution.at,
        answer: { text: 'Yes' },
        text: 'Yes',
        by: { kind: 'person', handle: 'owner', device: { id: p.phone.deviceId, name: 'Phone' }, via: 'live' },
      },
    });
    deepStrictEqual(await p.resolution(id), reply.resolution);
  });

  test('[RES1] twenty answers at the same moment have one winner, and each loser is told who', async (p) => {
    const id = await p.ask({ prompt: 'Ship?' });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => p.answer(id, { text: `answer ${at}` }, at % 2 ? p.phone : p.laptop)),
    );
    const winners = replies.filter(({ won }) => won);
    strictEqual(winners.length, 1);
    for (const reply of replies) deepStrictEqual(reply.resolution, winners[0]?.resolution);
    deepStrictEqual(p.news.filter(({ event }) => event === 'withdraw').length, 1);
  });

  test('[RES1] an answer, a withdrawal and the deadline at once leave exactly one resolution', async (p) => {
    const id = await p.ask({ prompt: 'Ship?', deadline: 10 });
    p.pass(10_000);
    await Promise.allSettled([
      p.answer(id, { text: 'Yes' }),
      withdrawInquiry(p.inquiries, p.sourceId, id),
      sweep(p.inquiries),
    ]);
    deepStrictEqual(
      [(await p.resolution(id))?.outcome, p.news.filter(({ event }) => event === 'withdraw').length],
      ['expired', 1],
    );
  });

  test('[RES2] the same answerId gets its first reply again, won or lost', async (p) => {
    const id = await p.ask({ prompt: 'Ship?' });
    const won = await p.answer(id, { text: 'Yes', answerId: 'a' });
    const lost = await p.answer(id, { text: 'No', answerId: 'b' }, p.laptop);
    deepStrictEqual(
      [await p.answer(id, { text: 'Yes', answerId: 'a' }), await p.answer(id, { text: 'No', answerId: 'b' }, p.laptop)],
      [won, lost],
    );
    deepStrictEqual([won.won, lost.won, lost.resolution], [true, false, won.resolution]);
  });

  test('[RES2] the same answerId gets its first reply again, whatever else it says then', async (p) => {
    const id = await p.ask({ prompt: 'Ship?' });
    const won = await p.answer(id, { text: 'Yes', answerId: 'a' });
    deepStrictEqual(await p.answer(id, { markdown: 'Yes', answerId: 'a' }), won);
  });

  test('[RES3] an answer that takes for ever to check is refused, and another is counted meanwhile', async (p) => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const form = await p.ask({ questions: [{ id: 'q', type: 'form', prompt: 'Which?', schema }] });
    const plain = await p.ask({ prompt: 'Ship?' });
    const order: string[] = [];
    const refused = p.answer(form, { values: { q: { a: `${'a'.repeat(60)}!` } } }).catch((error: AppError) => {
      order.push('refused');
      return error.faults?.map(({ path, code }) => [path, code]);
    });
    await p.answer(plain, { text: 'Yes' }, p.laptop).then(() => order.push('won'));
    deepStrictEqual(
      [await refused, order, await p.resolution(form)],
      [[['/values/q', 'schema.too_slow']], ['won', 'refused'], undefined],
    );
  });

  test('[RES2] one answerId twice at the same moment is one answer', async (p) => {
    const id = await p.ask({ prompt: 'Ship?' });
    const [one, two] = await Promise.all([
      p.answer(id, { text: 'Yes', answerId: 'a' }),
      p.answer(id, { text: 'Yes', answerId: 'a' }),
    ]);
    deepStrictEqual([one?.won, two], [true, one]);
  });

  test('[RES3] an answer that does not fit is refused with the reason and the inquiry stays open', async (p) => {
    const asked: Ask = {
      questions: [
        { id: 'when', type: 'choice', prompt: 'When?', options: [{ value: 'now', label: 'Now' }] },
        {
          id: 'who',
          type: 'form',
          prompt: 'Who?',
          schema: { type: 'object', properties: { age: { type: 'integer', minimum: 18 } }, required: ['age'] },
        },
      ],
    };
    const id = await p.ask(asked);
    const faults = async (body: AnswerBody) => {
      const error = (await p.answer(id, body).catch((refused: unknown) => refused)) as AppError;
      return [error.status, ...(error.faults ?? []).map(({ path, code }) => `${path} ${code}`)];
    };
    deepStrictEqual(await faults({ values: { when: 'later', who: { age: 3 } } }), [
      422,
      '/values/when answer.not_an_option',
      '/values/who/age schema.minimum',
    ]);
    deepStrictEqual(await faults({ values: { when: 'now' }, text: 'x' }), [
      422,
      '/text answer.unexpected',
      '/values/who answer.missing',
    ]);
    deepStrictEqual(await faults({ values: { when: 'now', who: { age: 20 } }, digest: 'stale' }), [
      422,
      '/digest answer.digest',
    ]);
    strictEqual(await p.resolution(id), undefined);
    strictEqual((await p.answer(id, { values: { when: 'now', who: { age: 20 } } })).won, true);
  });

  test('[RES3] decisions must say which digest was shown, in number and order of the actions', async (p) => {
    const id = await p.ask({ actions: [{ name: 'rm', args: ['-rf'], allowed: ['approve', 'edit', 'reject'] }] });
    const { digest } = await p.read(id);
    const codes = async (body: AnswerBody) =>
      ((await p.answer(id, body).catch((refused: unknown) => refused)) as AppError).faults?.map(({ code }) => code);
    deepStrictEqual(await codes({ decisions: [{ type: 'approve' }] }), ['answer.digest_missing']);
    deepStrictEqual(await codes({ digest, decisions: [] }), ['answer.count']);
    deepStrictEqual(await codes({ digest, decisions: [{ type: 'respond', message: 'no' }] }), ['answer.not_allowed']);
    const { resolution } = await p.answer(id, {
      digest,
      decisions: [{ type: 'edit', argsText: '[12345678901234567890]' }],
    });
    strictEqual(resolution.text, 'Approved with these arguments instead: [12345678901234567890]\nAsked: rm ["-rf"]');
    strictEqual(
      JSON.stringify((await p.read(id)).resolution?.answer),
      '{"decisions":[{"type":"edit","args":[12345678901234567890]}]}',
    );
  });

  test('[RES3] the sender’s own choices take the place of the plain one of their type alone', async (p) => {
    const options = [{ id: 'always', label: 'Always', type: 'approve' as const }];
    const id = await p.ask({ actions: [{ name: 'rm', args: {}, allowed: ['approve', 'reject'], options }] });
    const { digest } = await p.read(id);
    await rejects(
      p.answer(id, { digest, decisions: [{ type: 'approve' }] }),
      (refused: AppError) => refused.faults?.[0]?.code === 'answer.not_an_option',
    );
    const { resolution } = await p.answer(id, { digest, decisions: [{ type: 'reject', message: 'not there' }] });
    deepStrictEqual(resolution.answer, { decisions: [{ type: 'reject', message: 'not there' }] });
  });

  test('a shorthand response answers one text, one choice by value or label, or a document', async (p) => {
    const choice: Ask = {
      questions: [
        { id: 'q', type: 'choice', prompt: 'When?', options: [{ value: 'n', label: 'Now' }], allowOther: true },
      ],
    };
    const content = async (asked: Ask, response: string) =>
      (await p.answer(await p.ask(asked), { response })).resolution.answer;
    deepStrictEqual(
      [
        await content({ prompt: 'Name?' }, 'Anna'),
        await content(choice, 'Now'),
        await content(choice, 'Later'),
        await content({ document: { markdown: 'a' } }, 'b'),
      ],
      [{ text: 'Anna' }, { values: { q: 'n' } }, { other: { q: 'Later' } }, { markdown: 'b' }],
    );
  });

  test('a decline is an answer, with words or without', async (p) => {
    const { resolution } = await p.answer(await p.ask({ prompt: 'Ship?' }), {
      outcome: 'declined',
      message: 'Not mine',
    });
    deepStrictEqual([resolution.outcome, resolution.message, resolution.answer], ['declined', 'Not mine', undefined]);
    ok(resolution.text.includes('Not mine'));
  });

  test('[RES4] expiry is an outcome of its own and never looks like a choice', async (p) => {
    const plainly = await p.ask({ prompt: 'Ship?', deadline: 5 });
    const suggested = await p.ask({
      prompt: 'Which day?',
      deadline: 5,
      suggested: { text: 'Monday' },
      onExpire: 'suggested',
    });
    p.pass(5_001);
    await sweep(p.inquiries);
    const [one, two] = [await p.resolution(plainly), await p.resolution(suggested)];
    deepStrictEqual(
      [one?.outcome, one?.by, one?.answer],
      ['expired', { kind: 'deadline', label: 'deadline' }, undefined],
    );
    deepStrictEqual(
      [two?.outcome, two?.by, two?.answer],
      ['expired', { kind: 'deadline', label: 'deadline' }, { text: 'Monday' }],
    );
    ok(one?.text.startsWith('Nobody answered in time.') && two?.text.startsWith('Nobody answered in time.'));
  });

  test('[RES4] silence never approves: a suggestion on expiry is refused for actions', async (p) => {
    const asked: Ask = {
      actions: [{ name: 'rm', args: {}, allowed: ['approve'] }],
      onExpire: 'suggested',
      suggested: { decisions: [{ type: 'approve' }] },
    };
    await rejects(p.ask(asked), (error: AppError) => error.faults?.[0]?.code === 'ask.suggested_actions');
  });

  test('[RES6] an answer after the deadline is kept and offered as late, even before any sweep ran', async (p) => {
    const id = await p.ask({ prompt: 'Ship?', deadline: 5, callback: { url: 'https://example.com/hook' } });
    p.pass(5_001);
    const reply = await p.answer(id, { text: 'Yes' });
    const read = await p.read(id);
    deepStrictEqual(
      [reply.won, reply.resolution.outcome, read.late?.map(({ text }) => text)],
      [false, 'expired', ['Yes']],
    );
    const owed = await p.database.read.selectFrom('deliveries').select('type').orderBy('id').execute();
    deepStrictEqual(owed.map(({ type }) => type).toSorted(), ['inquiry.late_answer', 'inquiry.resolved']);
  });

  test('[RES6] what a webhook says of a late answer is what its source reads, with every number as it was written', async (p) => {
    const callback = { url: 'https://example.com/hook' };
    const args = '{"rows":9007199254740993}';
    const action: Ask = { actions: [{ name: 'drop', args: {}, allowed: ['approve', 'edit'] }], callback };
    const edited = await p.ask(action);
    const { digest } = await p.read(edited);
    await p.answer(edited, { decisions: [{ type: 'edit', argsText: args }], digest });
    await p.answer(edited, { decisions: [{ type: 'approve' }], digest, late: true }, p.laptop);
    const expired = await p.ask({
      questions: [{ id: 'q', type: 'form', prompt: 'Rows?', schema: { type: 'object' } }],
      suggested: parseExact(`{"values":{"q":${args}}}`) as AnswerBody,
      onExpire: 'suggested',
      deadline: 5,
      callback,
    });
    p.pass(5_001);
    await p.answer(expired, { values: { q: {} } });
    for (const id of [edited, expired]) {
      const [body] = await p.database.read
        .selectFrom('deliveries')
        .select('body')
        .where('inquiry_id', '=', id)
        .where('type', '=', 'inquiry.late_answer')
        .execute();
      const read = await p.read(id);
      const told = JSON.stringify((parseExact(body?.body ?? '') as { data: unknown }).data);
      deepStrictEqual([told, JSON.stringify(read.resolution).includes(args)], [JSON.stringify(read), true]);
    }
  });

  test('[RES6] a loser of a race stands in the history; only one sent on purpose is offered as late', async (p) => {
    const id = await p.ask({ prompt: 'Ship?' });
    await p.answer(id, { text: 'Yes' });
    await p.answer(id, { text: 'No' }, p.laptop);
    await p.answer(id, { text: 'But mind the migration', late: true }, p.laptop);
    const [entry] = (
      await readHistory(p.database.read, { personId: p.phone.personId, deviceId: p.phone.deviceId }, { limit: 10 })
    ).items;
    deepStrictEqual(
      [entry?.lost?.map(({ text }) => text), entry?.late?.map(({ text }) => text)],
      [['No'], ['But mind the migration']],
    );
    deepStrictEqual(
      (await p.read(id)).late?.map(({ text }) => text),
      ['But mind the migration'],
    );
  });

  test('[RES1] answers of one millisecond are read in the same order, whichever was stored first', async (p) => {
    const id = await p.ask({ prompt: 'Ship?' });
    await p.answer(id, { text: 'Yes' });
    const now = p.database.clock.now();
    // So many of three instants that a database sorts them by a way that mixes those which are alike.
    const rows = Array.from({ length: 40 }, (_, nth) => ({
      inquiry_id: id,
      id: `answer ${nth + 10}`,
      device_id: p.laptop.deviceId,
      at: now + (nth % 3),
      standing: 'lost',
      answered_by: '{}',
      answer: '{}',
      words: `answer ${nth + 10}`,
      reply: '{}',
    }));
    await p.database.transaction((trx) => trx.insertInto('answers').values(rows).execute());
    const reader = { personId: p.phone.personId, deviceId: p.phone.deviceId };
    const [entry] = (await readHistory(p.database.read, reader, { limit: 10 })).items;
    deepStrictEqual(
      entry?.lost?.map(({ text }) => text),
      [0, 1, 2].flatMap((ms) => rows.filter(({ at }) => at === now + ms).map(({ words }) => words)),
    );
  });

  test('whoever was not asked is told that there is no such inquiry', async (p) => {
    const id = await p.ask({ prompt: 'Ship?' });
    const stranger = { ...p.phone, personId: 'per_00000000000000000000000000' };
    const calls = [
      () => p.answer(id, { text: 'Yes' }, stranger),
      () => extendInquiry(p.inquiries, stranger, id, 60),
      () => saveDraft(p.inquiries, stranger, id, { text: 'Y' }),
    ];
    for (const call of calls) {
      await rejects(call, (error: AppError) => error.status === 404 && error.code === 'inquiry.unknown');
    }
  });

  test('[WDR1] a resolution is announced with every recipient counted and the answering screen spared', async (p) => {
    const id = await p.ask({ prompt: 'Ship?' });
    await p.answer(id, { text: 'Yes' });
    deepStrictEqual(p.news.at(-1), {
      event: 'withdraw',
      inquiryId: id,
      versions: [{ personId: p.phone.personId, version: 2 }],
      spare: 'screen of Phone',
    });
  });
}
