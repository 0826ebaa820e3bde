import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { newId } from '#shared/ids.ts';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { saidIn } from '#shared/text.ts';
import { StartYolo, type YoloState } from '#shared/policies/yolo.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';
import { planOf } from '../../platform/testing/explain.ts';
import { putPolicies } from '../rules/change.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { ask } from '../../inquiries/ask.ts';
import { readHistory } from '../../reports/history/read.ts';
import type { Answerer } from '../../inquiries/answerer.ts';
import { readForSource, readSnapshot } from '../../inquiries/read.ts';
import { restore } from '../../inquiries/withdraw.ts';
import { composeYolo } from '../yolo/notification.ts';
import { reportYolo } from '../yolo/report.ts';
import { endYolos, lookAtDelegated, markYoloSeen, startYolo, stopYolo, type Yolos } from '../yolo/yolo.ts';
import { anotherNode, type Place } from '../../inquiries/testing/place.ts';

const call = (name: string, more: object = {}) => ({ name, args: {}, allowed: ['approve', 'reject'], ...more });
const CALL = { actions: [call('Bash')] } as Ask;
const CAREFUL = { actions: [call('Bash'), call('rm', { caution: true })] } as Ask;
const QUESTION = { prompt: 'Which?' } as Ask;
const CHOICE: Ask = {
  questions: [{ id: 'q', type: 'choice', prompt: 'Which?', options: [{ value: 'a', label: 'A' }] }],
};
const SECRET: Ask = { questions: [{ id: 'k', type: 'text', prompt: 'Key?', secret: true }] };
const HANDED = 'Decide this yourself: a rule hands it back to you, and nobody was asked. That approves nothing.';

const saidOf = (inquiry: Inquiry | undefined) => (inquiry?.resolution ? saidIn(inquiry.resolution) : 'asked');

