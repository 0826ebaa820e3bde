import { deepStrictEqual, rejects } from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { privatePostgres } from '../testing/postgres.ts';
import { openPostgres } from './open.ts';
import { CheckedPool } from './pool.ts';
import { Servers } from './servers.ts';

const [first, second] = await Promise.all([privatePostgres(), privatePostgres()]);
await setDefault('on');
after(() => Promise.all([first.stop(), second.stop()]));
const [one, two] = [new URL(first.url), new URL(second.url)];
const url = `postgres://beckon@${one.host},${two.host}/postgres?target_session_attrs=read-write`;

test('of several servers the one that takes writes is used, and no other while that is gone', async (t) => {
  const port = async () => {
    const pool = new CheckedPool(new Servers(url));
    try {
      return (await pool.query<{ port: number }>('select inet_server_port() as port'))[0]?.port;
    } finally {
      await pool.end();
    }
  };
  deepStrictEqual(await port(), Number(one.port));
  await first.kill();
  t.after(() => first.start());
  await rejects(port(), { status: 503, code: 'database.unavailable' });
});

test('connections to a server that another one has followed are given up while it is silent', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const pool = new CheckedPool(new Servers(url));
  t.after(() => pool.end());
  const port = async () => (await pool.query<{ port: number }>('select inet_server_port() as port'))[0]?.port;
  const before = await port();
  const slow = pool.query('select pg_sleep(60)');
  process.kill(first.pid(), 'SIGSTOP');
  t.after(() => process.kill(first.pid(), 'SIGCONT'));
  await setDefault('off');
  t.after(() => setDefault('on'));
  t.mock.timers.tick(5_000);
  await rejects(slow, { status: 503, code: 'database.unavailable' });
  deepStrictEqual([before, await port()], [Number(one.port), Number(two.port)]);
});

test('a start says in one sentence what a failover may lose, where there may be one', async (t) => {
  const said: string[] = [];
  const log = pino({ level: 'silent' });
  t.mock.method(log, 'warn', (words: string) => said.push(words));
  for (const databaseUrl of [url, first.url]) await (await openPostgres({ url: databaseUrl, log })).close();
  deepStrictEqual(said, [
    'a failover of Postgres may lose asks and answers of the last moments that were acknowledged: synchronous_standby_names is empty',
  ]);
});

/** For the sessions to come. */
async function setDefault(value: 'on' | 'off'): Promise<void> {
  const pool = new CheckedPool(new Servers(second.url));
  await pool.query(`begin read write; alter database postgres set default_transaction_read_only = ${value}; commit`);
  await pool.end();
}
