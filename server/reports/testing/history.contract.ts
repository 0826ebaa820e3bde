import { deepStrictEqual, ok, rejects } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import type { AnswerBody } from '#shared/answer.ts';
import type { HistoryFilter } from '#shared/history.ts';
import type { Action, Ask, Inquiry } from '#shared/inquiry.ts';
import { type Json, parseExact } from '#shared/json.ts';
import type { AppError } from '#shared/problem.ts';
import { addDevice } from '../../devices/admit.ts';
import { invite } from '../../people/invite.ts';
import { takingTurns } from '../../platform/loop.ts';
import { createSourceForEverybody } from '../../sources/create.ts';
import type { Answerer } from '../../inquiries/answerer.ts';
import { ask } from '../../inquiries/ask.ts';
import { sweep } from '../../inquiries/expire.ts';
import { readContext, readSources } from '../history/context.ts';
import { exportHistory } from '../history/export.ts';
import { readHistory } from '../history/read.ts';
import { readForSource } from '../../inquiries/read.ts';
import { readAsRecipient } from '../../inquiries/store.ts';
import { answerAlone, type Place } from '../../inquiries/testing/place.ts';

/** Looking through what was settled, and what of it helps with an open inquiry; the same on every engine. */
export function historyContract(place: (t: TestContext) => Promise<Place>): void {
  test('words are found in what was asked, what was answered and by whom, whatever their case', async (t) => {
    const p = await place(t);
    await settled(p, { title: 'boat', prompt: 'What shall we call the ÉTOILE?' }, { text: 'Wren' });
    await settled(
      p,
      { title: 'day', questions: [{ id: 'd', type: 'choice', prompt: 'When?', options: [MONDAY] }] },
      { values: { d: 'm' } },
      p.laptop,
    );
    await settled(
      p,
      { title: '付款', prompt: '要付给供应商吗？', context: { agent: 'Ledger', cwd: '/srv/100%_shop' } },
      { outcome: 'declined', message: '下周再说' },
    );
    await settled(p, { title: 'call', actions: [{ name: 'refund', args: { who: 'Anna "B"' }, allowed: ['approve'] }] });
    const finds: [string, string[]][] = [
      ['wren', ['boat']],
      ['étoile SHALL', ['boat']],
      ['laptop', ['day']],
      ['before monday', ['day']],
      ['供应商', ['付款']],
      ['下周', ['付款']],
      ['100%_s', ['付款']],
      ['0__s', []],
      ['ledger', ['付款']],
      ['anna "b"', ['call']],
      ['refund approved', ['call']],
      ['release', ['call', '付款', 'day', 'boat']],
      ['wren monday', []],
      ['values', []],
      ['"kind"', []],
    ];
    deepStrictEqual(await Promise.all(finds.map(async ([q]) => [q, await titles(p, { q })])), finds);
  });

  test('the history is narrowed by outcome, source, time, who decided, and what came late', async (t) => {
    const p = await place(t);
    const { source } = await createSourceForEverybody(p.database, p.phone.personId, 'Ledger');
    await settled(p, { title: 'yes', prompt: 'Yes?' }, { text: 'Yes' });
    const theirs = await join(p, 'jonas');
    await settled(p, { title: 'theirs', prompt: 'And?', to: ['owner', 'jonas'] }, { text: 'Fine' }, theirs);
    p.pass(60_000);
    const minute = new Date(p.database.clock.now()).toISOString();
    await settled(p, { title: 'no', prompt: 'No?' }, { outcome: 'declined' }, p.phone, source.id);
    const expired = await p.ask({ title: 'late', prompt: 'Late?', deadline: 5, latest: 5 });
    p.pass(6_000);
    await sweep(p.inquiries);
    await answerAlone(p.inquiries, p.phone, expired, { text: 'Sorry' });
    await p.ask({ title: 'open', prompt: 'Still open?' });
    const filters: [HistoryFilter, string[]][] = [
      [{}, ['late', 'no', 'theirs', 'yes']],
      [{ outcome: 'answered' }, ['theirs', 'yes']],
      [{ outcome: 'declined' }, ['no']],
      [{ outcome: 'withdrawn' }, []],
      [{ source: source.id }, ['no']],
      [{ after: minute }, ['late', 'no']],
      [{ before: minute }, ['theirs', 'yes']],
      [{ by: 'me' }, ['no', 'yes']],
      [{ by: 'rule' }, []],
      [{ late: 'true' }, ['late']],
      [{ q: 'sorry' }, ['late']],
      [{ q: 'jonas', outcome: 'answered', before: minute }, ['theirs']],
    ];
    deepStrictEqual(await Promise.all(filters.map(async ([filter]) => [filter, await titles(p, filter)])), filters);
    deepStrictEqual(await titles(p, {}, theirs), ['theirs']);
    deepStrictEqual(
      (await readSources(p.database.read, p.phone.personId)).map(({ name }) => name),
      ['Ledger', 'Release train'],
    );
    deepStrictEqual(
      (await readSources(p.database.read, theirs.personId)).map(({ name }) => name),
      ['Release train'],
    );
  });

  test('pages of a narrowed history hold each inquiry once, whatever their size', async (t) => {
    const p = await place(t);
    for (let at = 0; at < 12; at++)
      await settled(p, { title: `${at}`, prompt: at % 3 === 0 ? 'Apples of what title?' : 'Pears?' }, { text: 'Yes' });
    const walk = async (limit: number, filter: HistoryFilter) => {
      const found: string[][] = [];
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const page = await readHistory(p.database.read, viewerOf(p.phone), { ...filter, limit, cursor });
        found.push(page.items.map(({ title }) => title));
        cursor = page.nextCursor;
      }
      return found;
    };
    deepStrictEqual(await walk(5, {}), [
      ['11', '10', '9', '8', '7'],
      ['6', '5', '4', '3', '2'],
      ['1', '0'],
    ]);
    deepStrictEqual(await walk(3, { q: 'apples' }), [['9', '6', '3'], ['0']]);
    deepStrictEqual(await walk(1, { outcome: 'answered', q: 'apples' }), [['9'], ['6'], ['3'], ['0']]);
    deepStrictEqual(await walk(4, { q: 'apples' }), [['9', '6', '3', '0']]);
    // "title" stands in the JSON of all of them.
    deepStrictEqual((await walk(2, { q: 'title' })).flat(), ['9', '6', '3', '0']);
  });

  test('the export holds what may be read, who saw it, and no formula', async (t) => {
    const p = await place(t);
    const id = await settled(p, { title: 'sum', prompt: '=HYPERLINK("http://x")' }, { text: ' +1, "then"\n2' });
    await settled(p, { title: '付款', questions: [SECRET] }, { values: { pw: 'hunter2' } });
    await p.database.transaction(async (trx) => {
      const at = { told_at: 1000, accepted_at: 1000, shown_at: 1000, opened_at: 2000 };
      await trx.deleteFrom('inquiry_devices').execute();
      await trx
        .insertInto('inquiry_devices')
        .values({ inquiry_id: id, device_id: p.laptop.deviceId, ...at })
        .execute();
    });
    const file = async (format: 'json' | 'csv', filter: HistoryFilter = {}) =>
      (await Array.fromAsync(exportHistory(p.database.read, viewerOf(p.phone), filter, format))).join('');
    const json = JSON.parse(await file('json')) as { title: string; seenBy: object[] }[];
    deepStrictEqual(
      json.map(({ title, seenBy }) => [title, seenBy]),
      [
        ['付款', []],
        [
          'sum',
          [
            {
              person: 'owner',
              device: 'Laptop',
              shownAt: '1970-01-01T00:00:01.000Z',
              openedAt: '1970-01-01T00:00:02.000Z',
            },
          ],
        ],
      ],
    );
    const csv = await file('csv', { q: 'hyperlink' });
    const [head, row] = [csv.slice(0, csv.indexOf('\r\n')), csv.slice(csv.indexOf('\r\n') + 2)];
    ok(head.startsWith('\uFEFF"id","asked_at","settled_at","source","title","asked"'));
    ok(row.includes(`"Release train","sum","'=HYPERLINK(""http://x"")","owner","answered","' +1, ""then""\n2"`), row);
    ok(row.endsWith(`"owner, Laptop, 1970-01-01T00:00:01.000Z",""\r\n`), row);
    ok(!((await file('json')) + (await file('csv'))).includes('hunter2'));
    deepStrictEqual(
      [await file('json', { q: 'nothing' }), (await file('csv', { q: 'nothing' })).split('\r\n').length],
      ['[]\n', 2],
    );
  });

  test('[LIV2] whatever else the hub does has its turn between the rows of an export, which ends with its reader', async (t) => {
    const p = await place(t);
    for (let at = 0; at < 4; at++)
      await settled(p, { title: `${at}`, prompt: at < 3 ? 'x'.repeat(190_000) : '?' }, { text: 'Yes' });
    let statements = 0;
    const counting = {
      transformQuery: ({ node }) => (statements++, node),
      transformResult: async ({ result }) => result,
    } satisfies KyselyPlugin;
    const read = p.database.read.withPlugin(counting);
    for (const format of ['json', 'csv'] as const) {
      const gone = new AbortController();
      let [turns, clock] = [0, 0];
      const turn = takingTurns(gone.signal, { now: () => (clock += 10), next: async () => void turns++ });
      const chunks = await Array.fromAsync(exportHistory(read, viewerOf(p.phone), {}, format, turn));
      deepStrictEqual([turns >= 8, chunks.length], [true, 5], `${turns} turns`);
      const file = exportHistory(read, viewerOf(p.phone), {}, format, turn);
      await file.next();
      await file.next();
      statements = 0;
      gone.abort(new Error('gone'));
      await rejects(async () => Array.fromAsync(file), /gone/);
      deepStrictEqual(statements, 0);
    }
  });

  test('the export names each call that was decided, and says what became of it', async (t) => {
    const p = await place(t);
    const calls = [{ command: 'npm ci' }, { command: 'deploy --token hunter2' }].map((args): Action => ({
      name: 'Bash',
      args,
      allowed: ['approve', 'reject'],
    }));
    const decisions = [{ type: 'approve' as const }, { type: 'reject' as const, message: 'Not now.' }];
    await settled(p, { title: 'Go on?', actions: calls }, { decisions });
    const csv = (await Array.fromAsync(exportHistory(p.database.read, viewerOf(p.phone), {}, 'csv'))).join('');
    ok(csv.includes('"1. Approved: Run `npm ci`.\n2. Rejected: Run `deploy --token ••••`. Not now."'), csv);
    ok(csv.endsWith('"Run npm ci\nRun deploy --token ••••"\r\n'), csv);
  });

  test('of an edited call both versions are told without secrets to people and files, and exactly to its agent', async (t) => {
    const p = await place(t);
    const tool = (name: string, args: Json): Action => ({ name, args, allowed: ['approve', 'edit'] });
    const actions = [tool('pay', { token: 'hunter2' }), tool('pay', { token: 'hunter3' })];
    const [first, second] = ['{"amount":9007199254740993,"token":"hunter4"}', '{"token":"hunter5"}'];
    const decisions = [first, second].map((argsText) => ({ type: 'edit' as const, argsText }));
    const id = await p.ask({ title: 'Pay?', actions, callback: { url: 'https://hooks.example/' } });
    const { digest } = await readAsRecipient(p.database, id, p.phone.personId);
    const body: AnswerBody = { digest, decisions, answerId: 'a' };
    const won = await answerAlone(p.inquiries, p.phone, id, body);
    const again = await answerAlone(p.inquiries, p.phone, id, body);
    const lost = await answerAlone(p.inquiries, p.laptop, id, { digest, decisions: decisions.toReversed() });
    const { items } = await readHistory(p.database.read, viewerOf(p.phone), { limit: 1 });
    const csv = (await Array.fromAsync(exportHistory(p.database.read, viewerOf(p.phone), {}, 'csv'))).join('');
    const [hook] = await p.database.read.selectFrom('deliveries').select('body').execute();
    const { data } = parseExact(hook!.body) as { data: Inquiry };
    const agent = await readForSource(p.inquiries, id, p.sourceId);
    const changed = (args: string) => `Approved with these arguments instead: ${args}\nAsked: pay {"token":••••}`;
    const shown = (one: string, two: string) => `1. ${changed(one)}\n2. ${changed(two)}`;
    const edits = `{"decisions":[{"type":"edit","args":${first}},{"type":"edit","args":${second}}]}`;
    const exact = [shown(first, second), edits];
    const masked = shown('{"amount":9007199254740993,"token":••••}', '{"token":••••}');
    deepStrictEqual(
      {
        receipts: [won, again, lost].map(({ resolution }) => resolution.text),
        history: [items[0]?.resolution?.text, items[0]?.lost?.map(({ text }) => text)],
        agent: [agent, data].map(({ resolution }) => [resolution?.text, JSON.stringify(resolution?.answer)]),
        file: [csv.includes('pay {""token"":••••}\npay {""token"":••••}'), csv.match(/hunter/g)],
      },
      {
        receipts: [masked, masked, masked],
        history: [masked, [shown('{"token":••••}', '{"amount":9007199254740993,"token":••••}')]],
        agent: [exact, exact],
        file: [true, null],
      },
    );
  });

  test('an inquiry brings along what was asked before in its run, to this person and by this source alone', async (t) => {
    const p = await place(t);
    const { source } = await createSourceForEverybody(p.database, p.phone.personId, 'Ledger');
    const other = await join(p, 'jonas');
    const run = { runId: 'Run "7"', threadId: 'thread' };
    for (let at = 0; at < 6; at++)
      await settled(p, { title: `${at}`, prompt: 'Go on?', context: run }, { text: `${at}` });
    const waits = await p.ask({ title: 'waits', prompt: 'Go on?', context: run });
    await settled(p, { title: 'other case', prompt: '?', context: { ...run, runId: 'run "7"' } }, { text: 'Yes' });
    await settled(p, { title: 'no run', prompt: '?', context: { threadId: 'thread' } }, { text: 'Yes' });
    await settled(p, { title: 'other source', prompt: '?', context: run }, { text: 'Yes' }, p.phone, source.id);
    await settled(p, { title: 'not mine', prompt: '?', to: ['jonas'], context: run }, { text: 'Yes' }, other);
    const now = await p.ask({ title: 'now', prompt: 'And now?', context: run });
    await settled(p, { title: 'after', prompt: '?', context: run }, { text: 'Yes' });
    const context = await readContext(p.database, now, { id: p.phone.personId });
    deepStrictEqual(
      context.run.map(({ title, resolution }) => [title, resolution?.text]),
      [
        ['waits', undefined],
        ['5', '5'],
        ['4', '4'],
        ['3', '3'],
        ['2', '2'],
      ],
    );
    deepStrictEqual([context.last, context.run[0]?.id], [undefined, waits]);
    const inThread = await p.ask({ title: 'thread', prompt: '?', context: { threadId: 'thread' } });
    deepStrictEqual(
      (await readContext(p.database, inThread, { id: p.phone.personId })).run.map(({ title }) => title),
      ['after', 'now', 'no run', 'other case', 'waits'],
    );
    await rejects(readContext(p.database, now, { id: other.personId }), (error: AppError) => error.status === 404);
  });

  test('it brings along what was decided of each call of its run, with the words and without arguments', async (t) => {
    const p = await place(t);
    const context = { runId: 'run' };
    const actions = [1, 2].map((n): Action => ({ name: 'pay', args: { n }, allowed: ['edit', 'reject'] }));
    const edited = { type: 'edit' as const, args: { n: 3, token: 'hunter2' } };
    const decisions = [edited, { type: 'reject' as const, message: 'Not twice.' }];
    await settled(p, { title: 'Pay?', actions, context }, { decisions });
    const { run } = await readContext(p.database, await p.ask({ prompt: 'And?', context }), { id: p.phone.personId });
    deepStrictEqual(
      run.map(({ decisions: told }) => told),
      [[{ type: 'edit' }, { type: 'reject', message: 'Not twice.' }]],
    );
  });

  test('it brings along how this person decided the very same call, and no other', async (t) => {
    const p = await place(t);
    const other = await join(p, 'jonas');
    const both = ['owner', 'jonas'];
    const call = (args: Json, more: Partial<Action> = {}): Ask => ({
      to: both,
      actions: [{ name: 'Bash', args, allowed: ['approve', 'edit', 'reject'], ...more }],
    });
    const last = async (asked: Ask) => {
      const { last: found } = await readContext(p.database, await p.ask(asked), { id: p.phone.personId });
      return found && [found.title, found.resolution?.outcome, found.decided];
    };
    deepStrictEqual(await last(call({ command: 'ls', n: 1 })), undefined);
    await settled(p, call({ command: 'ls', n: 1 }), { decisions: [{ type: 'approve' }] });
    await settled(p, call({ command: 'rm' }), { decisions: [{ type: 'reject' }] }, other);
    deepStrictEqual(
      [
        await last(call({ n: 1, command: 'ls' })),
        await last(call({ command: 'ls', n: 2 })),
        await last(call({ command: 'rm' })),
        await last(call({ command: 'ls', n: 1 }, { name: 'bash' })),
        await last(call({ command: 'ls', n: 1 }, { caution: true })),
      ],
      [['Run ls', 'answered', 'approve'], ...Array<undefined>(4).fill(undefined)],
    );
    await settled(p, call({ command: 'ls', n: 1 }), { outcome: 'declined', message: 'Not here' });
    deepStrictEqual(await last(call({ command: 'ls', n: 1 })), ['Run ls', 'declined', undefined]);
    const edited = { decisions: [{ type: 'edit' as const, args: { command: 'ls -l' } }] };
    await settled(p, call({ command: 'ls', n: 1 }), edited);
    deepStrictEqual(await last(call({ command: 'ls', n: 1 })), ['Run ls', 'answered', 'edit']);
    await settled(p, { prompt: 'Ship?' }, { text: 'Yes' });
    deepStrictEqual(await last({ prompt: 'Ship?' }), undefined);
  });
}

