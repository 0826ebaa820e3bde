import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export type Asked = { id: string; person: string; inquiry: string; devices: string[] };
/** What a hub keeps of a cycle. Each resolves when its rows are on disk. */
export type Rows = {
  asked(asked: Asked): Promise<void> | void;
  /** False: another answer was first. */
  answered(id: string, person: string, resolution: string): Promise<boolean> | boolean;
};

const TABLES = (withoutRowid: string) => `
  create table inquiries (id text primary key, asked text not null, deadline_at bigint not null, resolution text, collected_at bigint);
  create table recipients (person text, inquiry text, open integer not null, primary key (person, inquiry)) ${withoutRowid};
  create table inquiry_devices (inquiry text, device text, told_at bigint, primary key (inquiry, device)) ${withoutRowid};
  create table people (id text primary key, version integer not null) ${withoutRowid};`;

/** In memory: nothing is kept. */
export function noRows(): Rows {
  const open = new Set<string>();
  return { asked: ({ id }) => void open.add(id), answered: (id) => open.delete(id) };
}

/** The rows in SQLite; those of one turn of the loop share one flush. */
export function sqliteRows(file: string): Rows {
  const database = new DatabaseSync(file);
  database.exec(
    `pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32768; ${TABLES('without rowid')}`,
  );
  const [begin, commit, ask, recipient, device, version, resolve, close, collect] = [
    'begin immediate',
    'commit',
    'insert into inquiries (id, asked, deadline_at) values (?, ?, ?)',
    'insert into recipients values (?, ?, 1)',
    'insert into inquiry_devices values (?, ?, ?)',
    'insert into people values (?, 1) on conflict do update set version = version + 1 returning version',
    'update inquiries set resolution = ? where id = ? and resolution is null and deadline_at > ?',
    'update recipients set open = 0 where person = ? and inquiry = ?',
    'update inquiries set collected_at = ? where id = ?',
  ].map((sql) => database.prepare(sql)) as Statements;
  const shared = sharedCommit(begin, commit);
  return {
    asked: ({ id, person, inquiry, devices }) =>
      shared(() => {
        const now = Date.now();
        ask.run(id, inquiry, now + 86_400_000);
        recipient.run(person, id);
        for (const one of devices) device.run(id, one, now);
        version.get(person);
      }),
    async answered(id, person, resolution) {
      const won = await shared(() => {
        if (resolve.run(resolution, id, Date.now()).changes === 0) return false;
        close.run(person, id);
        version.get(person);
        return true;
      });
      // As the hub does: with the next commit, which nobody waits for.
      void shared(() => collect.run(Date.now(), id));
      return won;
    },
  };
}

type Statement = ReturnType<DatabaseSync['prepare']>;
type Statements = [Statement, ...Statement[]] & Record<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8, Statement>;

function sharedCommit(begin: Statement, commit: Statement) {
  let members: (() => () => void)[] = [];
  const flush = (): void => {
    const batch = members;
    members = [];
    begin.run();
    const settled = batch.map((member) => member());
    commit.run();
    for (const settle of settled) settle();
  };
  return <T>(write: () => T): Promise<T> =>
    new Promise((resolve) => {
      if (members.length === 0) setImmediate(flush);
      members.push(() => {
        const result = write();
        return () => resolve(result);
      });
    });
}

/** The rows in Postgres: one statement, one round trip and one commit for each step; Postgres shares its flushes itself. */
export async function postgresRows(url: string): Promise<Rows> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  await pool.query(TABLES(''));
  const version =
    'insert into people values ($2, 1) on conflict (id) do update set version = people.version + 1 returning version';
  return {
    async asked({ id, person, inquiry, devices }) {
      const now = Date.now();
      await pool.query({
        name: 'ask',
        text: `with asked as (insert into inquiries (id, asked, deadline_at) values ($1, $3, $4)),
          recipient as (insert into recipients values ($2, $1, 1)),
          device as (insert into inquiry_devices select $1, unnest($5::text[]), $6) ${version}`,
        values: [id, person, inquiry, now + 86_400_000, devices, now],
      });
    },
    async answered(id, person, resolution) {
      const { rowCount } = await pool.query({
        name: 'answer',
        text: `with won as (update inquiries set resolution = $3 where id = $1 and resolution is null and deadline_at > $4 returning id),
          closed as (update recipients set open = 0 where person = $2 and inquiry in (select id from won))
          update people set version = version + 1 where id = $2 and exists (select 1 from won) returning version`,
        values: [id, person, resolution, Date.now()],
      });
      const collect = 'update inquiries set collected_at = $2 where id = $1';
      void pool.query({ name: 'collect', text: collect, values: [id, Date.now()] });
      return rowCount === 1;
    },
  };
}
