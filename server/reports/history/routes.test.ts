import { deepStrictEqual, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { newId } from '#shared/ids.ts';
import { addDevice } from '../../devices/admit.ts';
import { findDevice } from '../../devices/find.ts';
import { createHttp } from '../../platform/http/http.ts';
import { createLog } from '../../platform/log.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { openPlace } from '../../inquiries/testing/place.ts';
import { historyRoutes } from './routes.ts';

const ROWS = 64;
/** So much of each that the network takes only a part of all of them from whoever does not read. */
const LONG = 'x'.repeat(200_000);

/** A hub with a long history, and how many statements have read of it. */
async function scene(t: TestContext) {
  const { place: p, close } = await openPlace();
  const first = await p.ask({ title: 'Go on?', prompt: LONG });
  await answerInquiry(p.inquiries, p.phone, first, { text: 'Yes' });
  const settled = await p.database.read.selectFrom('inquiries').selectAll().executeTakeFirstOrThrow();
  await p.database.transaction(async (trx) => {
    for (let at = 1; at < ROWS; at++) {
      const id = newId('inq', settled.opened_at + at);
      const inquiry = { ...settled, id };
      await trx.insertInto('inquiries').values(inquiry).execute();
      await trx.insertInto('recipients').values({ person_id: p.phone.personId, inquiry_id: id, open: 0 }).execute();
    }
  });
  let statements = 0;
  const counting = {
    transformQuery: ({ node }) => (statements++, node),
    transformResult: async ({ result }) => result,
  } satisfies KyselyPlugin;
  const http = await createHttp({
    log: createLog('silent'),
    findCaller: (token) => findDevice(p.database, token),
    origins: () => [],
    trustProxy: 0,
    rateLimit: 10_000,
  });
  const database = { ...p.database, read: p.database.read.withPlugin(counting) };
  historyRoutes(http, { ...p.inquiries, database });
  const url = await http.listen({ port: 0, host: '127.0.0.1' });
  t.after(async () => {
    await http.close();
    await close();
  });
  const token = async () => (await addDevice(p.database, p.phone.personId, 'Tablet')).accessToken;
  const asked = async (bearer: string, method = 'GET') => {
    const reply = await fetch(`${url}/v1/history/export`, { method, headers: { authorization: `Bearer ${bearer}` } });
    const body = await reply.text();
    return { status: reply.status, code: reply.status === 409 ? JSON.parse(body).code : undefined, body };
  };
  return { port: (http.server.address() as AddressInfo).port, token, asked, statements: () => statements };
}

test('[LIV2] [door] a person has one export at a time, whichever device asks for it, and it ends with its reader', async (t) => {
  const { port, token, asked, statements } = await scene(t);
  const [phone, tablet] = [await token(), await token()];
  const idle = connect(port, '127.0.0.1');
  idle.write(`GET /v1/history/export HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${phone}\r\n\r\n`);
  await once(idle, 'readable');
  for (let before = -1; before !== statements(); await new Promise((go) => setImmediate(go))) before = statements();
  const refused = [await asked(tablet), await asked(phone)];
  const head = await asked(tablet, 'HEAD');
  const read = statements();
  idle.destroy();
  let next = await asked(tablet);
  while (next.status === 409) next = await asked(tablet);
  deepStrictEqual(
    [refused.map(({ status, code }) => [status, code]), head.status, next.status, JSON.parse(next.body).length],
    [
      [
        [409, 'export.under_way'],
        [409, 'export.under_way'],
      ],
      404,
      200,
      ROWS,
    ],
  );
  const whole = statements() - read;
  ok(read < whole, `${read} statements for whoever does not read, ${whole} for all of it`);
});
