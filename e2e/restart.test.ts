import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { call, must, type Reply } from './hub/call.ts';
import type { Hub } from './hub/hub.ts';
import { startNodes, type Engine, type Nodes } from './hub/nodes.ts';
import { openPage, type Page } from './hub/page.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

const GRACE_MS = 2_000;

for (const engine of ['SQLite', 'Postgres'] as const) restart(engine);

function restart(engine: Engine): void {
  describe(`a hub on ${engine} stops and comes back`, { timeout: 240_000 }, () => {
    let nodes: Nodes;
    let hub: Hub;
    let owner: Device;
    let page: Page;
    let key: string;

    before(async () => {
      nodes = await startNodes(engine);
      [hub] = nodes.nodes;
      owner = await ownerDevice(hub);
      ({ key } = await addSource(hub, owner, 'Asker'));
      page = await openPage(hub, owner, { reconnection: true });
    });
    after(async () => {
      page?.close();
      await nodes?.remove();
    });

    const block = (body: object, signal?: AbortSignal): Promise<Reply<Inquiry>> =>
      call(hub, 'POST /v1/inquiries?wait=100', { token: key, body, ...(signal ? { signal } : {}) });
    const read = (id: string) => must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: key });
    const answer = (id: string) =>
      must<AnswerReply>(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { text: 'yes' } });

    /** The id of the inquiry that a blocking call opened, as a device is told. */
    async function heard(prompt: string): Promise<string> {
      const told = () => [
        ...page.of('inquiry').map(({ inquiry }) => inquiry),
        ...page.of('snapshot').flatMap(({ inquiries }) => inquiries),
      ];
      return (await until(`"${prompt}" on the device`, () => told().find((inquiry) => inquiry.prompt === prompt))).id;
    }

    /** Its own word: on Postgres its clock is the server's, as near as it could measure. */
    async function timeOfHub(): Promise<number> {
      await page.send('sync', {});
      return Date.parse(page.of('snapshot').at(-1)?.serverTime ?? '');
    }

    test('[ASK1] [ASK2] SIGTERM ends what waits without withdrawing it, and the same key finds it again', async () => {
      const asked = { keyed: { prompt: 'With a key?', key: 'k-1' }, keyless: { prompt: 'Without a key?' } };
      const waiting = [block(asked.keyed), block(asked.keyless)];
      const ids = [await heard(asked.keyed.prompt), await heard(asked.keyless.prompt)];
      const reading = call<Inquiry>(hub, `GET /v1/inquiries/${ids[0]}?wait=100`, { token: key });
      const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
      const stream = await fetch(`${hub.url}/v1/inquiries/${ids[0]}/events`, { headers });
      // The one sent after it was answered: so it has come, and waits.
      await read(ids[0] ?? '');
      const snapshots = page.of('snapshot').length;
      const { code } = await hub.stop();
      const ended = await Promise.all([...waiting, reading]);
      deepStrictEqual(
        [code, ended.map(({ status, body }) => [status, body.id, body.resolution])],
        [
          0,
          [
            [201, ids[0], undefined],
            [201, ids[1], undefined],
            [200, ids[0], undefined],
          ],
        ],
      );
      deepStrictEqual((await stream.text()).match(/^event: .*$/gm), ['event: opened']);

      await hub.start();
      await until('the page to be back', () => page.of('snapshot').length > snapshots);
      deepStrictEqual(
        page
          .of('snapshot')
          .at(-1)
          ?.inquiries.map(({ id }) => id)
          .toSorted(),
        ids.toSorted(),
      );
      const again = block(asked.keyed);
      const { resolution } = await answer(ids[0] ?? '');
      const { status, body } = await again;
      deepStrictEqual([status, body.id, body.resolution], [200, ids[0], resolution]);
      deepStrictEqual((await read(ids[1] ?? '')).resolution, undefined);
      deepStrictEqual((await answer(ids[1] ?? '')).won, true);
    });

    test('[ASK2] kill -9 under a waiting call: the same key finds its inquiry and waits on', async () => {
      const asked = { prompt: 'Still there?', key: 'k-2' };
      const cut = block(asked).then(
        () => 'answered',
        () => 'cut',
      );
      const id = await heard(asked.prompt);
      await hub.kill();
      await hub.start();
      const again = block(asked);
      const { resolution } = await answer(id);
      const { status, body } = await again;
      deepStrictEqual([await cut, status, body.id, body.resolution], ['cut', 200, id, resolution]);
    });

    test('[WDR1] a keyless call whose client closed is withdrawn 2 s later, one with a key is not', async () => {
      const closing = new AbortController();
      const [left, kept] = [{ prompt: 'Are you there?' }, { prompt: 'Take your time?', key: 'k-3' }];
      const gone = [block(left, closing.signal), block(kept, closing.signal)].map((waiting) =>
        waiting.then(
          () => 'answered',
          () => 'closed',
        ),
      );
      const [leftId, keptId] = [await heard(left.prompt), await heard(kept.prompt)];
      const closedAt = await timeOfHub();
      closing.abort();
      deepStrictEqual(await Promise.all(gone), ['closed', 'closed']);
      const told = await until('the withdraw', () => page.of('withdraw').find(({ inquiryId }) => inquiryId === leftId));
      const { outcome, by, message, at } = told.resolution;
      deepStrictEqual([outcome, by, message], ['withdrawn', { kind: 'source', label: 'Asker' }, 'its asker is gone']);
      // A millisecond may fall to rounding.
      deepStrictEqual(Date.parse(at) - closedAt >= GRACE_MS - 5, true, `${Date.parse(at) - closedAt} ms`);
      deepStrictEqual((await read(keptId)).resolution, undefined);
    });

    test('[ASK2] a call with a key that comes back in time finds its inquiry', async () => {
      const closing = new AbortController();
      const asked = { prompt: 'Once more?', key: 'once-more' };
      const gone = block(asked, closing.signal).then(
        () => 'answered',
        () => 'closed',
      );
      const id = await heard(asked.prompt);
      closing.abort();
      const again = block(asked);
      const { resolution } = await answer(id);
      const { status, body } = await again;
      deepStrictEqual([await gone, status, body.id, body.resolution], ['closed', 200, id, resolution]);
    });
  });
}
