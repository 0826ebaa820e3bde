import { deepStrictEqual, ok } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { newId } from '#shared/ids.ts';
import type { Ask } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { addDevice } from '../../devices/admit.ts';
import type { Database } from '../../platform/database.ts';
import { batch, within } from '../../platform/steps.ts';
import { privatePostgres, type PrivatePostgres } from '../../platform/testing/postgres.ts';
import { putPolicies } from '../../automation/rules/change.ts';
import { answerInquiry } from '../answer.ts';
import { ask } from '../ask.ts';
import { changeProposal } from '../../automation/deciders/change.ts';
import { saveDraft } from '../draft.ts';
import { extendInquiry, moveDeadline } from '../extend.ts';
import type { Answerer } from '../answerer.ts';
import { askedOfPerson, readAsRecipient, readAsSource, readIn } from '../store.ts';
import { sweep } from '../expire.ts';
import { finish, resolve } from '../resolve.ts';
import { withdrawIfOpen } from '../withdraw.ts';
import { withDecider } from '../../automation/testing/deciding.contract.ts';
import { openPlace, type Place } from './place.ts';

describe('on Postgres', () => {
  let server: PrivatePostgres;
  before(async () => {
    server = await privatePostgres();
  });
  after(() => server.stop());

  async function place(t: TestContext): Promise<Place> {
    const { url } = await server.migratedDatabase();
    const opened = await openPlace(url);
    t.after(opened.close);
    return opened.place;
  }

  test('a draft that is written while its inquiry is resolved does not outlive it', async (t) => {
    const p = await place(t);
    const { database, inquiries, phone } = p;
    const id = await p.ask({ prompt: 'Ship?' });
    const waiting = async () => {
      const query = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await query.execute(database.read)).rows.length === 0) await setImmediate();
    };
    let drafting: ReturnType<typeof saveDraft> | undefined;
    await database.transaction(async (trx) => {
      const row = await within(trx, readIn(askedOfPerson(id, phone.personId)));
      const by = { kind: 'source' as const, label: 'Agent' };
      const how = { hub: inquiries, due: 'any time', goesOn: true } as const;
      const ending = await within(trx, resolve(row, { outcome: 'withdrawn', by }, how));
      drafting ??= saveDraft(inquiries, phone, id, { text: 'Ye' });
      await Promise.race([drafting, waiting()]);
      await within(trx, batch(finish(ending!)));
    });
    deepStrictEqual(
      [(await drafting)?.personIds, await database.read.selectFrom('drafts').selectAll().execute()],
      [[], []],
    );
  });

  test('[POL8] an answer waits for nobody who holds what is proposed, and they find nothing to change', async (t) => {
    const p = await place(t);
    const { deciders, proposal } = await withDecider(p, { suggests: true });
    const id = await p.ask({ prompt: 'Which?' });
    await deciders.idle();
    const { id: proposalId } = (await proposal())!;
    const left = () => p.database.read.selectFrom('proposals').select('id').execute();
    const held = await p.database.transaction(async (trx) => {
      await sql`select 1 from proposals where id = ${proposalId} for update`.execute(trx);
      await p.answer(id, { text: 'Red' });
      return left();
    });
    await changeProposal(p.inquiries, proposalId, () => ({ set: { state: 'failed' } }));
    deepStrictEqual([held, await left()], [[{ id: proposalId }], []]);
  });

  test('[POL5] a change of the rules returns once what they settled before is stored', async (t) => {
    const p = await place(t);
    const { database, inquiries, sourceId, phone } = p;
    const which = { of: 'person' as const, personId: phone.personId };
    const rules = [{ name: 'always', when: { tool: 'Bash' }, then: 'approve' as const }];
    await putPolicies(database, which, { version: 0, rules }, phone.deviceId);
    await p.ask({ prompt: 'Ship?' });
    const waiting = async (kind: string) => {
      const query = sql`select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where datname = current_database() and not granted and locktype = ${kind}`;
      while ((await query.execute(database.read)).rows.length === 0) await setImmediate();
      return `${kind} waits`;
    };
    const call: Ask = { actions: [{ name: 'Bash', args: {}, allowed: ['approve', 'reject'] }] };
    const { asking, putting, first } = await database.transaction(async (trx) => {
      await sql`lock table recipients in exclusive mode`.execute(trx);
      const asking = ask(inquiries, { sourceId, ask: call, waitMs: 0 });
      await waiting('relation');
      const putting = putPolicies(database, which, { version: 1, rules: [] }, phone.deviceId);
      return { asking, putting, first: await Promise.race([putting.then(() => 'put'), waiting('advisory')]) };
    });
    deepStrictEqual([first, (await asking).inquiry?.resolution?.outcome], ['advisory waits', 'answered']);
    await putting;
    deepStrictEqual((await ask(inquiries, { sourceId, ask: call, waitMs: 0 })).inquiry?.resolution, undefined);
  });

  test('[RES1] an answer that meets the very moment in which the deadline is moved wins', async (t) => {
    const p = await place(t);
    const { database } = p;
    const id = await p.ask({ prompt: 'Ship?', deadline: 20, latest: 300 });
    const row = await readAsRecipient(database, id, p.phone.personId);
    const begun = await database.transaction(async (trx) => {
      ok(await moveDeadline(trx, row, row.deadline_at + 60_000, database.clock));
      p.pass(21_000);
      const reply = p.answer(id, { text: 'Yes' }, p.laptop);
      // It saw the deadline as it was, and waits for the one who moves it.
      while (!(await isBlocked(database)));
      return { reply };
    });
    deepStrictEqual((await begun.reply).resolution.answer, { text: 'Yes' });
  });

  test('changes for the same people wait on one advisory lock, and a commit wakes only the first', async (t) => {
    const p = await place(t);
    const { database } = p;
    const open = [await p.ask({ prompt: 'Ship?' }), await p.ask({ prompt: 'Wait?' })];
    const begun = await database.transaction(async (trx) => {
      await trx.updateTable('people').set({ name: 'Ann' }).execute();
      const told = Promise.all([
        ...open.map((id) => withdrawIfOpen(p.inquiries, p.sourceId, id)),
        ...['Now?', 'Or later?'].map((prompt) => p.ask({ prompt })),
      ]);
      const waiting = sql<{ locktype: string }>`select locktype from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database() order by locktype`;
      for (;;) {
        const { rows } = await waiting.execute(database.read);
        if (rows.length === 4) return { told, kinds: rows.map(({ locktype }) => locktype) };
      }
    });
    await begun.told;
    deepStrictEqual(begun.kinds, ['advisory', 'advisory', 'advisory', 'transactionid']);
  });

  test('[RES1] whoever asks, supersedes, answers, withdraws, extends and expires at once waits in one order', async (t) => {
    const p = await place(t);
    const { database, inquiries } = p;
    const people: Answerer[] = [];
    for (let at = 0; at < 6; at++) {
      const id = newId('per', database.clock.now());
      const row = { id, handle: `person${at}`, name: 'Person', created_at: database.clock.now(), locale: null };
      await database.transaction((trx) => trx.insertInto('people').values(row).execute());
      const { deviceId } = await addDevice(database, id, 'Phone');
      people.push({ deviceId, deviceName: 'Phone', personId: id, handle: row.handle, via: 'live' });
    }
    const handles = people.map(({ handle }) => handle);
    const outcomes: (string | undefined)[] = [];
    await Promise.all(
      people.map(async (_, lane) => {
        let supersedes: string | undefined;
        for (let round = 0; round < 15; round++) {
          const to = [...handles.slice(lane), ...handles.slice(0, lane)].slice(0, 4);
          const ids = await Promise.all(['Ship?', 'Wait?'].map((prompt) => p.ask({ prompt, to, deadline: 300 })));
          const asked = { prompt: 'Now?', to, ...(supersedes === undefined ? {} : { supersedes }) };
          const [first = '', second = ''] = ids;
          const settled = await Promise.allSettled([
            p.ask(asked),
            ...people.map((one) => answerInquiry(inquiries, one, first, { text: 'Yes' })),
            withdrawIfOpen(inquiries, p.sourceId, first),
            extendInquiry(inquiries, people[(lane + 1) % 6]!, second, 60),
            sweep(inquiries),
          ]);
          const [asking] = settled;
          supersedes = asking.status === 'fulfilled' ? asking.value : undefined;
          // Two of the six were not asked; whoever else fails was told why in plain words.
          const faults = settled.filter((one) => one.status === 'rejected' && !(one.reason instanceof AppError));
          const row = await readAsSource(database, first, p.sourceId);
          outcomes.push(faults.length === 0 ? row.outcome! : 'failed');
        }
      }),
    );
    const raised = await database.read
      .selectFrom('people')
      .select(['id', 'version'])
      .where(
        'id',
        'in',
        people.map(({ personId }) => personId),
      )
      .execute();
    const told = new Map<string, number[]>();
    for (const { versions } of p.news)
      for (const { personId, version } of versions) told.set(personId, [...(told.get(personId) ?? []), version]);
    const gaps = raised.filter(
      ({ id, version }) => new Set(told.get(id)).size !== version || told.get(id)?.length !== version,
    );
    const { rows } = await sql<{
      deadlocks: number;
    }>`select deadlocks from pg_stat_database where datname = current_database()`.execute(database.read);
    deepStrictEqual(
      [outcomes.length, outcomes.filter((one) => one !== 'answered' && one !== 'withdrawn'), gaps, rows],
      [90, [], [], [{ deadlocks: 0 }]],
    );
  });
});

async function isBlocked({ read }: Database): Promise<boolean> {
  const blocked = sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  return (await blocked.execute(read)).rows.length > 0;
}
