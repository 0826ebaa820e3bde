import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Trouble } from '#shared/connections/contact.ts';
import { sweep } from '../inquiries/expire.ts';
import { listSources } from '../sources/store.ts';
import { freshDatabase } from '../platform/testing/postgres.ts';
import { keepCut } from './relay/lost.ts';
import { asks, DONE } from './testing/frames.ts';
import { connected, leased } from './testing/streams.ts';
import { threads } from './testing/threads.ts';

test('[DLV1] on Postgres a connection is made, asks, is answered and let go as on SQLite', async (t) => {
  const fresh = await freshDatabase();
  try {
    await t.test('the life of a connection', async (inner) => {
      const s = await connected(inner, undefined, { headers: { 'x-team': 'ops' } }, fresh.url);
      const { items } = await listSources(s.database.read, '', 100);
      deepStrictEqual(
        items.map(({ name }) => name),
        ['Release train'],
      );
      const stream = await s.stream();
      stream.say(asks('a', 'One?'));
      const [one] = await s.until(({ length }) => length > 0);
      await leased(s, 75_000);
      stream.cut();
      await leased(s, 60_000);
      s.place.pass(50_000);
      await keepCut(s.place.inquiries);
      await leased(s, 60_000);
      s.place.pass(20_000);
      await sweep(s.place.inquiries);
      await s.answer(one!.id, { response: 'yes' });
      await s.dispatcher.runDue();
      deepStrictEqual(
        s.answers.heard.map(({ body, headers }) => [JSON.parse(body) as unknown, headers['x-team']]),
        [[{ inquiryId: 'a', response: 'yes' }, 'ops']],
      );
      const other = await s.stream();
      other.say(asks('b', 'Two?'), DONE);
      const [, two] = await s.until(([, second]) => second?.resolution !== undefined);
      strictEqual(two?.resolution?.outcome, 'withdrawn');
      strictEqual((await s.call('DELETE', `/v1/connections/${s.connection.id}`)).status, 204);
    });
  } finally {
    await fresh.drop();
  }
});

test('[DLV1] on Postgres a thread is found by one look a minute, asked and resumed as on SQLite', async (t) => {
  const fresh = await freshDatabase();
  try {
    await t.test('the life of a thread', async (inner) => {
      const s = await threads(inner, fresh.url);
      s.thread().asks({ id: 'i1', value: 'Which table?' });
      s.langgraph.start();
      const [one] = await s.until(({ length }) => length > 0);
      await s.answer(one!.id, { response: 'old' });
      await s.dispatcher.runDue();
      const [run] = s.server.runs as { command: object }[];
      deepStrictEqual([run?.command, await s.deliveries()], [{ resume: { i1: 'old' } }, [['delivered', 200]]]);
      s.thread().asks({ id: 'i2', value: { table: 'users' } });
      await s.look();
      const [problem] = await s.database.read
        .selectFrom('connection_contacts')
        .select('problem')
        .where('problem', 'is not', null)
        .execute();
      const { code } = JSON.parse(problem?.problem ?? '{}') as Partial<Trouble>;
      strictEqual(code, 'thread.unaskable');
    });
  } finally {
    await fresh.drop();
  }
});
