import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { parseOrRefuse } from '#shared/faults.ts';
import { newId } from '#shared/ids.ts';
import { Ask } from '#shared/inquiry.ts';
import type { AppError } from '#shared/problem.ts';
import { addDevice } from '../../devices/admit.ts';
import { writeLive } from '../../devices/presence.ts';
import { removePerson } from '../../people/remove.ts';
import { answerInquiry } from '../answer.ts';
import { ask } from '../ask.ts';
import { withdrawAskedOf, withdrawInquiry } from '../withdraw.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import type { Place } from './place.ts';

const APPROVAL: Ask = { actions: [{ name: 'refund', args: { euros: 340 }, allowed: ['approve', 'reject'] }] };

/** What sources may rely on when they ask; the same on every engine. */
export function askingContract(place: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(place);
  const blocking = (p: Place, asked: Ask, matchedBy: string | undefined = 'this very call') =>
    ask(p.inquiries, { sourceId: p.sourceId, ask: asked, waitMs: 1000, ...(matchedBy ? { matchedBy } : {}) });

  test('an ask opens an inquiry for the owner with its title, digest and times', async (p) => {
    const now = p.database.clock.now();
    const { digest, openedAt, ...inquiry } = await p.read(
      await p.ask({ prompt: '# Ship it?\nAll tests pass.', deadline: 60 }),
    );
    ok(/^[0-9a-f]{64}$/.test(digest));
    ok(Date.parse(openedAt) >= now);
    deepStrictEqual(inquiry, {
      title: 'Ship it?',
      prompt: '# Ship it?\nAll tests pass.',
      id: inquiry.id,
      state: 'open',
      to: ['owner'],
      source: { id: p.sourceId, name: 'Release train' },
      revision: 1,
      deadlineAt: new Date(Date.parse(openedAt) + 60_000).toISOString(),
      latestAt: new Date(Date.parse(openedAt) + 960_000).toISOString(),
      reach: { told: 1, accepted: 0, shown: 0, opened: 0 },
    });
  });

  test('a title that is taken from a long first line ends between two words where it has any', async (p) => {
    const titleFor = async (prompt: string) => (await p.read(await p.ask({ prompt }))).title;
    const words = 'abcde '.repeat(40).trim();
    deepStrictEqual(
      [await titleFor(words), await titleFor(`x${words}`), await titleFor('长'.repeat(200))],
      [`${'abcde '.repeat(23).trim()}…`, `xabcde ${'abcde '.repeat(22).trim()}…`, `${'长'.repeat(139)}…`],
    );
  });

  test('[DLV2] the devices of a removed person no longer count as reached, and those of others do', async (p) => {
    const made = { handle: 'jonas', name: 'Jonas', created_at: 0, locale: null, preferences: null, made_by: null };
    await p.database.transaction((trx) =>
      trx
        .insertInto('people')
        .values({ id: 'prs_jonas', ...made })
        .execute(),
    );
    const { deviceId } = await addDevice(p.database, 'prs_jonas', 'Tablet');
    await writeLive(p.database, new Map([[deviceId, p.database.clock.now() + 60_000]]));
    const asked = await p.ask({ prompt: 'Ship it?', to: ['owner', 'jonas'] });
    const before = (await p.read(asked)).reach.told;
    await removePerson(p.database, 'prs_jonas', withdrawAskedOf(p.inquiries));
    deepStrictEqual([before, (await p.read(asked)).reach.told], [2, 1]);
  });

  test('numbers reach the source as it wrote them, whatever a double makes of them', async (p) => {
    const { parseExact } = await import('#shared/json.ts');
    const asked = parseExact(
      '{"actions":[{"name":"pay","args":{"id":12345678901234567890,"rate":1.0},"allowed":["approve"]}]}',
    ) as Ask;
    const inquiry = await p.read(await p.ask(asked));
    strictEqual(JSON.stringify(inquiry.actions?.[0]?.args), '{"id":12345678901234567890,"rate":1.0}');
  });

  test('the reply to an ask is what its source reads afterwards', async (p) => {
    const asked: Ask = { ...APPROVAL, to: ['owner'], deadline: 60.5, group: 'g', key: 'k', correlation: { n: 1 } };
    const { inquiryId, inquiry } = await ask(p.inquiries, { sourceId: p.sourceId, ask: asked, waitMs: 0 });
    deepStrictEqual(inquiry, await p.read(inquiryId));
  });

  test('[ASK2] the same key returns the same inquiry, with another deadline and context too', async (p) => {
    const first = await ask(p.inquiries, { sourceId: p.sourceId, ask: { prompt: 'Ship?', key: 'k' }, waitMs: 0 });
    const again = await ask(p.inquiries, {
      sourceId: p.sourceId,
      ask: { prompt: 'Ship?', key: 'k', deadline: 99, context: { runId: '2' } },
      waitMs: 0,
    });
    deepStrictEqual([first.created, again], [true, { inquiryId: first.inquiryId, created: false }]);
  });

  test('[ASK2] the same key with another question is refused', async (p) => {
    await p.ask({ prompt: 'Ship?', key: 'k' });
    await rejects(
      p.ask({ prompt: 'Delete?', key: 'k' }),
      (error: AppError) => error.code === 'inquiry.key_reused' && error.status === 409,
    );
  });

  test('[ASK2] [race] ten calls with one key at the same moment open one inquiry', async (p) => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => p.ask({ prompt: 'Ship?', key: 'k' })));
    deepStrictEqual([new Set(ids).size, p.news.length], [1, 1]);
  });

  test('[ASK3] a callback that the hub would never call is refused', async (p) => {
    const refusals = {
      'http://user:pw@example.com/': 'field.custom',
      'https://token@example.com/': 'field.custom',
      'http://127.0.0.1/': 'ask.callback_private',
      'http://0x7f.1/': 'ask.callback_private',
      'http://[::ffff:10.0.0.1]:8080/': 'ask.callback_private',
      'http://localhost:3000/hook': 'ask.callback_private',
      'http://n8n:5678/webhook': 'ask.callback_private',
      'http://NAS.local./hook': 'ask.callback_private',
      'http://hooks.shop.internal/': 'ask.callback_private',
      'ftp://example.com/': 'field.invalid_format',
    };
    for (const [url, code] of Object.entries(refusals)) {
      await rejects(
        async () => p.ask(parseOrRefuse(Ask, { prompt: 'Ship?', callback: { url } })),
        (error: AppError) => {
          deepStrictEqual(
            [error.status, error.faults?.map(({ path, code: is }) => [path, is])],
            [422, [['/callback/url', code]]],
          );
          return true;
        },
      );
    }
  });

  test('[ASK3] an invalid ask is refused with every fault located, stores nothing and wakes nobody', async (p) => {
    const asked: Ask = {
      questions: [
        {
          id: 'a',
          type: 'choice',
          prompt: 'Which?',
          options: [
            { value: 'x', label: 'X' },
            { value: 'x', label: 'Y' },
          ],
        },
        { id: 'a', type: 'form', prompt: 'Fill', schema: { type: 'no such type' } },
        { id: '__proto__', type: 'text', prompt: 'Who made you?' },
      ],
      document: { markdown: 'text' },
    };
    await rejects(p.ask(asked), (error: AppError) => {
      deepStrictEqual(
        error.faults?.map(({ path, code }) => [path, code]),
        [
          ['/document', 'ask.two_forms'],
          ['/questions/1/id', 'ask.twice'],
          ['/questions/0/options/1/value', 'ask.twice'],
          ['/questions/1/schema', 'ask.schema'],
          ['/questions/2/id', 'ask.id'],
        ],
      );
      return error.status === 422;
    });
    await rejects(p.ask({ prompt: 'Ship?', to: ['nobody'] }), (error: AppError) => error.faults?.[0]?.path === '/to/0');
    await rejects(
      p.ask({ prompt: 'Ship?', deadline: '2001-01-01T00:00:00Z' }),
      (error: AppError) => error.faults?.[0]?.code === 'ask.deadline_passed',
    );
    const stored = await p.database.read.selectFrom('inquiries').select('id').execute();
    deepStrictEqual([stored, p.news], [[], []]);
  });

  test('[ASK3] schemas that take for ever are refused at their place, and what is asked after them is opened meanwhile', async (p) => {
    const ids = Array.from({ length: 20 }, (_, at) => `q${at}`);
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const endless: Ask = {
      questions: ids.map((id) => ({ id, type: 'form', prompt: 'Which?', schema })),
      suggested: { values: Object.fromEntries(ids.map((id) => [id, { a: `${'a'.repeat(60)}!` }])) },
      onExpire: 'suggested',
    };
    const order: string[] = [];
    const refused = p.ask(endless).catch((error: AppError) => {
      order.push('refused');
      return error as never;
    }) as unknown as Promise<AppError>;
    await p.ask({ prompt: 'Ship?' }).then(() => order.push('opened'));
    const { status, faults } = await refused;
    deepStrictEqual(
      [order, status, faults?.map(({ path, code }) => [path, code])],
      [['opened', 'refused'], 422, [['/suggested/values/q0', 'schema.too_slow']]],
    );
  });

  test('[ASK3] no ask names a decider until there are deciders', async (p) => {
    await rejects(p.ask({ prompt: 'Ship?', onExpire: 'decider' }), ({ status, faults }: AppError) => {
      deepStrictEqual(
        [status, faults?.map(({ path, code }) => [path, code])],
        [422, [['/onExpire', 'ask.no_decider']]],
      );
      return true;
    });
  });

  test('[ASK4] an inquiry that supersedes another withdraws it in the same transaction', async (p) => {
    const first = await p.ask({ prompt: 'Ship 2.3?' });
    const second = await p.ask({ prompt: 'Ship 2.4?', supersedes: first });
    strictEqual((await p.read(first)).resolution?.outcome, 'withdrawn');
    deepStrictEqual(
      p.news.map(({ event, inquiryId, versions }) => [event, inquiryId, versions.map(({ version }) => version)]),
      [
        ['inquiry', first, [1]],
        ['withdraw', first, [2]],
        ['inquiry', second, [3]],
      ],
    );
  });

  test('[ASK4] superseding what is resolved already is refused with that resolution and asks nothing', async (p) => {
    const first = await p.ask({ prompt: 'Ship 2.3?' });
    const { resolution } = await p.answer(first, { text: 'Yes' });
    await rejects(p.ask({ prompt: 'Ship 2.4?', supersedes: first }), (error: AppError) => {
      deepStrictEqual([error.status, error.extra], [409, { resolution }]);
      return true;
    });
    strictEqual(p.news.filter(({ event }) => event === 'inquiry').length, 1);
  });

  test('[ASK5] a call that is named finds its open inquiry; its words alone find nothing', async (p) => {
    const first = await blocking(p, { prompt: 'Ship?' });
    deepStrictEqual(await blocking(p, { prompt: 'Ship?' }), { inquiryId: first.inquiryId, created: false });
    strictEqual((await blocking(p, { prompt: 'Ship?' }, 'another call')).created, true);
    for (const _again of [1, 2]) strictEqual((await blocking(p, { prompt: 'Ship?' }, '')).created, true);
    ok((await p.ask({ prompt: 'Ship?' })) !== first.inquiryId);
  });

  test('[ASK5] ten identical blocking calls at the same moment open one inquiry', async (p) => {
    const asked = await Promise.all(Array.from({ length: 10 }, () => blocking(p, APPROVAL)));
    deepStrictEqual(
      [
        new Set(asked.map(({ inquiryId }) => inquiryId)).size,
        asked.filter(({ created }) => created).length,
        p.news.length,
      ],
      [1, 1, 1],
    );
  });

  test('[ASK5] a re-issued call gets an answer that nobody collected, for an hour', async (p) => {
    const { inquiryId } = await blocking(p, { prompt: 'Ship?' });
    await p.answer(inquiryId, { text: 'Yes' });
    p.pass(59 * 60_000);
    deepStrictEqual(await blocking(p, { prompt: 'Ship?' }), { inquiryId, created: false });
    p.pass(2 * 60_000);
    strictEqual((await blocking(p, { prompt: 'Ship?' })).created, true);
  });

  test('[ASK5] an approval is found again for a minute only', async (p) => {
    const { inquiryId } = await blocking(p, APPROVAL);
    const { digest } = await p.read(inquiryId);
    await answerInquiry(p.inquiries, p.phone, inquiryId, { digest, decisions: [{ type: 'approve' }] });
    p.pass(61_000);
    strictEqual((await blocking(p, APPROVAL)).created, true);
  });

  test("[ASK5] yesterday's yes, once collected, never approves today's identical call", async (p) => {
    const { inquiryId } = await blocking(p, { prompt: 'Ship?' });
    await p.answer(inquiryId, { text: 'Yes' });
    p.inquiries.collected.add(inquiryId);
    strictEqual((await blocking(p, { prompt: 'Ship?' })).created, true);
  });

  test('[LIV2] the open inquiries of a source hold so many bytes at most, whatever brings them, and an answer makes room', async (p) => {
    p.inquiries.openBytesLimit = 1_048_576;
    const large = (title: string) => ({ title, prompt: 'x'.repeat(190_000) });
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) ids.push(await p.ask(large(`${at}`)));
    const refused = { status: 429, code: 'source.too_much_open' };
    await rejects(p.ask(large('5')), refused);
    // Each part of an ask of several counts, and what its reply is made of.
    const small = { prompt: 'z'.repeat(40_000) };
    const through = {
      id: newId('ask', p.database.clock.now()),
      dialect: { name: 'plain', label: 'Plain' },
      kept: '{}',
      about: null,
      further: [small, small].map((one) => ({ id: newId('inq', p.database.clock.now()), ask: one })),
    };
    await rejects(ask(p.inquiries, { sourceId: p.sourceId, ask: small, waitMs: 0, through }), refused);
    await rejects(
      ask(p.inquiries, {
        sourceId: p.sourceId,
        ask: small,
        waitMs: 0,
        through: { ...through, kept: 'k'.repeat(90_000), further: [] },
      }),
      refused,
    );
    await p.ask({ prompt: 'A short one fits still?' });
    await p.answer(ids[0]!, { text: 'Yes' });
    await p.ask(large('6'));
  });

  test('a source above its limit of open inquiries is refused, and may ask again when one is resolved or superseded', async (p) => {
    p.inquiries.openLimit = 2;
    const first = await p.ask({ prompt: '1' });
    await p.ask({ prompt: '2' });
    await rejects(
      p.ask({ prompt: '3' }),
      (error: AppError) => error.status === 429 && error.code === 'source.too_many_open',
    );
    const second = await p.ask({ prompt: '3', supersedes: first });
    await rejects(p.ask({ prompt: '4' }), { code: 'source.too_many_open' });
    await withdrawInquiry(p.inquiries, p.sourceId, second, 'not needed');
    ok(await p.ask({ prompt: '4' }));
  });

  test('[DLV2] a source is warned once when no device could be told', async (p) => {
    p.pass(400 * 86_400_000);
    const warned = async () =>
      (await p.database.read.selectFrom('deliveries').select('type').execute()).map(({ type }) => type);
    const { sweep } = await import('../expire.ts');
    await p.ask({ prompt: 'Anybody?', callback: { url: 'https://example.com/hook' } });
    deepStrictEqual(await warned(), ['inquiry.unreachable']);
    p.pass(120_000);
    await sweep(p.inquiries);
    deepStrictEqual(await warned(), ['inquiry.unreachable']);
  });

  test('[DLV2] a source is warned after a minute when a device was told but none acknowledged', async (p) => {
    const { sweep } = await import('../expire.ts');
    await p.ask({ prompt: 'Anybody?', callback: { url: 'https://example.com/hook' } });
    const warned = async () =>
      (await p.database.read.selectFrom('deliveries').select('type').execute()).map(({ type }) => type);
    p.pass(59_000);
    await sweep(p.inquiries);
    deepStrictEqual(await warned(), []);
    p.pass(2_000);
    await sweep(p.inquiries);
    await sweep(p.inquiries);
    deepStrictEqual(await warned(), ['inquiry.unreachable']);
  });
}
