import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { saidIn } from '#shared/text.ts';
import { parseExact } from '#shared/json.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { putPolicies, readPolicies } from '../rules/change.ts';
import { toRuleId } from '../rules/rules.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { ask } from '../../inquiries/ask.ts';
import { exportHistory } from '../../reports/history/export.ts';
import { previewRules } from '../../reports/history/preview.ts';
import { readHistory } from '../../reports/history/read.ts';
import { readForSource, readSnapshot } from '../../inquiries/read.ts';
import { waitForResolution } from '../../inquiries/hold.ts';
import type { Place } from '../../inquiries/testing/place.ts';
import { HUB_TIME_ZONE } from '../../platform/time-zone.ts';

const action = (more: object = {}) => ({
  name: 'Bash',
  args: { command: 'ls' },
  allowed: ['approve', 'reject'],
  ...more,
});
const HALF_HOUR = 1_800_000;
const CALL = { actions: [action()] } as Ask;
const APPROVE: Rule = { name: 'Reading is fine', when: { tool: 'Bash' }, then: 'approve' };

/** What becomes of an inquiry to which a rule applies; the same on every engine. */
export function rulingContract(place: (t: TestContext) => Promise<Place>): void {
  const rules = async (p: Place, list: Rule[], of: 'hub' | 'person' = 'person'): Promise<void> => {
    const which = { of, personId: p.phone.personId };
    const { version } = await readPolicies(p.database, which);
    await putPolicies(p.database, which, { version, rules: list }, p.phone.deviceId);
  };
  const opened = async (p: Place, asked: Ask, more: object = {}): Promise<Inquiry> => {
    const result = await ask(p.inquiries, { sourceId: p.sourceId, ask: asked, waitMs: 0, ...more });
    return result.inquiry ?? readForSource(p.inquiries, result.inquiryId, p.sourceId);
  };
  const become = async (p: Place, asked: Ask, more: object = {}) => {
    const { resolution } = await opened(p, asked, more);
    return resolution ? [resolution.outcome, saidIn(resolution)] : 'asked';
  };
  const inbox = async (p: Place) => (await readSnapshot(p.inquiries, p.phone)).inquiries.map(({ id }) => id);

  test('[POL11] a rule goes by the time of its person, where they chose none by the hub’s, and keeps which it was', async (t) => {
    const p = await place(t);
    const timeIn = (timeZone: string, ms: number) =>
      new Date(p.database.clock.now() + ms).toLocaleTimeString('en-GB', {
        timeZone,
        hour: '2-digit',
        minute: '2-digit',
      });
    const around = (zone: string): Rule => ({
      ...APPROVE,
      name: `Now in ${zone}`,
      when: { tool: 'Bash', time: { from: timeIn(zone, -HALF_HOUR), to: timeIn(zone, HALF_HOUR) } },
    });
    const elsewhere = HUB_TIME_ZONE === 'Asia/Tokyo' ? 'Europe/Berlin' : 'Asia/Tokyo';
    const becomes = async (zone: string, preferences: object | string) => {
      const stored = typeof preferences === 'string' ? preferences : JSON.stringify(preferences);
      await p.database.transaction((trx) => trx.updateTable('people').set({ preferences: stored }).execute());
      await rules(p, [around(zone)]);
      return (await wording())?.timeZone;
    };
    const wording = async () => {
      const { id } = await opened(p, CALL);
      const row = await p.database.read.selectFrom('inquiries').select('rule').where('id', '=', id).executeTakeFirst();
      return JSON.parse(row?.rule ?? 'null') as (Rule & { timeZone?: string }) | null;
    };
    deepStrictEqual(
      [
        await becomes(HUB_TIME_ZONE, {}),
        await becomes(elsewhere, {}),
        await becomes(elsewhere, { timeZone: elsewhere }),
        await becomes(HUB_TIME_ZONE, { timeZone: elsewhere }),
        await becomes(elsewhere, { timeZone: elsewhere, density: 'of a later version' }),
        // A zone that nobody can tell any more is not the hub's.
        await becomes(HUB_TIME_ZONE, { timeZone: 'Mars/Base' }),
        await becomes(HUB_TIME_ZONE, 'x'),
      ],
      [HUB_TIME_ZONE, undefined, elsewhere, undefined, elsewhere, undefined, undefined],
    );
    await rules(p, [APPROVE]);
    deepStrictEqual(await wording(), APPROVE);
    await p.database.transaction((trx) => trx.updateTable('policies').set({ rules: 'x', version: 99 }).execute());
    deepStrictEqual(await wording(), null, 'a list that a disk has damaged leaves all to people');
  });

  test('[POL5] what a rule settles rings nowhere, is in no inbox, and its source hears of it as of any', async (t) => {
    const p = await place(t);
    await p.database.transaction((trx) =>
      trx.updateTable('sources').set({ webhook_url: 'https://agent.test/hook' }).execute(),
    );
    await rules(p, [APPROVE]);
    const before = await readSnapshot(p.inquiries, p.phone);
    const inquiry = await opened(p, CALL);
    const by = { kind: 'policy', label: 'Reading is fine', ruleId: toRuleId(APPROVE) };
    const answer = { decisions: [{ type: 'approve' }] };
    const note = 'Decided by the rule “Reading is fine”; nobody was asked.';
    const resolution = {
      outcome: 'answered',
      answer,
      by,
      at: inquiry.openedAt,
      // A webhook tells its source, so that no call waits.
      validUntil: new Date(Date.parse(inquiry.openedAt) + 7 * 86_400_000).toISOString(),
      text: `Approved: Run \`ls\`.\n${note}`,
      note,
    };
    deepStrictEqual(inquiry.resolution, resolution);
    deepStrictEqual(inquiry, await readForSource(p.inquiries, inquiry.id, p.sourceId));
    const after = await readSnapshot(p.inquiries, p.phone);
    deepStrictEqual([p.news, after.inquiries, after.version], [[], [], before.version]);
    const { read } = p.database;
    deepStrictEqual(
      [
        await read.selectFrom('pushes').selectAll().execute(),
        await read.selectFrom('inquiry_devices').selectAll().execute(),
        p.counted,
        p.owedWakes(),
      ],
      [[], [], ['asked', 'ruled'], 1],
    );
    const [hook] = await read.selectFrom('deliveries').select(['type', 'body']).execute();
    const body = JSON.parse(hook?.body ?? '') as { data: Inquiry };
    deepStrictEqual([hook?.type, body.data], ['inquiry.resolved', inquiry]);
  });

  test('[POL5] the history shows the rule as it was worded then, and says that no person decided', async (t) => {
    const p = await place(t);
    await rules(p, [APPROVE]);
    const { id } = await opened(p, CALL);
    await rules(p, [{ ...APPROVE, when: { tool: 'other' } }]);
    const { items } = await readHistory(p.database.read, p.phone, { limit: 10, by: 'rule' });
    deepStrictEqual(
      items.map((one) => [one.id, one.rule, one.resolution?.by.kind]),
      [[id, APPROVE, 'policy']],
    );
    const mine = await readHistory(p.database.read, p.phone, { limit: 10, by: 'me' });
    deepStrictEqual(mine.items, []);
  });

  test('[POL5] a call that waits gets what a rule decided at once, and the same call again its own reply', async (t) => {
    const p = await place(t);
    await rules(p, [APPROVE]);
    const wait = async () => {
      const command = { sourceId: p.sourceId, ask: CALL, waitMs: 60_000, matchedBy: 'this very call' };
      const { inquiryId } = await ask(p.inquiries, command);
      const { inquiry, ended } = await waitForResolution(p.inquiries, {
        inquiryId,
        read: () => readForSource(p.inquiries, inquiryId, p.sourceId),
        callerId: p.sourceId,
        by: 'asker',
        ms: 60_000,
        signal: new AbortController().signal,
      });
      return [inquiryId, ended, inquiry.resolution && saidIn(inquiry.resolution)];
    };
    const first = await wait();
    deepStrictEqual(first.slice(1), ['resolved', 'Approved: Run `ls`.']);
    deepStrictEqual(await wait(), first);
  });

  test('[POL5] the rules that stand when it is asked decide, whatever this node knew of them', async (t) => {
    const p = await place(t);
    const steps: unknown[] = [await become(p, CALL)];
    await rules(p, [APPROVE]);
    steps.push(await become(p, CALL));
    await rules(p, []);
    steps.push(await become(p, CALL));
    await rules(p, [{ ...APPROVE, then: { reject: 'Not today.' } }], 'hub');
    steps.push(await become(p, CALL));
    await rules(p, [{ ...APPROVE, until: new Date(p.database.clock.now() + 1000).toISOString() }], 'hub');
    steps.push(await become(p, CALL));
    p.pass(1000);
    steps.push(await become(p, CALL));
    const approved = ['answered', 'Approved: Run `ls`.'];
    deepStrictEqual(steps, [
      'asked',
      approved,
      'asked',
      ['answered', 'Rejected: Run `ls`. Not today.'],
      approved,
      'asked',
    ]);
  });

  test('[POL5] of a rule that goes away and asks at once each is decided by what stood then', async (t) => {
    const p = await place(t);
    await rules(p, [APPROVE]);
    await opened(p, CALL);
    const asking = Array.from({ length: 20 }, () => become(p, CALL));
    const removing = rules(p, []);
    await removing;
    strictEqual(await become(p, CALL), 'asked');
    ok((await Promise.all(asking)).every((one) => one === 'asked' || one[1] === 'Approved: Run `ls`.'));
  });

  test('[POL3] the owner’s rules act on every inquiry and come first, a person’s only where they alone are asked', async (t) => {
    const p = await place(t);
    await p.database.transaction(async (trx) => {
      const [jonas, ops] = ['per_jonas', 'grp_ops'];
      await trx
        .insertInto('people')
        .values({ id: jonas, handle: 'jonas', name: 'Jonas', created_at: 0, locale: null })
        .execute();
      await trx.insertInto('groups').values({ id: ops, handle: 'ops', name: 'Ops', created_at: 0 }).execute();
      await trx.insertInto('group_members').values({ group_id: ops, person_id: p.phone.personId }).execute();
    });
    await rules(p, [APPROVE]);
    const of = async () => {
      const found: unknown[] = [];
      for (const to of [undefined, ['owner'], ['ops'], ['owner', 'jonas'], ['jonas']])
        found.push(await become(p, { ...CALL, ...(to ? { to } : {}) }));
      return found;
    };
    const approved = ['answered', 'Approved: Run `ls`.'];
    deepStrictEqual(await of(), [approved, approved, 'asked', 'asked', 'asked']);
    await rules(p, [{ ...APPROVE, then: { reject: 'No.' } }], 'hub');
    deepStrictEqual(await of(), Array(5).fill(['answered', 'Rejected: Run `ls`. No.']));
    await rules(p, [{ ...APPROVE, then: 'ask' }], 'hub');
    deepStrictEqual(await of(), Array(5).fill('asked'));
  });

  test('[POL1] what is asked with rules "none" no rule settles', async (t) => {
    const p = await place(t);
    await rules(p, [APPROVE]);
    deepStrictEqual(
      [await become(p, { ...CALL, rules: 'none' }), await become(p, CALL)],
      ['asked', ['answered', 'Approved: Run `ls`.']],
    );
  });

  test('[POL4] whatever is asked, without a rule that fits nobody answers it', async (t) => {
    const p = await place(t);
    const kinds: Ask[] = [
      { prompt: 'Ship?', suggested: { text: 'Yes' } },
      { document: { markdown: 'Draft' }, prompt: 'Fine?' },
      { link: { url: 'https://sign.in/', completes: 'self' } },
      { questions: [{ id: 'q', type: 'choice', prompt: 'Which?', options: [{ value: 'a', label: 'A' }] }] },
      CALL,
    ];
    const when = fc.constantFrom<Rule['when']>(
      { tool: 'Read' },
      { gate: 'files' },
      { agent: 'x' },
      { asked: { min: 0 } },
    );
    const then = fc.constantFrom<Rule['then']>(
      'suggested',
      'unanswered',
      'you-decide',
      { reject: 'No' },
      { answer: 'Yes' },
    );
    const list = fc.array(fc.record({ when, then }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(list, fc.constantFrom(...kinds), fc.boolean(), async (made, asked, hub) => {
        await rules(
          p,
          made.map((one, at) => ({ name: `rule ${at}`, ...one })),
          hub ? 'hub' : 'person',
        );
        return (await opened(p, asked)).resolution === undefined;
      }),
      { numRuns: 40 },
    );
  });

  test('[POL4] a rule for one question answers it alone, and a list that a later version wrote answers nothing', async (t) => {
    const p = await place(t);
    const [yes, no] = ['Yes', 'No'].map((label) => ({ value: label, label }));
    const ship = (options: unknown, more: object = {}) =>
      ({ ...more, questions: [{ id: 'q', type: 'choice', prompt: 'Ship?', options }] }) as Ask;
    const when = { source: p.sourceId, question: { prompt: 'Ship?', options: [yes, no] } } as Rule['when'];
    await rules(p, [{ name: 'Ship', when, then: { answer: 'Yes' } }]);
    const asks = [ship([yes, no]), ship([no, yes]), ship([yes, no], { title: 'Production' })];
    const becomes = () => Promise.all(asks.map((one) => become(p, one)));
    deepStrictEqual(await becomes(), [['answered', 'Yes'], 'asked', 'asked']);
    const later = { name: 'Ship', when: { ...when, later: 1 }, then: { answer: 'Yes' } };
    const all = { name: 'All', when: { source: p.sourceId }, then: { answer: 'Yes' } };
    const stored = { rules: JSON.stringify([later, all]), version: 9 };
    await p.database.transaction((trx) => trx.updateTable('policies').set(stored).execute());
    deepStrictEqual(await becomes(), ['asked', 'asked', 'asked']);
  });

  test('[POL4] no rule approves what is marked with caution, nor answers a secret', async (t) => {
    const p = await place(t);
    const secret: Ask = { questions: [{ id: 'k', type: 'text', prompt: 'Key?', secret: true }] };
    const found: unknown[] = [];
    const thens: Rule['then'][] = [
      'approve',
      'suggested',
      'you-decide',
      'unanswered',
      { reject: 'No' },
      { answer: 'Yes' },
    ];
    for (const then of thens) {
      await rules(p, [{ name: 'all', when: { source: p.sourceId }, then }], 'hub');
      found.push([await become(p, secret), await become(p, { actions: [action({ caution: true }), action()] } as Ask)]);
    }
    const handed = 'Decide this yourself: a rule hands it back to you, and nobody was asked. That approves nothing.';
    const late =
      'Nobody answered in time. Nobody decided: this is neither a yes nor a no. Do not ask the same again now.';
    deepStrictEqual(found, [
      ['asked', 'asked'],
      ['asked', 'asked'],
      ['asked', ['declined', handed]],
      ['asked', ['expired', late]],
      ['asked', ['answered', '1. Rejected: Run `ls`. No\n2. Rejected: Run `ls`. No']],
      ['asked', 'asked'],
    ]);
  });

  test('[POL1] one call that a rule rejects keeps the others from being approved', async (t) => {
    const p = await place(t);
    await rules(p, [
      { name: 'no rm', when: { tool: 'rm' }, then: { reject: 'No.' } },
      { ...APPROVE, when: { tool: ['*', 'x'] } },
    ]);
    const calls = (...names: string[]) => become(p, { actions: names.map((name) => action({ name })) } as Ask);
    deepStrictEqual(
      [await calls('ls', 'cat'), await calls('ls', 'rm'), await calls('rm')],
      [
        ['answered', '1. Approved: `ls` `ls`.\n2. Approved: `cat` `ls`.'],
        'asked',
        ['answered', 'Rejected: `rm` `ls`. No.'],
      ],
    );
  });

  test('a rule that says to ask others asks them, and those who were named where nobody of them is left', async (t) => {
    const p = await place(t);
    await p.database.transaction((trx) =>
      trx
        .insertInto('people')
        .values({ id: 'per_jonas', handle: 'jonas', name: 'Jonas', created_at: 0, locale: null })
        .execute(),
    );
    await rules(p, [{ name: 'to Jonas', when: {}, then: { ask: ['jonas'] } }], 'hub');
    const asked = await opened(p, CALL);
    deepStrictEqual([asked.to, asked.resolution, await inbox(p)], [['jonas'], undefined, []]);
    await p.database.transaction((trx) => trx.deleteFrom('people').where('handle', '=', 'jonas').execute());
    const again = await opened(p, CALL);
    deepStrictEqual([again.to, await inbox(p)], [['owner'], [again.id]]);
  });

  test('a rule that says to ask quietly puts it into the inbox and wakes nobody', async (t) => {
    const p = await place(t);
    await p.database.transaction((trx) =>
      trx
        .insertInto('subscriptions')
        .values({
          device_id: p.phone.deviceId,
          endpoint: 'https://push.test/1',
          p256dh: '',
          auth: '',
          vapid_public_key: '',
          created_at: 0,
        })
        .execute(),
    );
    await p.database.transaction((trx) =>
      trx.updateTable('devices').set({ live_until: 0 }).where('id', '=', p.phone.deviceId).execute(),
    );
    await rules(p, [{ name: 'quiet', when: { kind: 'text' }, then: 'ask-quietly' }]);
    const asked = await opened(p, { prompt: 'Ship?' });
    const pushes = () => p.database.read.selectFrom('pushes').select('subject_id').execute();
    deepStrictEqual([asked.quiet, asked.reach.told, await inbox(p), await pushes()], [true, 0, [asked.id], []]);
    const loud = await opened(p, CALL);
    deepStrictEqual([loud.quiet, loud.reach.told, await pushes()], [undefined, 1, [{ subject_id: loud.id }]]);
    const { won } = await answerInquiry(p.inquiries, p.phone, asked.id, { text: 'Yes' });
    strictEqual(won, true);
  });

  test('a rule counts what the run has asked before', async (t) => {
    const p = await place(t);
    await rules(p, [{ name: 'enough', when: { asked: { min: 2 } }, then: 'unanswered' }]);
    const run = async (runId: string) => typeof (await become(p, { prompt: 'More?', context: { runId } }));
    deepStrictEqual(
      [await run('a_%'), await run('a_%'), await run('a_%'), await run('abc'), await run('A_%')],
      ['string', 'string', 'object', 'string', 'string'],
    );
  });

  test('[POL5] of calls of a run at once a rule approves as many as it says', async (t) => {
    const p = await place(t);
    await rules(p, [{ ...APPROVE, when: { tool: 'Bash', asked: { max: 1 } } }]);
    const asks = Array.from({ length: 12 }, () => become(p, { ...CALL, context: { runId: 'r' } }));
    strictEqual((await Promise.all(asks)).filter((one) => one !== 'asked').length, 2);
  });

  test('[POL5] a rule that ends before what it settles is written settles nothing', async (t) => {
    const p = await place(t);
    const until = new Date(p.database.clock.now() + 60_000).toISOString();
    await rules(p, [{ ...APPROVE, until }]);
    const first = await become(p, CALL);
    const steps: typeof p.database.steps = (work) => {
      p.pass(60_000);
      return p.database.steps(work);
    };
    const late = { ...p.inquiries, database: { ...p.database, steps } };
    const { inquiryId } = await ask(late, { sourceId: p.sourceId, ask: CALL, waitMs: 0 });
    const { resolution } = await readForSource(p.inquiries, inquiryId, p.sourceId);
    deepStrictEqual([first, resolution], [['answered', 'Approved: Run `ls`.'], undefined]);
  });

  test('[POL4] no rule answers a form with what its schema refuses', async (t) => {
    const p = await place(t);
    await rules(p, [{ name: 'as suggested', when: { kind: 'questions' }, then: 'suggested' }]);
    const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 5 } }, required: ['n', 'm'] };
    const form = (value: object): Ask => ({
      questions: [{ id: 'f', prompt: 'Which?', type: 'form', schema }],
      suggested: { values: { f: value } } as Ask['suggested'],
    });
    const found = [
      (await opened(p, form({ n: 5 }))).resolution,
      (await opened(p, form({ n: 5, m: 1 }))).resolution?.outcome,
    ];
    deepStrictEqual(found, [undefined, 'answered']);
  });

  test('the history and its file hold the rule with each number as it was written', async (t) => {
    const p = await place(t);
    const when = parseExact('{"tool":"Bash","args":{"/n":{"equals":9007199254740993}}}') as Rule['when'];
    await rules(p, [{ ...APPROVE, when }]);
    await opened(p, { actions: [action({ args: parseExact('{"n":9007199254740993}') })] } as Ask);
    const { items } = await readHistory(p.database.read, p.phone, { limit: 10, by: 'rule' });
    const worded =
      '{"name":"Reading is fine","when":{"tool":"Bash","args":{"/n":{"equals":9007199254740993}}},"then":"approve"}';
    deepStrictEqual(
      items.map(({ rule }) => JSON.stringify(rule)),
      [worded],
    );
    const csv = (await Array.fromAsync(exportHistory(p.database.read, p.phone, {}, 'csv'))).join('');
    ok(csv.includes(`"${worded.replaceAll('"', '""')}"`));
  });

  test('a rule for one run fits its calls and those of no other, and without a run the thread counts', async (t) => {
    const p = await place(t);
    await rules(p, [{ name: 'this run', when: { run: 'r_1' }, then: 'unanswered' }]);
    const run = async (context: Ask['context']) => typeof (await become(p, { prompt: 'More?', context }));
    deepStrictEqual(
      [
        await run({ runId: 'r_1' }),
        await run({ runId: 'r_2', threadId: 'r_1' }),
        await run({ threadId: 'r_1' }),
        await run({}),
      ],
      ['object', 'string', 'object', 'string'],
    );
  });

  test('[ASK2] a key finds what a rule settled, and one that supersedes withdraws what was open', async (t) => {
    const p = await place(t);
    const open = await opened(p, { prompt: 'Ship?' });
    await rules(p, [APPROVE]);
    const first = await opened(p, { ...CALL, key: 'k', supersedes: open.id });
    const before = await readForSource(p.inquiries, open.id, p.sourceId);
    deepStrictEqual(
      [first.resolution?.outcome, before.resolution?.outcome, await inbox(p)],
      ['answered', 'withdrawn', []],
    );
    await rules(p, []);
    deepStrictEqual((await opened(p, { ...CALL, key: 'k' })).id, first.id);
  });

  test('a preview says what rules would have made of the history, and where people decided otherwise', async (t) => {
    const p = await place(t);
    const decide = async (asked: Ask, type: 'approve' | 'reject') => {
      const { id, digest } = await opened(p, asked);
      await answerInquiry(p.inquiries, p.phone, id, { digest, decisions: [{ type }] });
      return id;
    };
    const [yes, no] = [await decide(CALL, 'approve'), await decide(CALL, 'reject')];
    const careful = await decide({ actions: [action({ caution: true })] } as Ask, 'approve');
    await decide({ actions: [action({ name: 'rm' })] } as Ask, 'approve');
    await opened(p, CALL);
    const me = { id: p.phone.personId, handle: p.phone.handle };
    const { looked, items } = await previewRules(p.database.read, me, { of: 'me', rules: [APPROVE] });
    deepStrictEqual(
      [
        looked,
        ...items.map(({ inquiryId, rule, would, did, differs }) => [inquiryId, rule, would?.text, did.text, differs]),
      ],
      [
        4,
        [careful, 'Reading is fine', undefined, 'Approved: Run `ls`.', false],
        [no, 'Reading is fine', 'Approved: Run `ls`.', 'Rejected: Run `ls`.', true],
        [yes, 'Reading is fine', 'Approved: Run `ls`.', 'Approved: Run `ls`.', false],
      ],
    );
    deepStrictEqual((await readSnapshot(p.inquiries, p.phone)).inquiries.length, 1);
  });
}
