import { deepStrictEqual, match, ok } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { sql } from 'kysely';
import { addDevice } from '../../devices/admit.ts';
import { revokeDevice } from '../../devices/revoke.ts';
import { forgetResolved } from '../../inquiries/expire.ts';
import type { Place } from '../../inquiries/testing/place.ts';
import { withdrawAskedOf } from '../../inquiries/withdraw.ts';
import { removeGate } from '../../mcp/gate/config/store.ts';
import { removePerson } from '../../people/remove.ts';
import { DAY_MS, HOUR_MS } from '../../platform/clock.ts';
import { plansOf, readThrough } from '../../platform/testing/explain.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { readKeySet, renewKeys } from '../../receipts/keys.ts';
import { createSourceForEverybody } from '../../sources/create.ts';
import { chain } from '../chain.ts';
import { hashEntry, NOTHING_BEFORE, readEntries, showEntry, type LogClaims } from '../entries.ts';
import { auditRoutes } from '../routes.ts';
import { verifyLog, type Known } from '../verify.ts';
import { serveRoutes } from '../../receipts/testing/serve.ts';

const KEEPING = { retainDays: 90, auditDays: 365 };
const MINUTE_MS = 60_000;
/** From then on everything that was committed stands in an entry. */
const SETTLED_MS = 6 * MINUTE_MS;

