import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { dispatcherFor } from '../../deliveries/testing/scene.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { sweep } from '../../inquiries/expire.ts';
import { renewAwaited, WAITING_MS } from '../../inquiries/lease.ts';
import { createAnswers } from '../answers.ts';
import { noteLost } from '../relay/lost.ts';
import { asks } from './frames.ts';
import { openOtherNode } from './scene.ts';
import { connected, leased } from './streams.ts';

/** What becomes of a question whose node is gone and does not come back: all its streams broke. */
export function lostNodeContract(url: () => Promise<string | undefined>): void {
  const on = (title: string, use: (s: Awaited<ReturnType<typeof lost>>) => Promise<void>) =>
    void test(title, async (t) => use(await lost(t, await url())));

  on('[RES6] a question whose node is gone is withdrawn by another one 60 to 75 s later', async (s) => {
    s.place.pass(60_000 - 1_000);
    await sweep(s.other.inquiries);
    deepStrictEqual(await s.outcomes(), [undefined]);
    s.place.pass(17_000);
    await sweep(s.other.inquiries);
    deepStrictEqual(await s.outcomes(), ['withdrawn']);
    const { won } = await s.answerThere();
    await s.dispatcher.runDue();
    deepStrictEqual([won, s.answers.heard], [false, []]);
  });

  on('[WDR1] devices close a question whose node renews nothing, 10 to 25 s after its last sign', async (s) => {
    // A lease of 75 s was renewed just now.
    s.place.pass(24_000);
    await noteLost(s.other.inquiries);
    deepStrictEqual(s.news(), []);
    s.place.pass(1_001);
    await noteLost(s.other.inquiries);
    await noteLost(s.other.inquiries);
    deepStrictEqual(s.news(), [`asker gone ${s.id}`]);
    // It only hung.
    await renewAwaited(s.place.inquiries);
    await noteLost(s.other.inquiries);
    deepStrictEqual(s.news(), [`asker gone ${s.id}`, `asker back ${s.id}`]);
  });

  on('[DLV1] a question whose node is gone is answered through another one, and the platform told once', async (s) => {
    s.place.pass(59_000);
    await sweep(s.other.inquiries);
    const { won } = await s.answerThere();
    const senders = [s.dispatcher, s.dispatcherThere()];
    await Promise.all(senders.map((one) => one.runDue()));
    s.place.pass(60_000);
    await Promise.all(senders.map((one) => one.runDue()));
    deepStrictEqual(
      [won, s.answers.heard.map(({ body }) => JSON.parse(body) as unknown)],
      [true, [{ inquiryId: 'a', response: '晴' }]],
    );
  });

  on(
    'a client that comes back through another node continues its question, which waits as long as it does',
    async (s) => {
      s.place.pass(50_000);
      const stream = await s.stream(s.urlThere);
      stream.say(asks('a', 'One?'));
      while (s.other.inquiries.waiters.count(s.id) === 0) await turn();
      for (let rounds = 0; rounds < 6; rounds++) {
        await renewAwaited(s.other.inquiries);
        s.place.pass(WAITING_MS);
        await sweep(s.other.inquiries);
      }
      deepStrictEqual(await s.outcomes(), [undefined]);
      await renewAwaited(s.other.inquiries);
      stream.cut();
      await leased(s, 60_000);
      s.place.pass(61_000);
      await sweep(s.other.inquiries);
      deepStrictEqual(await s.outcomes(), ['withdrawn']);
    },
  );
}

/** Two nodes; the first one has a stream with a question, and from now on renews nothing, as if it were gone. */
async function lost(t: TestContext, databaseUrl?: string) {
  const s = await connected(t, undefined, {}, databaseUrl);
  const { place } = s;
  const other = await openOtherNode(t, place);
  (await s.stream()).say(asks('a', 'One?'));
  const [one] = await s.until(({ length }) => length > 0);
  const { id } = one as { id: string };
  while (place.inquiries.waiters.count(id) === 0) await turn();
  // However long it has waited by then.
  for (let rounds = 0; rounds < 2; rounds++) {
    place.pass(WAITING_MS);
    await renewAwaited(place.inquiries);
  }
  return {
    ...s,
    id,
    other,
    urlThere: other.url + new URL(s.url).pathname,
    news: () =>
      place.news.flatMap(({ event, inquiryId }) => (event.startsWith('asker') ? [`${event} ${inquiryId}`] : [])),
    outcomes: async () => (await s.all()).map(({ resolution }) => resolution?.outcome),
    answerThere: () => answerInquiry(other.inquiries, place.phone, id, { response: '晴' }),
    dispatcherThere() {
      const dispatcher = dispatcherFor(
        s.database,
        createAnswers(() => other.inquiries),
      );
      t.after(() => dispatcher.stop());
      return dispatcher;
    },
  };
}
