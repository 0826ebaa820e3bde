import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { createHttp } from './http.ts';

async function openHttp(t: TestContext) {
  const app = await createHttp({
    log: pino({ level: 'silent' }),
    findCaller: async () => 'unknown',
    origins: () => [],
    trustProxy: 0,
    rateLimit: 8,
  });
  t.after(() => app.close());
  return app;
}

test('requests are counted by the minute, and a step of the clock neither opens nor locks anybody', async (t) => {
  let passed = 0;
  const [monotonic, wall] = [performance.now.bind(performance), Date.now.bind(Date)];
  t.mock.method(performance, 'now', () => monotonic() + passed);
  const app = await openHttp(t);
  app.get('/open', { config: { access: 'public' } }, () => ({}));
  const statuses = async (count: number) => {
    const replies = [];
    for (let nth = 0; nth < count; nth++) replies.push((await app.inject({ url: '/open' })).statusCode);
    return replies;
  };
  const first = await statuses(3);
  t.mock.method(Date, 'now', () => wall() + 3_600_000);
  const ahead = await statuses(1);
  t.mock.method(Date, 'now', () => wall() - 3_600_000);
  const back = await statuses(1);
  passed = 61_000;
  deepStrictEqual([first, ahead, back, await statuses(1)], [[200, 200, 429], [429], [429], [200]]);
});

test('requests of a connection are counted by the token in its address, whatever else they show', async (t) => {
  const app = await openHttp(t);
  app.all('/v1/in/:token/*', { config: { access: 'connection' } }, () => ({}));
  const call = async (token: string, nth: number) => {
    const url = `/v1/in/${token}/models?nth=${nth}`;
    return (await app.inject({ url, headers: { authorization: `Bearer ${nth}` } })).statusCode;
  };
  const [one, other] = ['a', 'b'].map((letter) => `bki_${letter.repeat(43)}`) as [string, string];
  const replies = [];
  for (let nth = 0; nth < 9; nth++) replies.push(await call(one, nth));
  deepStrictEqual([...replies, await call(other, 0)], [...Array<number>(8).fill(200), 429, 200]);
});
