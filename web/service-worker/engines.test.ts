import { deepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startWorker } from './run.ts';
import { openDesktop } from './testing/desktop.ts';
import { ask, withdraw } from './testing/pushes.ts';
import type { Engine, WorkerEvent } from './world.ts';

const engines: Engine[] = ['chromium', 'firefox', 'webkit'];
const MINUTE = 60_000;

for (const engine of engines) {
  test(`[WDR1] ${engine}: a withdrawn question leaves the screen, and nothing is left when its note has gone`, async () => {
    const { desktop, push } = start(engine);
    await push(ask('inq_a'));
    deepStrictEqual(desktop.tags(), ['ask inq_a']);
    await desktop.pass(35_000);
    await push(withdraw('inq_a'));
    deepStrictEqual(desktop.tags(), ['over inq_a']);
    ok(desktop.screen.shown[0]?.card.silent);
    await desktop.pass(MINUTE);
    if (engine === 'webkit') await push(withdraw('inq_b'));
    deepStrictEqual(desktop.tags(), engine === 'webkit' ? ['over inq_b'] : []);
    deepStrictEqual([desktop.happened.silentPushes, desktop.happened.quota], [0, 16]);
  });

  test(`[WDR2] ${engine}: a question that comes after its withdraw is never shown`, async () => {
    const { desktop, push } = start(engine);
    await push(withdraw('inq_a'));
    await desktop.pass(MINUTE);
    await push(ask('inq_a'));
    const shown = desktop.screen.shown.map(({ card: { title, silent } }) => ({ title, silent }));
    ok(shown.every(({ silent }) => silent));
    ok(shown.every(({ title }) => title === 'No longer asked' || title === 'Answered: Yes'));
    await desktop.pass(MINUTE);
    if (engine !== 'webkit') deepStrictEqual(desktop.tags(), []);
    deepStrictEqual([desktop.happened.silentPushes, desktop.happened.quota], [0, 16]);
  });
}

test('[WDR1] Firefox keeps its subscription through 30 withdraws', async () => {
  const { desktop, push } = start('firefox');
  for (let count = 0; count < 30; count += 1) {
    await push(ask(`inq_${count}`));
    await desktop.pass(10_000);
    await push(withdraw(`inq_${count}`));
    await desktop.pass(10_000);
  }
  deepStrictEqual([desktop.happened.quota, desktop.tags()], [16, []]);
});

test('Chromium keeps the record of every card, however many pushes come at once', async () => {
  const { desktop, handle } = start('chromium');
  const ids = Array.from({ length: 12 }, (_, index) => `inq_${index}`);
  await desktop.deliver(...ids.map((id) => () => handle({ type: 'push', message: ask(id) })));
  deepStrictEqual(
    desktop.screen.shown.filter(({ recorded }) => !recorded),
    [],
  );
  desktop.look(true);
  await handle({ type: 'sync', open: [], notices: [], settled: ids });
  deepStrictEqual(desktop.tags(), []);
});

type Step =
  | { do: 'ask' | 'withdraw' | 'dismiss'; id: string }
  | { do: 'askAll' | 'sync' | 'look' | 'away' | 'end' | 'garbage' | 'digest' }
  | { do: 'pass'; ms: number };

const ids = ['inq_a', 'inq_b', 'inq_c', 'inq_d'];
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('ask', 'withdraw'), id: fc.constantFrom(...ids) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('dismiss' as const), id: fc.constantFrom(...ids) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('askAll', 'sync', 'look', 'away', 'end', 'garbage', 'digest') }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 40_000 }) }) },
);

for (const engine of engines) {
  test(`[WDR1] [WDR2] ${engine}: whatever comes in whatever order, no push is silent and no question outlives its end`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const run = start(engine);
        for (const one of steps) {
          await run.take(one);
          // WebKit holds on to a card for 30 s; the hub waits longer than that before it withdraws there.
          if (engine !== 'webkit') deepStrictEqual(run.outlived(), []);
        }
        deepStrictEqual(run.desktop.happened.silentPushes, 0);
        ok(run.desktop.happened.quota >= 16 - run.dismissed(), `quota ${run.desktop.happened.quota}`);
        await run.desktop.pass(MINUTE);
        for (const id of ids) await run.take({ do: 'withdraw', id });
        await run.desktop.pass(MINUTE);
        await run.take({ do: 'sync' });
        deepStrictEqual(run.desktop.tags(), []);
        deepStrictEqual(run.wronglyShown, []);
      }),
      { numRuns: 300, seed: 20_261_121 },
    );
  });
}

/** A worker on a desktop, and a hub that asks and withdraws. */
function start(engine: Engine) {
  const desktop = openDesktop(engine);
  let handle = startWorker(desktop.browser);
  const over = new Set<string>();
  const open = new Set<string>();
  const wronglyShown: string[] = [];
  let dismissed = 0;
  const show = desktop.browser.show;
  desktop.browser.show = (card) => {
    if (card.kind === 'ask' && over.has(card.tag)) wronglyShown.push(card.tag);
    return show(card);
  };
  const push = (message: Extract<WorkerEvent, { type: 'push' }>['message']) => {
    if (message?.t === 'ask' && !over.has(message.id)) open.add(message.id);
    if (message?.t === 'withdraw') {
      over.add(message.id);
      open.delete(message.id);
    }
    return desktop.deliver(() => handle({ type: 'push', message }));
  };

  const take = async (one: Step): Promise<void> => {
    switch (one.do) {
      case 'ask':
        return push(ask(one.id, { badge: open.size + 1 }));
      case 'withdraw':
        return push(withdraw(one.id, Math.max(0, open.size - 1)));
      case 'askAll':
        return desktop.deliver(
          ...ids.map((id) => () => {
            if (!over.has(id)) open.add(id);
            return handle({ type: 'push', message: ask(id, { badge: open.size }) });
          }),
        );
      case 'garbage':
        return push(undefined);
      case 'digest':
        return push({ t: 'digest', title: 'Four wait', body: '', lang: 'en', count: 4, badge: open.size });
      case 'dismiss':
        dismissed += desktop.screen.shown.length;
        desktop.screen.shown = desktop.screen.shown.filter(({ card }) => card.tag !== one.id);
        return;
      case 'sync':
        desktop.look(true);
        return handle({ type: 'sync', open: [...open], notices: [], settled: [...over] });
      case 'look':
        return desktop.look(true);
      case 'away':
        return desktop.look(false);
      case 'end':
        desktop.endWorker();
        handle = startWorker(desktop.browser);
        return;
      case 'pass':
        return desktop.pass(one.ms);
    }
  };
  const outlived = () =>
    desktop.screen.shown.filter(({ card }) => card.kind === 'ask' && over.has(card.tag)).map(({ card }) => card.tag);
  return {
    desktop,
    push,
    take,
    wronglyShown,
    outlived,
    dismissed: () => dismissed,
    handle: (event: WorkerEvent) => handle(event),
  };
}