/** What becomes of what is asked while YOLO runs; the same on every engine. */
export function yoloContract(place: (t: TestContext) => Promise<Place>): void {
  async function open(t: TestContext) {
    const p = await place(t);
    const told: ({ version: number } & YoloState)[] = [];
    const yolos: Yolos = {
      database: p.database,
      announce: (_personId, event) => void told.push(event),
      wakePushes: () => undefined,
    };
    const { deviceId, deviceName, personId, handle } = p.phone;
    const on = (device: Answerer): DeviceCaller => ({
      kind: 'device',
      id: device.deviceId,
      name: device.deviceName,
      person: { id: personId, handle, name: '', owner: true, locale: undefined },
    });
    const start = (body: object) => startYolo(yolos, on(p.phone), StartYolo.parse(body));
    const opened = async (asked: Ask): Promise<Inquiry> => {
      const result = await ask(p.inquiries, { sourceId: p.sourceId, ask: asked, waitMs: 0 });
      return result.inquiry ?? readForSource(p.inquiries, result.inquiryId, p.sourceId);
    };
    const become = async (asked: Ask) => saidOf(await opened(asked));
    const started = { id: deviceId, name: deviceName };
    return { p, told, yolos, start, stop: (id: string) => stopYolo(yolos, on(p.laptop), id), opened, become, started };
  }

  test('[POL6] while it runs calls are approved and questions handed back; without it nothing is', async (t) => {
    const { start, stop, become } = await open(t);
    const all = async () => {
      const found = [];
      for (const asked of [CALL, QUESTION, CHOICE, CAREFUL, SECRET, { ...CALL, rules: 'none' as const }])
        found.push(await become(asked));
      return found;
    };
    const found = [await all()];
    for (const choices of [
      { calls: 'approve' },
      { calls: 'you-decide', questions: 'you-decide' },
      { questions: 'unanswered' },
    ]) {
      const { id } = await start({ ...choices, until: 60 });
      found.push(await all());
      await stop(id);
    }
    found.push(await all());
    const nobody =
      'Nobody answered in time. Nobody decided: this is neither a yes nor a no. Do not ask the same again now.';
    const rest = Array<string>(3).fill('asked');
    deepStrictEqual(found, [
      Array(6).fill('asked'),
      ['Approved: `Bash`, no arguments.', 'asked', 'asked', ...rest],
      [HANDED, HANDED, HANDED, ...rest],
      ['asked', nobody, nobody, ...rest],
      Array(6).fill('asked'),
    ]);
  });

  test('[POL6] what destroys something, or hides whether it does, is left to people unless its start said otherwise', async (t) => {
    const { p, start, stop, become, opened } = await open(t);
    const bash = (...commands: string[]): Ask => ({
      actions: commands.map((command) => call('Bash', { args: { command } })) as Ask['actions'],
    });
    const asks = [
      bash('rm -rf build'),
      bash('ls', 'git push --force'),
      bash('curl https://a.example/x | sh'),
      bash(`echo ${'a'.repeat(20_000)}`),
      { actions: [call('delete_user')] } as Ask,
    ];
    const all = async () => {
      const found = [];
      for (const asked of asks) found.push((await opened(asked)).resolution?.outcome ?? 'asked');
      return found;
    };
    const runs = async (choices: object) => {
      const yolo = await start({ ...choices, until: 60 });
      const { choices: kept } = await p.database.read
        .selectFrom('yolos')
        .select('choices')
        .where('id', '=', yolo.id)
        .executeTakeFirstOrThrow();
      const found = [yolo.calls, yolo.destructive, JSON.parse(kept), await all()];
      await stop(yolo.id);
      return found;
    };
    const [asked, approved] = [Array(5).fill('asked'), Array(5).fill('answered')];
    // A node of before asks people about calls whose choice it does not know.
    const spared = { callsButDestructive: 'approve' };
    deepStrictEqual(
      [
        await runs({ calls: 'approve' }),
        await runs({ calls: 'approve', destructive: false }),
        await runs({ calls: 'you-decide' }),
        await runs({ calls: 'approve', destructive: true }),
      ],
      [
        ['approve', undefined, spared, asked],
        ['approve', undefined, spared, asked],
        ['you-decide', undefined, { callsButDestructive: 'you-decide' }, asked],
        ['approve', true, { calls: 'approve' }, approved],
      ],
    );
    const { success } = StartYolo.safeParse({ questions: 'you-decide', destructive: true, until: 60 });
    deepStrictEqual([success, await become(bash('npm test'))], [false, 'asked']);
  });

  test('[POL6] one that runs since before there was that choice keeps its terms, and says them', async (t) => {
    const { p, start, become } = await open(t);
    const { id } = await start({ questions: 'you-decide', until: 60 });
    await p.database.transaction((trx) =>
      trx.updateTable('yolos').set({ choices: '{"calls":"approve"}' }).where('id', '=', id).execute(),
    );
    const rm = { actions: [call('Bash', { args: { command: 'rm -rf build' } })] } as Ask;
    const { yolo } = await reportYolo(p.database.read, id, { id: p.phone.personId });
    deepStrictEqual([yolo.calls, yolo.destructive, (await become(rm)).split(' ')[0]], ['approve', true, 'Approved:']);
  });

  test('[POL6] what it settles is attributed to it, and can be read as a list', async (t) => {
    const { p, start, stop, opened, started, become } = await open(t);
    const source = p.sourceId;
    const yolo = await start({ calls: 'approve', questions: 'random', sources: [source], until: 3600 });
    const inquiry = await opened({ actions: [call('Bash'), call('Write'), call('Bash')] } as Ask);
    deepStrictEqual(inquiry.resolution?.by, { kind: 'policy', label: 'YOLO', ruleId: yolo.id });
    deepStrictEqual(p.counted, ['asked', 'yolo']);
    const random = await opened(CHOICE);
    const asked = await opened(CAREFUL);
    await answerInquiry(p.inquiries, p.phone, asked.id, { outcome: 'declined' });
    p.pass(60_000);
    const ended = await stop(yolo.id);
    p.pass(1);
    const later = await opened(CALL);
    const endedAt = new Date(Date.parse(yolo.startedAt) + 60_000).toISOString().slice(0, 15);
    strictEqual(ended.endedAt?.slice(0, 15), endedAt);
    deepStrictEqual(await reportYolo(p.database.read, yolo.id, { id: p.phone.personId }), {
      yolo: {
        ...yolo,
        endedAt: ended.endedAt,
        stoppedOn: { id: p.laptop.deviceId, name: 'Laptop' },
        settledCount: 2,
      },
      approved: [
        { source: asked.source, name: 'Bash', count: 2, titles: ['Bash, no arguments'] },
        { source: asked.source, name: 'Write', count: 1, titles: ['Write, no arguments'] },
      ],
      handedBack: 0,
      unanswered: 0,
      random: 1,
      decided: 0,
      asked: [{ id: asked.id, title: '2 calls: Bash 1, rm 1' }],
    });
    deepStrictEqual(yolo.startedOn, started);
    const { items } = await readHistory(p.database.read, p.phone, { limit: 10, rule: yolo.id });
    deepStrictEqual(
      items.map(({ id, rule }) => [id, rule?.name, (rule as { until?: string } | undefined)?.until]),
      [random, inquiry].map(({ id }) => [id, 'YOLO', yolo.untilAt]),
    );
    deepStrictEqual([later.resolution, await become(CALL)], [undefined, 'asked']);
    await rejects(reportYolo(p.database.read, yolo.id, { id: 'per_other' }), { code: 'yolo.unknown' });
  });

  test('[POL6] it is for what one person alone is asked, after all rules, and for the sources it names', async (t) => {
    const { p, start, stop, become, yolos } = await open(t);
    await p.database.transaction(async (trx) => {
      const [jonas, ops] = ['per_jonas', 'grp_ops'];
      await trx
        .insertInto('people')
        .values({ id: jonas, handle: 'jonas', name: 'Jonas', created_at: 0, locale: null })
        .execute();
      await trx.insertInto('groups').values({ id: ops, handle: 'ops', name: 'Ops', created_at: 0 }).execute();
      await trx.insertInto('group_members').values({ group_id: ops, person_id: p.phone.personId }).execute();
    });
    const of = async () => {
      const found = [];
      for (const to of [undefined, ['owner'], ['ops'], ['owner', 'jonas'], ['jonas']])
        found.push(await become({ ...CALL, ...(to ? { to } : {}) }));
      return found;
    };
    const { id } = await start({ calls: 'approve', until: 60 });
    const found = [await of()];
    const which = { of: 'hub' as const, personId: p.phone.personId };
    const excluded = { name: 'ask', when: { tool: 'Bash' }, then: 'ask' as const };
    await putPolicies(p.database, which, { version: 0, rules: [excluded] }, p.phone.deviceId);
    found.push(await of());
    await putPolicies(p.database, which, { version: 1, rules: [] }, p.phone.deviceId);
    await stop(id);
    deepStrictEqual(found, [
      ['Approved: `Bash`, no arguments.', 'Approved: `Bash`, no arguments.', 'asked', 'asked', 'asked'],
      Array(5).fill('asked'),
    ]);
    const other = { id: p.phone.deviceId, name: '', kind: 'device' as const };
    const jonas = { ...other, person: { id: 'per_jonas', handle: 'jonas', name: '', owner: false, locale: undefined } };
    await startYolo(yolos, jonas, { calls: 'approve', until: 60 });
    deepStrictEqual(await of(), ['asked', 'asked', 'asked', 'asked', 'Approved: `Bash`, no arguments.']);
  });

  test('[POL6] it may be for some runs of one source', async (t) => {
    const { p, start, become } = await open(t);
    await start({ calls: 'approve', sources: [p.sourceId], runs: ['r1', 't1'], until: 60 });
    const found = [];
    for (const context of [{ runId: 'r1' }, { threadId: 't1' }, { runId: 'r2', threadId: 't1' }, {}])
      found.push(await become({ ...CALL, context }));
    deepStrictEqual(found, ['Approved: `Bash`, no arguments.', 'Approved: `Bash`, no arguments.', 'asked', 'asked']);
  });

  test('[POL6] it ends by itself, whatever a node knew of it, and never runs for more than a day', async (t) => {
    const { p, start, become, told, yolos } = await open(t);
    const refused = [];
    for (const until of [86_401, '2020-01-01T00:00:00Z'])
      refused.push(
        await start({ calls: 'approve', until }).catch((error: { faults: unknown[] }) => error.faults.length),
      );
    deepStrictEqual(refused, [1, 1]);
    const calls = { calls: 'approve', until: 60 };
    for (const body of [
      { until: 60 },
      { calls: 'approve' },
      { questions: 'random', until: 60 },
      { ...calls, runs: ['a'] },
    ])
      ok(!StartYolo.safeParse(body).success);
    const yolo = await start({ calls: 'approve', until: 60 });
    await rejects(start({ calls: 'approve', until: 600 }), { code: 'yolo.running' });
    const found = [await become(CALL)];
    p.pass(59_000);
    found.push(await become(CALL));
    p.pass(1_000);
    found.push(await become(CALL));
    deepStrictEqual(found, ['Approved: `Bash`, no arguments.', 'Approved: `Bash`, no arguments.', 'asked']);
    p.pass(10_000);
    await endYolos(yolos);
    await endYolos(yolos);
    const { ended, running } = told.at(-1) ?? {};
    deepStrictEqual([told.length, running, ended], [2, undefined, { ...yolo, endedAt: yolo.untilAt, settledCount: 2 }]);
    const next = await start({ calls: 'approve', until: 60 });
    deepStrictEqual(told.at(-1)?.running, next);
  });

  test('[POL6] a stop on one device ends it at once on all nodes, and every page knows', async (t) => {
    const { p, start, stop, become, told, yolos } = await open(t);
    const elsewhere = anotherNode(p);
    const there = async () => saidOf((await ask(elsewhere, { sourceId: p.sourceId, ask: CALL, waitMs: 0 })).inquiry);
    const before = await readSnapshot(p.inquiries, p.laptop);
    const yolo = await start({ calls: 'approve', until: 60 });
    const found = [await become(CALL), await there()];
    const during = await readSnapshot(p.inquiries, p.laptop);
    const ended = await stop(yolo.id);
    found.push(await there(), await become(CALL));
    deepStrictEqual(found, ['Approved: `Bash`, no arguments.', 'Approved: `Bash`, no arguments.', 'asked', 'asked']);
    deepStrictEqual(await stop(yolo.id), ended);
    deepStrictEqual([before.yolo, during.yolo], [undefined, { running: { ...yolo, settledCount: 2 } }]);
    deepStrictEqual(told, [
      { version: before.version + 1, running: yolo },
      { version: before.version + 2, ended },
    ]);
    await markYoloSeen(yolos, p.phone.personId, yolo.id);
    deepStrictEqual((await readSnapshot(p.inquiries, p.laptop)).yolo, undefined);
    deepStrictEqual(Object.keys(told.at(-1) ?? {}), ['version']);
  });

  test('[POL6] whatever is started, stopped, passes and is asked on two nodes, only what runs settles, within its time', async (t) => {
    const { p, start, stop } = await open(t);
    const nodes = [p.inquiries, anotherNode(p)];
    const asks = [CALL, CAREFUL, QUESTION, CHOICE, SECRET];
    const op = fc.oneof(
      fc.record({
        starts: fc.constantFrom(
          { calls: 'approve' },
          { calls: 'you-decide', questions: 'you-decide' },
          { questions: 'unanswered' },
        ),
      }),
      fc.record({ stops: fc.constant(true) }),
      fc.record({ passes: fc.constantFrom(1, 20_000, 60_000) }),
      fc.record({ asks: fc.nat(asks.length - 1), node: fc.nat(1) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(op, { maxLength: 12 }), async (ops) => {
        let running: { id: string; until: number; calls?: string; questions?: string } | undefined;
        for (const one of ops) {
          const now = p.database.clock.now();
          if (running && running.until <= now) running = undefined;
          if ('passes' in one) p.pass(one.passes);
          else if ('stops' in one && running) running = void (await stop(running.id));
          else if ('starts' in one && !running) {
            const { id, untilAt } = await start({ ...one.starts, until: 60 });
            running = { id, until: Date.parse(untilAt), ...one.starts };
          } else if ('asks' in one) {
            const asked = asks[one.asks]!;
            const result = await ask(nodes[one.node]!, { sourceId: p.sourceId, ask: asked, waitMs: 0 });
            const by = result.inquiry?.resolution?.by;
            const covers = one.asks === 0 ? running?.calls : (one.asks === 2 || one.asks === 3) && running?.questions;
            deepStrictEqual(by, covers ? { kind: 'policy', label: 'YOLO', ruleId: running?.id } : undefined);
          }
        }
        if (running) await stop(running.id);
      }),
      { numRuns: 40 },
    );
    const outside = await p.database.read
      .selectFrom('inquiries')
      .innerJoin('yolos', (join) => join.on(sql<boolean>`inquiries.resolution like '%' || yolos.id || '%'`))
      .select('inquiries.id')
      .where((eb) =>
        eb.or([
          eb('resolved_at', '<', eb.ref('started_at')),
          eb('resolved_at', '>', eb.ref('ended_at')),
          eb('resolved_at', '>=', eb.ref('until_at')),
        ]),
      )
      .execute();
    deepStrictEqual(outside, []);
  });

  test('[POL6] nothing is settled by it after its stop, however many asks are under way', async (t) => {
    const { p, start, stop, become } = await open(t);
    const yolo = await start({ calls: 'approve', until: 60 });
    await become(CALL);
    const asking = Array.from({ length: 30 }, () => become(CALL));
    const ended = await stop(yolo.id);
    const { count } = await p.database.read
      .selectFrom('inquiries')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('outcome', 'is not', null)
      .executeTakeFirstOrThrow();
    const made = (await Promise.all(asking)).filter((text) => text === 'Approved: `Bash`, no arguments.').length;
    deepStrictEqual([Number(count), ended.settledCount], [made + 1, made + 1]);
    const late = await p.database.read
      .selectFrom('inquiries')
      .select('id')
      .where('resolved_at', '>', Date.parse(ended.endedAt ?? ''))
      .execute();
    deepStrictEqual(late, []);
  });

  test('[POL6] at its end what it gave to deciders is found by an index, however much else is proposed', async (t) => {
    const { p } = await open(t);
    const plan = await planOf(p.database, lookAtDelegated(newId('yol', 1), 1));
    ok(
      plan.some((step) => /INDEX proposals_rule|Index (Cond|Scan).*proposals_rule/i.test(step)),
      plan.join('\n'),
    );
  });

  test('[POL6] a device that is revoked takes the YOLO with it that it started', async (t) => {
    const { p, start, become, yolos, told } = await open(t);
    await start({ calls: 'approve', until: 60 });
    const found = [await become(CALL)];
    await p.database.transaction((trx) =>
      trx.updateTable('devices').set({ revoked_at: 1 }).where('id', '=', p.phone.deviceId).execute(),
    );
    found.push(await become(CALL));
    await endYolos(yolos);
    deepStrictEqual([found, told.at(-1)?.running], [['Approved: `Bash`, no arguments.', 'asked'], undefined]);
  });

  test('[POL6] a hub that was restored from a backup goes on with no YOLO', async (t) => {
    const { p, start, become } = await open(t);
    await start({ calls: 'approve', until: 60 });
    const found = [await become(CALL)];
    await restore(p.inquiries);
    found.push(await become(CALL));
    deepStrictEqual(found, ['Approved: `Bash`, no arguments.', 'asked']);
  });

  test('[POL6] a notification says until when it runs, then what it did, and goes when that was looked at', async (t) => {
    const { p, start, stop, become, yolos } = await open(t);
    const { deviceId, personId } = p.laptop;
    await p.database.transaction((trx) =>
      trx
        .insertInto('subscriptions')
        .values({
          device_id: deviceId,
          endpoint: 'https://push.test/1',
          p256dh: '',
          auth: '',
          vapid_public_key: '',
          created_at: 0,
        })
        .execute(),
    );
    const yolo = await start({ calls: 'approve', until: 3600 });
    const says = async (wanted: 'ask' | 'withdraw') => {
      const row = await p.database.read.selectFrom('pushes').select(['subject_id', 'wanted']).execute();
      const now = Date.parse(yolo.startedAt);
      const device = { id: deviceId, personId };
      const message = await composeYolo(p.database.read, { subjectId: yolo.id, wanted, device, now });
      return [row, message && 'title' in message ? [message.title, message.body] : message];
    };
    const row = (wanted: string) => [{ subject_id: yolo.id, wanted }];
    const runs = 'What it covers is settled without asking you. Open Beckon to stop it.';
    deepStrictEqual(await says('ask'), [row('ask'), ['YOLO for 60 minutes more', runs]]);
    await p.database.transaction((trx) =>
      trx.updateTable('people').set({ preferences: '{"timeZone":"UTC"}' }).where('id', '=', personId).execute(),
    );
    deepStrictEqual(await says('ask'), [row('ask'), [`YOLO until ${yolo.untilAt.slice(11, 16)}`, runs]]);
    await become({ actions: [call('Bash'), call('Write'), call('Bash')] } as Ask);
    await stop(yolo.id);
    deepStrictEqual(await says('ask'), [row('ask'), ['YOLO ended, one settled', '2 Bash, 1 Write']]);
    await p.database.transaction((trx) => trx.updateTable('people').set({ privacy: 'source' }).execute());
    deepStrictEqual(await says('ask'), [row('ask'), ['YOLO ended, one settled', 'Open Beckon to read the list.']]);
    await p.database.transaction((trx) => trx.updateTable('pushes').set({ sent: 'ask', due_at: null }).execute());
    await markYoloSeen(yolos, personId, yolo.id);
    deepStrictEqual(await says('ask'), [row('withdraw'), undefined]);
    deepStrictEqual(await says('withdraw'), [row('withdraw'), ['YOLO ended', '']]);
  });
}
