import { deepStrictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { dispatcherFor } from '../../deliveries/testing/scene.ts';
import { mark } from '../../deliveries/inquiry-devices.ts';
import { createMetrics } from '../../platform/http/metrics.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { changeSource } from '../../sources/change.ts';
import { sweep } from '../expire.ts';
import type { Place } from './place.ts';

/** What alerts watch, the same on every engine. */
export function measuringContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(open);
  test('the age of the oldest webhook grows until it is delivered, and one that its owner paused has none', async (p) => {
    const read = () => measuredIn(p, 'webhook_oldest_seconds');
    await changeSource(p.database, p.sourceId, { webhookUrl: 'https://ci.example/hook' });
    deepStrictEqual(await read(), 0);
    await p.answer(await p.ask({ prompt: 'Ship?' }), { text: 'Yes' });
    p.pass(90_000);
    deepStrictEqual(Math.round((await read()) ?? -1), 90);
    await changeSource(p.database, p.sourceId, { webhooksPaused: true });
    deepStrictEqual(await read(), 0);
    await changeSource(p.database, p.sourceId, { webhooksPaused: false });
    const { database } = p;
    const dispatcher = dispatcherFor(database, { clock: database.clock, post: async () => ({ status: 204 }) });
    await dispatcher.runDue();
    await dispatcher.stop();
    deepStrictEqual(await read(), 0);
  });

  test('the share that expired is of what ended in the last hour, and there is none where nothing ended', async (p) => {
    const read = () => measuredIn(p, 'inquiries_expired_share');
    deepStrictEqual(await read(), undefined);
    await p.ask({ prompt: 'Nobody?', deadline: 5 });
    for (const prompt of ['One?', 'Two?', 'Three?']) await p.answer(await p.ask({ prompt }), { text: 'Yes' });
    p.pass(6_000);
    await sweep(p.inquiries);
    deepStrictEqual(await read(), 0.25);
    p.pass(3_600_000);
    deepStrictEqual(await read(), undefined);
  });

  test('[DLV2] the share that no device took is of what is open for longer than a minute', async (p) => {
    const read = () => measuredIn(p, 'inquiries_unreached_share');
    const seen = await p.ask({ prompt: 'Seen?' });
    await p.ask({ prompt: 'Unseen?' });
    await mark(p.database, [
      { inquiryId: seen, deviceId: p.phone.deviceId, kind: 'accepted', at: p.database.clock.now() },
    ]);
    deepStrictEqual(await read(), 0);
    p.pass(61_000);
    await sweep(p.inquiries);
    deepStrictEqual(await read(), 0.5);
  });

  test('a push is overdue from its own time on', async (p) => {
    const read = () => measuredIn(p, 'push_overdue_seconds');
    const now = p.database.clock.now();
    const push = { subject_id: await p.ask({ prompt: 'Ship?' }), device_id: p.laptop.deviceId };
    const values = { ...push, wanted: 'ask', due_at: now + 30_000, give_up_at: now + 3_600_000 };
    await p.database.transaction((trx) => trx.insertInto('pushes').values(values).execute());
    deepStrictEqual(await read(), 0);
    p.pass(90_000);
    deepStrictEqual(Math.round((await read()) ?? -1), 60);
  });
}

async function measuredIn({ database }: Place, name: string): Promise<number | undefined> {
  const { registry } = createMetrics({ database });
  const measured = await registry.getSingleMetric(`beckon_${name}`)?.get();
  return measured?.values[0]?.value;
}
