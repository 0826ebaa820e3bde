import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { must } from '../hub/call.ts';
import { type Hub, startHub } from '../hub/hub.ts';
import { addSource, type Device, ownerDevice } from '../hub/people.ts';
import { freePort, freshDatabase, startRedis } from '../hub/servers.ts';
import { until } from '../hub/until.ts';
import { type Exchange, exchange, openSession, saidBy } from './wire.ts';

describe('a session of an older client on several nodes', { timeout: 240_000 }, () => {
  const cleaning = new AsyncDisposableStack();
  let first: Hub;
  let second: Hub;
  let owner: Device;
  let key: string;
  let other: string;

  before(async () => {
    const database = cleaning.adopt(await freshDatabase(), ({ drop }) => drop());
    const redis = cleaning.adopt(await startRedis(), ({ kill }) => kill());
    const node = async (): Promise<Hub> => {
      const port = String(await freePort());
      const settings = {
        PORT: port,
        NODE_URL: `http://127.0.0.1:${port}`,
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
      };
      return cleaning.adopt(await startHub(settings), (hub) => hub.remove());
    };
    first = await node();
    second = await node();
    owner = await ownerDevice(first);
    ({ key } = await addSource(first, owner, 'Agent'));
    ({ key: other } = await addSource(first, owner, 'Other agent'));
  });
  after(() => cleaning.disposeAsync());

  const at = (hub: Hub) => `${hub.url}/mcp`;
  const asked = (prompt: string): Promise<Inquiry> =>
    until(`"${prompt}" on the device`, async () => {
      const { items } = await must<{ items: Inquiry[] }>(second, 'GET /v1/inbox', { token: owner.token });
      return items.find((inquiry) => inquiry.prompt === prompt);
    });
  const answer = ({ id }: Inquiry, text: string) =>
    must<AnswerReply>(second, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { text } });
  const met = async (sent: Promise<Exchange>) => {
    const { status, messages, done } = await sent;
    await done;
    return [status, messages[0]?.error?.code];
  };

  test('every node takes its requests and passes them on, streams and returns included', async () => {
    const session = await openSession(at(first), key);
    const listed = await session.send(at(second), { id: 1, method: 'tools/list' });
    await listed.done;
    strictEqual(listed.status, 200);

    const call = await session.call(at(second), 'send_inquiry', { prompt: 'Through a neighbour?' }, 2);
    const inquiry = await asked('Through a neighbour?');
    await until('the first frame', () => call.messages.length > 0);
    strictEqual(call.messages[0]?.method, 'notifications/progress');
    call.cut();
    await call.done;
    const back = await session.resume(at(second), call.lastEventId() ?? '');
    strictEqual(back.status, 200);
    await answer(inquiry, 'yes');
    strictEqual(await saidBy(back), 'yes');

    const cancelled = await session.call(at(first), 'send_inquiry', { prompt: 'Cancelled elsewhere?' }, 3);
    const { id } = await asked('Cancelled elsewhere?');
    await (
      await session.send(at(second), { method: 'notifications/cancelled', params: { requestId: 3 } })
    ).done;
    const resolution = await until('the withdrawal', async () => {
      const now = await must<Inquiry>(first, `GET /v1/inquiries/${id}`, { token: owner.token });
      return now.resolution;
    });
    strictEqual(resolution.message, 'The call was cancelled.');
    cancelled.cut();
  });

  test('it stays its credential’s, and is never passed on where the client says', async () => {
    const session = await openSession(at(first), key);
    const ping = { id: 1, method: 'ping' };
    const [node = ''] = session.id.split('.');
    const named = (id: string, more: object = {}) =>
      exchange(at(second), { key, body: ping, headers: { 'mcp-session-id': id, ...more } });
    deepStrictEqual(
      [
        await met(session.send(at(second), ping)),
        await met(session.send(at(second), ping, other)),
        await met(session.send(at(second), ping, owner.token)),
        await met(named(`${node}.none`)),
        await met(named('http://127.0.0.1:1.x')),
        await met(named(`${'0'.repeat(12)}.x`)),
      ],
      [
        [200, undefined],
        [404, -32001],
        [404, -32001],
        [404, -32001],
        [404, -32001],
        [404, -32001],
      ],
    );
  });

  test('[ASK5] when its node is gone another goes on with it: every call that waits keeps its own question', async () => {
    const session = await openSession(at(first), key);
    const twice = { prompt: 'The node dies?' };
    const calls = [
      await session.call(at(first), 'send_inquiry', twice, 1),
      await session.call(at(first), 'send_inquiry', twice, 2),
      await session.call(at(first), 'send_inquiry', { prompt: 'Cancelled after it died?' }, 3),
    ];
    await Promise.all(calls.map(({ messages }) => until('the first frame', () => messages.length > 0)));
    const ids = calls.map(
      ({ messages }) => (messages[0]?.params?.['meta'] as { inquiryId: string } | undefined)?.inquiryId ?? '',
    );
    const last = calls.map((call) => call.lastEventId() ?? '');
    await first.kill();
    await Promise.all(calls.map(({ done }) => done));

    deepStrictEqual(await met(session.send(at(second), { id: 9, method: 'ping' })), [200, undefined]);
    // In another order than they were made.
    const back = [];
    for (const stream of last.toReversed()) {
      // Cut off once more, before it heard of anything new.
      (await session.resume(at(second), stream)).cut();
      const again = async () => {
        const resumed = await session.resume(at(second), stream);
        return resumed.status === 409 ? undefined : resumed;
      };
      back.push(await until('the stream', again));
    }
    const [third, other, one] = back as [Exchange, Exchange, Exchange];
    await answer({ id: ids[0] } as Inquiry, 'yes');
    await answer({ id: ids[1] } as Inquiry, 'no');
    await (
      await session.send(at(second), { method: 'notifications/cancelled', params: { requestId: 3 } })
    ).done;
    deepStrictEqual([await saidBy(one), await saidBy(other)], ['yes', 'no']);
    deepStrictEqual(
      [one, other].map(({ messages }) => messages.at(-1)?.id),
      [1, 2],
    );
    const { resolution } = await until('the withdrawal', async () => {
      const now = await must<Inquiry>(second, `GET /v1/inquiries/${ids[2]}`, { token: owner.token });
      return now.resolution ? now : undefined;
    });
    strictEqual(resolution?.message, 'The call was cancelled.');
    third.cut();
    // Whoever lost that reply too gets the same once more.
    strictEqual(await saidBy(await session.resume(at(second), last[0] ?? '')), 'yes');
  });

  test('a node that stops hands the id out, and any other node has the answer', async () => {
    await first.start();
    const session = await openSession(at(first), key);
    const call = await session.call(at(first), 'send_inquiry', { prompt: 'A deploy?' });
    const inquiry = await asked('A deploy?');
    await first.stop();
    match((await saidBy(call)) ?? '', new RegExp(inquiry.id));
    const anew = await openSession(at(second), key);
    const waiting = await anew.call(at(second), 'get_answer', { inquiryId: inquiry.id });
    await answer(inquiry, 'yes');
    strictEqual(await saidBy(waiting), 'yes');
  });
});