/** The sealed log: what it names, and that each change of it and of what it names is told; the same on every engine. */
export function auditContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(async (t) => {
    const p = await open(t);
    p.pass(1);
    await renewKeys(p.inquiries, 90);
    return Object.assign(p, { t });
  });
  const write = async (p: Place, afterMs = MINUTE_MS): Promise<void> => {
    p.pass(afterMs);
    await chain(p.inquiries, KEEPING);
  };
  const entriesOf = async ({ database: { read } }: Place): Promise<(LogClaims & { jws: string })[]> =>
    (await Array.fromAsync(readEntries(read, 0))).flat().flatMap(showEntry);
  const named = async (p: Place) => (await entriesOf(p)).map(({ rows }) => rows.map(([kind, id]) => `${kind} ${id}`));
  const faultsOf = async (p: Place, known?: Known): Promise<string[]> =>
    (await verifyLog(p.database, { keys: (await readKeySet(p)).keys, ...(known && { known }) })).faults;
  const settle = async (p: Place): Promise<string> => {
    const id = await p.ask({ prompt: 'Which?' });
    await p.answer(id, { text: 'This' });
    return id;
  };
  /** Five entries, of which each names one inquiry; the first also the devices. */
  const written = async (p: Place): Promise<string[]> => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) {
      ids.push(await settle(p));
      await write(p);
    }
    return ids;
  };
  const change = (p: Place, statement: ReturnType<typeof sql>) =>
    p.database.transaction((trx) => statement.execute(trx));
  const putGate = (p: Place, name: string, config = '{}') =>
    p.database.transaction((trx) =>
      trx
        .insertInto('gates')
        .values({ name, config, changed_at: Math.round(p.database.clock.now()) })
        .execute(),
    );

  test('[APR6] what was resolved and changed stands in one signed entry, which names the hash of the one before; nothing new, no entry', async (p) => {
    const first = await settle(p);
    await write(p);
    await write(p);
    const second = await settle(p);
    await putGate(p, 'crm');
    const now = Math.round(p.database.clock.now());
    const { personId: person_id, deviceId: made_by } = p.phone;
    await change(p, sql`insert into policies values ('hub', null, 1, '[]', ${now}, ${made_by})`);
    await change(p, sql`insert into deciders values ('dcd_1', 'Model', '{}', null, ${now}, null)`);
    await change(
      p,
      sql`insert into yolos values ('yol_1', ${person_id}, '{}', ${now}, ${now + HOUR_MS}, ${made_by}, null, null, null, 0)`,
    );
    await write(p);
    p.pass(1);
    await change(p, sql`update yolos set ended_at = ${Math.round(p.database.clock.now())}`);
    await revokeDevice(p.database, { revoked() {} } as never, person_id, p.laptop.deviceId);
    await write(p);
    const entries = await entriesOf(p);
    const sorted = (await named(p)).map((rows) => rows.toSorted());
    deepStrictEqual(sorted, [
      [`device ${p.laptop.deviceId}`, `device ${made_by}`, `inquiry ${first}`].toSorted(),
      ['decider dcd_1', 'gate crm', `inquiry ${second}`, 'policies hub', 'yolo yol_1'],
      [`device ${p.laptop.deviceId}`, 'yolo yol_1'],
    ]);
    deepStrictEqual(
      entries.map(({ number, prev }) => [number, prev]),
      [
        [1, NOTHING_BEFORE],
        [2, hashEntry(entries[0]?.jws ?? '')],
        [3, hashEntry(entries[1]?.jws ?? '')],
      ],
    );
    const { keys } = await readKeySet(p);
    deepStrictEqual(decodeProtectedHeader(entries[0]?.jws ?? ''), {
      alg: 'EdDSA',
      kid: keys[0]?.kid,
      typ: 'beckon-log+jwt',
    });
    p.pass(SETTLED_MS);
    deepStrictEqual(await faultsOf(p), []);
  });

  test('[APR6] what was committed late with an earlier instant is taken all the same, and nothing twice', async (p) => {
    const id = await settle(p);
    await write(p);
    const late = await settle(p);
    const behind = Math.round(p.database.clock.now()) - 4 * MINUTE_MS;
    await change(p, sql`update inquiries set resolved_at = ${behind} where id = ${late}`);
    for (let at = 0; at < 8; at++) await write(p);
    deepStrictEqual(
      (await named(p)).map((rows) => rows.filter((row) => row.startsWith('inquiry'))),
      [[`inquiry ${id}`], [`inquiry ${late}`]],
    );
    deepStrictEqual(await faultsOf(p), []);
  });

  test('[APR6] much that is new is several entries, and what was resolved before the log began stands in them', async (p) => {
    const like = await settle(p);
    await change(
      p,
      sql`insert into inquiries (id, source_id, digest, asked, transport, asked_of, opened_at, deadline_at, latest_at, outcome, resolution, resolved_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 2600)
        select 'inq_' || i, source_id, digest, asked, transport, asked_of, opened_at, deadline_at, latest_at, outcome, resolution, resolved_at - 3000 + i
        from n, inquiries where id = ${like}`,
    );
    await write(p);
    const entries = await entriesOf(p);
    deepStrictEqual(
      entries.map(({ rows }) => rows.length),
      [2_000, 603],
    );
    deepStrictEqual(new Set(entries.flatMap(({ rows }) => rows.map(([, id]) => id))).size, 2_603);
    p.pass(SETTLED_MS);
    const { faults, rows } = await verifyLog(p.database, await readKeySet(p));
    deepStrictEqual([faults, rows], [[], 2_603]);
    const small = ['deciders', 'gates', 'policies'];
    const plans = await plansOf(p.database, (database) => chain({ ...p.inquiries, database }, KEEPING));
    deepStrictEqual(readThrough(plans, { tables: ['inquiries', 'devices', 'yolos', ...small], small: [] }), []);
  });

  const FORGED = `${'e30'}.${Buffer.from('{"number":9}').toString('base64url')}.c2ln`;
  const TAMPERED: [string, ReturnType<typeof sql>[], string[]][] = [
    [
      'changed',
      [sql`update audit_entries set entry = ${FORGED} where number = 3`],
      ['Entry 3 was changed: its signature does not fit.'],
    ],
    [
      'changed by a byte',
      [sql`update audit_entries set entry = replace(entry, '.', '.A') where number = 1`],
      ['Entry 1 was changed: its signature does not fit.'],
    ],
    [
      'the last one changed',
      [sql`update audit_entries set entry = ${FORGED} where number = 5`],
      ['Entry 5 was changed: its signature does not fit.'],
    ],
    [
      'its time',
      [sql`update audit_entries set at = at + 1 where number = 2`],
      ['Entry 2 was changed: its number or its time.'],
    ],
    [
      'made old, so that the hub erases it',
      [sql`update audit_entries set at = 1 where number < 3`],
      ['Entry 1 was changed: its number or its time.', 'Entry 2 was changed: its number or its time.'],
    ],
    [
      'one in place of another',
      [sql`update audit_entries set entry = (select entry from audit_entries where number = 2) where number = 3`],
      ['Entry 2 was inserted once more, as number 3.', 'Entry 3 was removed.'],
    ],
    ['removed', [sql`delete from audit_entries where number = 3`], ['Entry 3 was removed.']],
    ['several removed', [sql`delete from audit_entries where number in (2, 3)`], ['Entries 2 to 3 were removed.']],
    ['the first ones removed', [sql`delete from audit_entries where number < 3`], ['Entries 1 to 2 were removed.']],
    ['the last one removed', [sql`delete from audit_entries where number = 5`], ['Entry 5 was removed.']],
    ['all removed', [sql`delete from audit_entries`], ['Entries 1 to 5 were removed.']],
    [
      'inserted at the end',
      [sql`insert into audit_entries values (6, 1, 1, ${FORGED})`],
      ['Entry 6 was inserted: no entry of the hub follows it.'],
    ],
    [
      'inserted before the first',
      [sql`insert into audit_entries values (0, 1, 1, ${FORGED})`],
      ['Entry 0 was inserted: no entry of the hub follows it.'],
    ],
    [
      'inserted between',
      [
        sql`update audit_entries set number = number + 100 where number > 2`,
        sql`update audit_entries set number = number - 99 where number > 100`,
        sql`insert into audit_entries values (3, 1, 1, ${FORGED})`,
      ],
      ['Entry 3 was inserted: no entry of the hub follows it.'],
    ],
    [
      'inserted again',
      [sql`insert into audit_entries select 6, at, through, entry from audit_entries where number = 2`],
      ['Entry 2 was inserted once more, as number 6.'],
    ],
    [
      'the note of the last one',
      [sql`delete from settings where name = 'audit_head'`],
      ['What the hub notes of the last entry was changed.'],
    ],
  ];
  test('[APR6] each entry that was changed, removed or inserted is named, and is still after the hub went on', async (p) => {
    await written(p);
    p.pass(SETTLED_MS);
    deepStrictEqual(await faultsOf(p), []);
    const rows = await p.database.read.selectFrom('audit_entries').selectAll().execute();
    const notes = await p.database.read.selectFrom('settings').selectAll().where('name', '=', 'audit_head').execute();
    const entryFaults = async () => (await faultsOf(p)).filter((fault) => !fault.startsWith('In no entry'));
    for (const [how, statements, faults] of TAMPERED) {
      for (const statement of statements) await change(p, statement);
      deepStrictEqual([how, await entryFaults()], [how, faults]);
      const id = await settle(p);
      if (!how.startsWith('the note')) {
        await write(p, 0);
        ok((await named(p)).flat().includes(`inquiry ${id}`), `${how}: the next entry is written`);
        deepStrictEqual([how, 'went on', await entryFaults()], [how, 'went on', faults]);
      }
      await change(p, sql`delete from audit_entries`);
      await change(p, sql`delete from settings where name = 'audit_head'`);
      await p.database.transaction((trx) => trx.insertInto('audit_entries').values(rows).execute());
      await p.database.transaction((trx) => trx.insertInto('settings').values(notes).execute());
    }
  });

  test('[APR6] each row that was changed, removed or added is named with its entry', async (p) => {
    const [first, second, third] = await written(p);
    await putGate(p, 'crm');
    await putGate(p, 'files');
    const tablet = await addDevice(p.database, p.phone.personId, 'Tablet');
    await write(p);
    await settle(p);
    await write(p, SETTLED_MS);
    deepStrictEqual(await faultsOf(p), []);
    const statements = [
      sql`update inquiries set resolution = replace(resolution, 'This', 'That') where id = ${first}`,
      // Also where it looks like one that was resolved just now.
      sql`update inquiries set digest = 'other', resolved_at = ${Math.round(p.database.clock.now())} where id = ${second}`,
      sql`delete from inquiries where id = ${third}`,
      sql`insert into inquiries (id, source_id, digest, asked, transport, asked_of, opened_at, deadline_at, latest_at, outcome, resolution, resolved_at)
        select 'inq_added', source_id, digest, asked, transport, asked_of, opened_at, deadline_at, latest_at, outcome, resolution, resolved_at
        from inquiries where id = ${first}`,
      sql`update gates set config = '{"rules":[]}' where name = 'crm'`,
      sql`delete from gates where name = 'files'`,
      sql`update devices set token_hash = 'stolen' where id = ${tablet.deviceId}`,
      sql`insert into deciders values ('dcd_1', 'Model', '{}', null, 5, null)`,
    ];
    for (const statement of statements) await change(p, statement);
    const faults = [
      `Inquiry ${first}, which entry 1 names, was changed.`,
      `Inquiry ${second}, which entry 2 names, was changed.`,
      `Inquiry ${third}, which entry 3 names, was removed.`,
      `Gate "crm", which entry 6 names, was changed.`,
      `Device ${tablet.deviceId}, which entry 6 names, was changed.`,
      `Gate "files", which entry 6 names, was removed.`,
      'Inquiry inq_added was added without an entry.',
      'Decider dcd_1 was added without an entry.',
    ].toSorted();
    deepStrictEqual((await faultsOf(p)).toSorted(), faults);
    await write(p);
    deepStrictEqual((await faultsOf(p)).toSorted(), faults);
  });

  test('[APR6] what people removed and what is kept no longer is no fault, and each removal stands in the log', async (p) => {
    await p.database.transaction((trx) =>
      trx.insertInto('people').values({ id: 'prs_jonas', handle: 'jonas', name: 'Jonas', created_at: 1 }).execute(),
    );
    const { deviceId } = await addDevice(p.database, 'prs_jonas', 'Phone of Jonas');
    await putGate(p, 'crm');
    const old = await settle(p);
    await write(p);
    await removeGate({ database: p.database, fromFile: new Map() }, 'crm');
    await removePerson(p.database, 'prs_jonas', withdrawAskedOf(p.inquiries));
    await write(p);
    deepStrictEqual((await named(p)).at(-1)?.toSorted(), [`device ${deviceId}`, 'gate crm']);
    p.pass(1);
    await putGate(p, 'crm', '{"anew":1}');
    await write(p);
    deepStrictEqual([(await named(p)).at(-1), await faultsOf(p)], [['gate crm'], []]);
    p.pass(91 * DAY_MS);
    deepStrictEqual(await forgetResolved(p.database, 90), 1);
    await settle(p);
    await write(p);
    deepStrictEqual([(await named(p))[0]?.includes(`inquiry ${old}`), await faultsOf(p)], [true, []]);
  });

  test('[APR6] entries are erased after their days, the chain holds from the first that is kept, and one more is told', async (p) => {
    await written(p);
    p.pass(200 * DAY_MS);
    await settle(p);
    await write(p);
    p.pass(167 * DAY_MS);
    await forgetResolved(p.database, 90);
    await settle(p);
    await write(p);
    deepStrictEqual(
      (await entriesOf(p)).map(({ number, rows }) => [number, rows.map(([kind, id]) => (kind === 'log' ? id : kind))]),
      [
        [6, ['inquiry']],
        [7, ['inquiry', '6']],
      ],
    );
    p.pass(SETTLED_MS);
    deepStrictEqual(await faultsOf(p), []);
    await change(p, sql`delete from audit_entries where number = 6`);
    deepStrictEqual(await faultsOf(p), ['Entry 6 was removed.']);
  });

  test('[APR6] whoever keeps an export sees a log that was written anew with the hub’s own key', async (p) => {
    await written(p);
    const known: Known = new Map((await entriesOf(p)).map(({ number, jws }) => [number, hashEntry(jws)]));
    deepStrictEqual(await faultsOf(p, known), []);
    await change(p, sql`delete from audit_entries`);
    await change(p, sql`delete from settings where name = 'audit_head'`);
    await change(p, sql`update inquiries set resolution = replace(resolution, 'This', 'That')`);
    await write(p);
    deepStrictEqual(await faultsOf(p), []);
    deepStrictEqual(
      await faultsOf(p, known),
      [1, 2, 3, 4, 5].map((number) => `Entry ${number} is not the one that was exported.`),
    );
    const other = (await readKeySet(p)).keys.map((key) => ({ ...key, kid: 'other' }));
    match((await verifyLog(p.database, { keys: other })).faults[0] ?? '', /^Entry 1 was changed/);
  });

  test('[APR6] [race] nodes that write at once write each number once, and each row stands in the log once', async (p) => {
    const ids: string[] = [];
    for (let at = 0; at < 4; at++) {
      ids.push(await settle(p));
      p.pass(MINUTE_MS);
      await Promise.all([1, 2, 3].map(() => chain(p.inquiries, KEEPING)));
    }
    const entries = await entriesOf(p);
    deepStrictEqual(
      entries.map(({ number }) => number),
      [1, 2, 3, 4],
    );
    const rows = entries.flatMap(({ rows }) => rows.filter(([kind]) => kind === 'inquiry').map(([, id]) => id));
    deepStrictEqual(rows, ids);
    p.pass(SETTLED_MS);
    deepStrictEqual(await faultsOf(p), []);
  });

  test('[APR6] [door] the owner’s devices read the log from any number on, and nobody else', async (p) => {
    await written(p);
    const { key } = await createSourceForEverybody(p.database, p.phone.personId, 'Agent');
    const { accessToken } = await addDevice(p.database, p.phone.personId, 'Tablet');
    await p.database.transaction((trx) =>
      trx.insertInto('people').values({ id: 'prs_jonas', handle: 'jonas', name: 'Jonas', created_at: 1 }).execute(),
    );
    const jonas = await addDevice(p.database, 'prs_jonas', 'Phone of Jonas');
    const url = await serveRoutes(p, (http) => auditRoutes(http, p.database));
    const send = async (query: string, token: string) => {
      const reply = await fetch(`${url}/v1/audit${query}`, { headers: { authorization: `Bearer ${token}` } });
      return (await reply.json()) as { items: object[]; code?: string };
    };
    const entries = await entriesOf(p);
    deepStrictEqual((await send('', accessToken)).items, entries);
    deepStrictEqual((await send('?after=2&limit=2', accessToken)).items, entries.slice(2, 4));
    deepStrictEqual((await send('?after=5', accessToken)).items, []);
    const refused = [await send('', key), await send('', jonas.accessToken), await send('?after=x', accessToken)];
    deepStrictEqual(
      refused.map(({ code }) => code),
      ['credential.wrong_kind', 'person.not_owner', 'request.invalid'],
    );
  });
}
