import { deepStrictEqual, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { call, must } from '../hub/call.ts';
import { steppedClock } from '../hub/clock.ts';
import { openPage, syncWhenBehind } from '../hub/page.ts';
import { until } from '../hub/until.ts';
import { openScene, type Scene } from './scene.ts';

const HOUR_MS = 3_600_000;
/** Many sweeps. */
const LOOK_MS = 2_500;
/** Less than a heartbeat takes to come by itself. */
const SOON_MS = 10_000;

const outcomeOf = ({ resolution }: Inquiry): string => resolution?.outcome ?? 'open';

/** Looks for as long as many sweeps take. */
async function staysOpen(scene: Scene, inquiry: Inquiry): Promise<void> {
  const since = performance.now();
  await until('several sweeps', async () => {
    deepStrictEqual(outcomeOf(await scene.read(inquiry)), 'open');
    return performance.now() - since > LOOK_MS;
  });
}

for (const hours of [1, -1]) {
  describe(`one of two nodes whose clock is stepped by ${hours} h`, { timeout: 120_000 }, () => {
    const clock = steppedClock();
    let scene: Scene;
    before(async () => {
      scene = await openScene('Postgres', 2, (node) => (node === 0 ? clock.settings : {}));
    });
    after(async () => {
      await scene?.remove();
      clock[Symbol.dispose]();
    });

    test('[RES4] expires nothing before its deadline, and what it asks lives as long as its source said', async () => {
      const before = await scene.ask({ prompt: 'Open before the step?', deadline: 600 });
      clock.step(hours * HOUR_MS);
      await staysOpen(scene, before);
      for (const hub of [scene.hub, scene.other]) {
        const asked = await scene.ask({ prompt: 'Asked after the step?', deadline: 600 }, scene.source, hub);
        const left = Date.parse(asked.deadlineAt) - Date.now();
        ok(left > 590_000 && left < 610_000, `its deadline is ${left} ms from now`);
        deepStrictEqual(outcomeOf(await scene.read(asked, scene.source, scene.other)), 'open');
        const { status, body } = await scene.answer(asked, undefined, scene.hub);
        deepStrictEqual([status, body.won], [200, true]);
        const off = Math.abs(Date.parse(body.resolution.at) - Date.now());
        ok(off < 10_000, `it was answered ${off} ms from now`);
      }
      const { status } = await scene.answer(before, undefined, scene.hub);
      deepStrictEqual(status, 200);
    });

    test('[RES4] what falls due on it expires at its deadline and is told so', async () => {
      const asked = await scene.ask({ prompt: 'Three seconds?', deadline: 3 }, scene.source, scene.hub);
      const since = performance.now();
      const { resolution } = await must<Inquiry>(scene.other, `GET /v1/inquiries/${asked.id}?wait=20`, {
        token: scene.source.key,
      });
      const took = performance.now() - since;
      deepStrictEqual([resolution?.outcome, took > 2_000, took < 10_000], ['expired', true, true], `${took} ms`);
    });
  });
}

for (const hours of [1, -1]) {
  describe(`a hub on SQLite whose clock is stepped by ${hours} h`, { timeout: 120_000 }, () => {
    const clock = steppedClock();
    let scene: Scene;
    before(async () => {
      scene = await openScene('SQLite', 1, clock.settings);
    });
    after(async () => {
      await scene?.remove();
      clock[Symbol.dispose]();
    });

    test('[RES4] [ASK4] keeps what is open open, its time left as it was, and tells the pages', async () => {
      const page = await openPage(scene.hub, scene.owner);
      syncWhenBehind(page);
      const open = await scene.ask({ prompt: 'Open before the step?', deadline: 600 });
      clock.step(hours * HOUR_MS);
      const moved = await until(
        'its deadline to move',
        async () => {
          const now = await scene.read(open);
          deepStrictEqual(outcomeOf(now), 'open');
          return now.deadlineAt !== open.deadlineAt && now;
        },
        SOON_MS,
      );
      const by = Date.parse(moved.deadlineAt) - Date.parse(open.deadlineAt);
      ok(Math.abs(by - hours * HOUR_MS) < 5_000, `its deadline moved by ${by} ms`);
      ok(moved.revision > open.revision, 'its revision did not rise');
      deepStrictEqual(Date.parse(moved.latestAt) - Date.parse(open.latestAt), by);
      await until(
        'the page to hear it',
        () =>
          [
            ...page.of('inquiry').map(({ inquiry }) => inquiry),
            ...page.of('snapshot').flatMap((one) => one.inquiries),
          ].some(({ id, deadlineAt }) => id === open.id && deadlineAt === moved.deadlineAt),
        SOON_MS,
      );
      await staysOpen(scene, open);
      deepStrictEqual((await scene.answer(open)).body.won, true);
      page.close();
    });

    const stepsSeen = (): number => scene.hub.log().match(/clock/gi)?.length ?? 0;

    test('[ASK5] an approval that nobody has used yet is used up by the step', async () => {
      const call = { actions: [{ name: 'pay', args: { amount: 1 }, allowed: ['approve'] }] };
      const waiting = new AbortController();
      const asking = fetch(`${scene.hub.url}/v1/inquiries?wait=60`, {
        method: 'POST',
        headers: { authorization: `Bearer ${scene.source.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(call),
        signal: waiting.signal,
      }).catch(() => undefined);
      const [id = ''] = await until('the call', async () => {
        const open = await scene.inbox();
        return open.length === 1 && open;
      });
      const { digest } = await must<Inquiry>(scene.hub, `GET /v1/inquiries/${id}`, { token: scene.owner.token });
      // The connection breaks; within its two seconds somebody approves, and nobody has heard it yet.
      waiting.abort();
      await asking;
      const approval = { decisions: [{ type: 'approve' }] };
      deepStrictEqual((await scene.answer({ id, digest }, approval)).body.won, true);
      const seen = stepsSeen();
      clock.step(-hours * HOUR_MS);
      await until('the step to be seen', () => stepsSeen() > seen, SOON_MS);
      const again = await must<Inquiry>(scene.hub, 'POST /v1/inquiries?wait=1', {
        token: scene.source.key,
        body: call,
      });
      deepStrictEqual([again.id === id, again.resolution], [false, undefined]);
    });
  });
}

describe('a hub that was away for an hour', { timeout: 120_000 }, () => {
  const clock = steppedClock();
  let scene: Scene;
  before(async () => {
    scene = await openScene('SQLite', 1, clock.settings);
  });
  after(async () => {
    await scene?.remove();
    clock[Symbol.dispose]();
  });

  test('[ASK1] waits for a keyless call to come back, though its lease ended meanwhile', async () => {
    const { hub, source } = scene;
    const body = { prompt: 'Still there?' };
    const cut = call(hub, 'POST /v1/inquiries?wait=100', { token: source.key, body }).catch(() => 'cut');
    const asked = await until('the inquiry', async () => {
      const { items } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: scene.owner.token });
      return items.find(({ prompt }) => prompt === body.prompt);
    });
    await hub.kill();
    deepStrictEqual(await cut, 'cut');
    clock.step(HOUR_MS);
    await hub.start();
    await staysOpen(scene, asked);
  });
});
