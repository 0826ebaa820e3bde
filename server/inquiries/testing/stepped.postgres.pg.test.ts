import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { freshDatabase } from '../../platform/testing/postgres.ts';
import { answerInquiry } from '../answer.ts';
import { ask } from '../ask.ts';
import { sweep } from '../expire.ts';
import { extendInquiry } from '../extend.ts';
import type { Inquiries } from '../inquiries.ts';
import { readForSource } from '../read.ts';
import { openPlace, type Place } from './place.ts';

const HOUR = 3_600_000;

/** Two nodes on one database. */
async function nodes(t: TestContext): Promise<[Place, Place]> {
  const database = await freshDatabase();
  const opened = [await openPlace(database.url), await openPlace(database.url)] as const;
  t.after(async () => {
    for (const node of opened) await node.close();
    await database.drop();
  });
  return [opened[0].place, opened[1].place];
}

/** An inquiry, another whose asker waits for it, and one that falls due after a second. */
async function askThree({ inquiries, sourceId, ask: askNow }: Place): Promise<string[]> {
  const waiting = { sourceId, ask: { prompt: 'Wait?', deadline: 600 }, waitMs: 1_000 };
  return [
    await askNow({ prompt: 'Ship?', deadline: 600, latest: 3_600 }),
    (await ask(inquiries, waiting)).inquiryId,
    await askNow({ prompt: 'Now?', deadline: 1 }),
  ];
}

async function judge(judging: Inquiries, [a, b]: [Place, Place], [id = '', waiting = '', due = '']: string[]) {
  const read = async (one: string) => readForSource(b.inquiries, one, a.sourceId);
  const { deadlineAt } = await read(id);
  const giveUpAt = performance.now() + 10_000;
  while (!(await read(due)).resolution && performance.now() < giveUpAt) await sweep(judging);
  const moved = await extendInquiry(judging, a.phone, id, 60);
  const won = (await answerInquiry(b.inquiries, a.laptop, waiting, { text: 'Yes' })).won;
  const wonThere = (await answerInquiry(judging, a.phone, id, { text: 'Yes' })).won;
  deepStrictEqual(
    [(await read(due)).resolution?.outcome, Date.parse(moved.deadlineAt) - Date.parse(deadlineAt), won, wonThere],
    ['expired', 60_000, true, true],
  );
}

for (const [step, name] of [
  [HOUR, 'an hour ahead'],
  [-HOUR, 'an hour back'],
] as const) {
  test(`[RES1] a node whose machine's clock is stepped ${name} ends and moves nothing of what is open`, async (t) => {
    const [a, b] = await nodes(t);
    const ids = await askThree(a);
    const now = Date.now.bind(Date);
    t.mock.method(Date, 'now', () => now() + step);
    await judge(a.inquiries, [a, b], ids);
  });

  test(`[RES1] a node that takes the database to be ${name} ends nothing of what is open`, async (t) => {
    const [a, b] = await nodes(t);
    const ids = await askThree(a);
    const { clock } = a.database;
    const wrong = { now: () => clock.now() + step, inStatement: clock.inStatement };
    await judge({ ...a.inquiries, database: { ...a.database, clock: wrong } }, [a, b], ids);
  });
}
