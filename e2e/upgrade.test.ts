import { deepStrictEqual, match } from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test, type TestContext } from 'node:test';
import pg from 'pg';
import type { AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { environment, runHub } from './hub/hub.ts';
import { type Engine, startNodes } from './hub/nodes.ts';
import { addSource, ownerDevice } from './hub/people.ts';
import { type Fixture, moved, open, recordOf, statementsOf, unpacked } from './upgrade/fixture.ts';
import { readAll, type Told } from './upgrade/read.ts';
import { inTheWay } from './upgrade/schema.ts';
import { refusedOf } from './upgrade/statements.ts';

for (const engine of ['SQLite', 'Postgres'] as const) {
  describe(`a database of 2fe2230 on ${engine}, taken up by this version`, { timeout: 240_000 }, () => {
    const { credentials, told, toldAt } = recordOf(engine);
    let fixture: Fixture;
    before(async () => {
      fixture = await open(engine);
    });
    after(() => fixture?.remove());

    test('[ASK1] everything in it reads as that version told it', async () => {
      const expected = JSON.parse(moved(JSON.stringify(told), fixture.at - toldAt)) as Told;
      deepStrictEqual(asFarAs(expected, await readAll(fixture.hub, credentials)), expected);
    });

    test('[ASK2] what is open in it is answered, and found again under its key', async () => {
      const { hub } = fixture;
      const { items } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: credentials.owner });
      const open = items.find(({ prompt }) => prompt === 'Which one?');
      const body = { text: 'The second.' };
      const { won } = await must<AnswerReply>(hub, `POST /v1/inquiries/${open?.id}/answer`, {
        token: credentials.owner,
        body,
      });
      const ask = { prompt: 'Colour?', key: 'k-1', to: ['bob', 'owner'] };
      const again = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: credentials.asker, body: ask });
      deepStrictEqual([won, again.resolution?.answer], [true, { text: 'Green.' }]);
    });

    test('every statement that 2fe2230 makes still names what is there', async () => {
      const statements = statementsOf(engine);
      const { databaseUrl, hub } = fixture;
      const at = engine === 'SQLite' ? { file: join(hub.dataDir, 'beckon.sqlite') } : { url: databaseUrl };
      deepStrictEqual([statements.length > 300, await refusedOf(statements, at)], [true, []]);
    });
  });

  describe(`a node on ${engine} whose database a newer version has migrated`, { timeout: 120_000 }, () => {
    test('[ASK1] it goes on until it is stopped, and does not start again', async (t) => {
      const { hub, databaseUrl, owner, key } = await scene(t, engine);
      const ask = (prompt: string, wait = 0) =>
        must<Inquiry>(hub, `POST /v1/inquiries?wait=${wait}`, { token: key, body: { prompt } });
      const answer = async ({ id }: Inquiry) => {
        await must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { text: 'yes' } });
        return (await must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: key })).resolution?.outcome;
      };
      const before = await ask('Before?');
      await migrateFurther(engine, { dataDir: hub.dataDir, databaseUrl });
      // Longer than the 2 s after which a node once ended by itself.
      const waited = await ask('After?', 3);
      const outcomes = [waited.resolution, await answer(before), await answer(waited)];
      const { code } = await hub.stop();
      const settings = { DATA_DIR: hub.dataDir, PORT: '0', ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
      const refused = await runHub(environment({ ...settings, LOG_LEVEL: 'error' })).ended;
      deepStrictEqual([outcomes, code, refused.code], [[undefined, 'answered', 'answered'], 0, 1]);
      match(refused.err, /newer version of Beckon/);
    });
  });
}

test('a migration only adds: an older node may leave out what is new, and nothing new refuses its rows', async (t) => {
  const [before, after] = [oldSchema(t), oldSchema(t)];
  after.exec(`alter table people add column nickname text; create table badges (id text primary key)`);
  deepStrictEqual(inTheWay(before, after), []);
  after.exec(`alter table groups drop column name; alter table people add column badge text references badges (id);
    create unique index people_nickname on people (nickname);
    create trigger no_gates before insert on gates begin select raise(abort, 'no'); end`);
  deepStrictEqual(inTheWay(before, after), [
    'trigger no_gates',
    'groups.name is gone or another',
    'unique index people_nickname nickname 0',
    'reference of people to badges badge id',
  ]);
  const fixture = await open('SQLite');
  t.after(() => fixture.remove());
  deepStrictEqual(
    inTheWay(before, new DatabaseSync(join(fixture.hub.dataDir, 'beckon.sqlite'), { readOnly: true })),
    [],
  );
});

/** As far as the expected value goes: what a newer version tells besides is left out. */
function asFarAs(expected: unknown, told: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(told))
    return told.map((item, at) => (at < expected.length ? asFarAs(expected[at], item) : item));
  if (!isObject(expected) || !isObject(told)) return told;
  return Object.fromEntries(
    Object.keys(expected).flatMap((name) => (name in told ? [[name, asFarAs(expected[name], told[name])]] : [])),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function oldSchema(t: TestContext): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.deserialize(unpacked('SQLite.sqlite.gz'));
  t.after(() => database.close());
  return database;
}

/** A hub that was asked before, with the key of a source. */
async function scene(t: TestContext, engine: Engine) {
  const started = await startNodes(engine);
  t.after(() => started.remove());
  const [hub] = started.nodes;
  const owner = await ownerDevice(hub);
  const { key } = await addSource(hub, owner, 'Asker');
  return { hub, databaseUrl: started.databaseUrl, owner, key };
}

/** What a later version may do: new columns with a default or nullable, a new table, a new index. */
const LATER = `alter table inquiries add column of_a_newer_hub text; alter table sources add column of_a_newer_hub bigint not null default 0;
  alter table people add column of_a_newer_hub text; alter table devices add column of_a_newer_hub text;
  alter table recipients add column of_a_newer_hub bigint not null default 0; alter table answers add column of_a_newer_hub text;
  create table laters (id text primary key); create index inquiries_later on inquiries (of_a_newer_hub);
  insert into migrations (number, name, sha256, applied_at) values (9999, '9999_later.sql', 'x', 0)`;

async function migrateFurther(engine: Engine, at: { dataDir: string; databaseUrl: string }): Promise<void> {
  if (engine === 'SQLite') {
    const database = new DatabaseSync(join(at.dataDir, 'beckon.sqlite'), { timeout: 5_000 });
    database.exec(`begin; ${LATER}; commit`);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: at.databaseUrl });
  await client.connect();
  await client.query(LATER);
  await client.end();
}
