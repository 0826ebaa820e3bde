import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { HEARTBEAT_MS } from '#shared/live.ts';
import { all, must } from './hub/call.ts';
import type { Hub } from './hub/hub.ts';
import { startNodes, type Nodes } from './hub/nodes.ts';
import { openPage, syncWhenBehind, type Page } from './hub/page.ts';
import { addDevices, addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

/** What the machine may add to the 15 s that a lost message costs. */
const SLACK_MS = 5_000;
/** Well under the slow interval: only a message between the nodes is as quick. */
const QUICK_MS = 8_000;

describe('two nodes lose their Redis and get it back', { timeout: 280_000 }, () => {
  let nodes: Nodes;
  let near: Hub;
  let far: Hub;
  let devices: [Device, Device];
  let page: Page;
  let key: string;
  const answered: string[] = [];

  before(async () => {
    nodes = await startNodes('Postgres', 2);
    [near, far] = nodes.nodes as [Hub, Hub];
    const owner = await ownerDevice(near);
    devices = [owner, ...(await addDevices(near, owner, 1))] as [Device, Device];
    ({ key } = await addSource(near, owner, 'Asker'));
    page = await openPage(far, devices[1]);
    syncWhenBehind(page);
  });
  after(async () => {
    page?.close();
    await nodes?.remove();
  });

  /** Asks on one node while a long poll waits on the other, answers on the first; resolves when everybody there knows. */
  async function askHereAnswerHere(): Promise<{ pollMs: number; pageMs: number }> {
    const { id } = await must<Inquiry>(near, 'POST /v1/inquiries', { token: key, body: { prompt: 'Here or there?' } });
    const polled = must<Inquiry>(far, `GET /v1/inquiries/${id}?wait=60`, { token: key });
    await until('the question on the other node', () => openOn(page).includes(id), HEARTBEAT_MS + SLACK_MS);
    const { resolution } = await must<AnswerReply>(near, `POST /v1/inquiries/${id}/answer`, {
      token: devices[0].token,
      body: { text: 'here' },
    });
    const began = performance.now();
    const [pollMs, pageMs] = await Promise.all([
      polled.then((inquiry) => (deepStrictEqual(inquiry.resolution, resolution), performance.now() - began)),
      until('the withdraw on the other node', () => !openOn(page).includes(id), 2 * HEARTBEAT_MS).then(
        () => performance.now() - began,
      ),
    ]);
    answered.push(id);
    return { pollMs, pageMs };
  }

  const degraded = async (hub: Hub): Promise<unknown> =>
    (await must<{ degraded: string[] }>(hub, 'GET /readyz')).degraded;
  const both = (parts: string[]) => async () =>
    JSON.stringify([await degraded(near), await degraded(far)]) === JSON.stringify([parts, parts]);

  test('[LIV1] with it the other node knows at once', async () => {
    const { pollMs, pageMs } = await askHereAnswerHere();
    deepStrictEqual([pollMs < QUICK_MS, pageMs < QUICK_MS], [true, true], `${pollMs} ms, ${pageMs} ms`);
  });

  test('[LIV1] [WDR1] without it the nodes say so, go on, and the other one knows within 15 s', async () => {
    await nodes.redis?.kill();
    await until('both nodes to be degraded', both(['redis']));
    const { pollMs, pageMs } = await askHereAnswerHere();
    const most = HEARTBEAT_MS + SLACK_MS;
    deepStrictEqual([pollMs < most, pageMs < most], [true, true], `${pollMs} ms, ${pageMs} ms`);
  });

  test('[LIV1] back again it is quick again, and nothing was lost', async () => {
    await nodes.redis?.start();
    await until('both nodes to be whole', both([]));
    // It takes no snapshot in the place of a withdraw, as one does that a heartbeat overtook.
    const onlyHears = await openPage(far, devices[1]);
    for (let times = 0; times < 3; times++) {
      const { pollMs, pageMs } = await askHereAnswerHere();
      deepStrictEqual([pollMs < QUICK_MS, pageMs < QUICK_MS], [true, true], `${pollMs} ms, ${pageMs} ms`);
    }
    await until('the three withdraws', () => onlyHears.of('withdraw').length >= 3);
    deepStrictEqual(
      onlyHears.of('withdraw').map(({ inquiryId }) => inquiryId),
      answered.slice(-3),
    );
    onlyHears.close();
    const [here, there] = await Promise.all([
      all<Inquiry>(near, '/v1/history', devices[0].token),
      all<Inquiry>(far, '/v1/history', devices[1].token),
    ]);
    deepStrictEqual(
      here.map(({ id }) => id),
      answered.toReversed(),
    );
    deepStrictEqual(there, here);
  });
});

/** What the page shows: the newest snapshot and the deltas above it. */
function openOn(page: Page): string[] {
  const snapshot = page.of('snapshot').at(-1);
  if (!snapshot) return [];
  const open = new Set(snapshot.inquiries.map(({ id }) => id));
  for (const { inquiry, version } of page.of('inquiry')) if (version > snapshot.version) open.add(inquiry.id);
  for (const { inquiryId, version } of page.of('withdraw')) if (version > snapshot.version) open.delete(inquiryId);
  return [...open];
}