const MONDAY = { value: 'm', label: 'Monday', description: 'Before the audit' };
const SECRET = { id: 'pw', type: 'text', prompt: 'Password?', secret: true } as const;

const viewerOf = ({ personId, deviceId }: Answerer) => ({ personId, deviceId });

async function titles(p: Place, filter: HistoryFilter, by = p.phone): Promise<string[]> {
  const { items } = await readHistory(p.database.read, viewerOf(by), { ...filter, limit: 50 });
  return items.map(({ title }) => title);
}

async function settled(
  p: Place,
  asked: Ask,
  body: AnswerBody = { decisions: [{ type: 'approve' }] },
  by = p.phone,
  sourceId = p.sourceId,
): Promise<string> {
  const { inquiryId } = await ask(p.inquiries, { sourceId, ask: asked, waitMs: 0 });
  const { digest } = await readAsRecipient(p.database, inquiryId, by.personId);
  await answerAlone(p.inquiries, by, inquiryId, { ...body, digest });
  p.pass(1);
  return inquiryId;
}

async function join(p: Place, handle: string): Promise<Answerer> {
  const makeLink = async () => ({ link: '', expiresAt: '' });
  const { person } = await invite(p.database, makeLink, { handle }, null);
  const { deviceId } = await addDevice(p.database, person.id, 'MacBook');
  return { deviceId, deviceName: 'MacBook', personId: person.id, handle, via: 'live', screen: undefined };
}
