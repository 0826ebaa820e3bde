import { deepStrictEqual, ok } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { privatePostgres, type PrivatePostgres } from '../../platform/testing/postgres.ts';
import { answerInquiry } from '../answer.ts';
import { moveDeadline } from '../extend.ts';
import { readAsRecipient } from '../store.ts';
import { answeringContract } from './answering.contract.ts';
import { historyContract } from './history.contract.ts';
import { passingContract } from './passing.contract.ts';
import { askingContract } from './asking.contract.ts';
import { pushingContract } from './pushing.contract.ts';
import { sweepingContract } from './sweeping.contract.ts';
import { openPlace, type Place } from './place.ts';

describe('on Postgres', () => {
  let server: PrivatePostgres;
  before(async () => {
    server = await privatePostgres();
  });
  after(() => server.stop());

  async function place(t: TestContext): Promise<Place> {
    const { url } = await server.createDatabase();
    const opened = await openPlace(url);
    t.after(opened.close);
    return opened.place;
  }
  describe('asking', () => askingContract(place));
  describe('answering', () => answeringContract(place));
  describe('time', () => passingContract(place));
  describe('history', () => historyContract(place));
  describe('pushing', () => pushingContract(place));
  describe('the sweep', () => sweepingContract(place));

  test('[RES1] an answer that meets the very moment in which the deadline is moved wins', async (t) => {
    const p = await place(t);
    const { database } = p;
    const id = await p.ask({ prompt: 'Ship?', deadline: 20, latest: 300 });
    const row = await readAsRecipient(database, id, p.phone.personId);
    const begun = await database.transaction(async (trx) => {
      ok(await moveDeadline(trx, row, row.deadline_at + 60_000, database.clock));
      p.pass(21_000);
      const reply = answerInquiry(p.inquiries, p.laptop, id, { text: 'Yes' });
      // It saw the deadline as it was, and waits for the one who moves it.
      while (!(await isBlocked(database)));
      return { reply };
    });
    deepStrictEqual((await begun.reply).resolution.answer, { text: 'Yes' });
  });
});

async function isBlocked({ read }: Database): Promise<boolean> {
  const blocked = sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  return (await blocked.execute(read)).rows.length > 0;
}
