import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { call, must } from '../hub/call.ts';
import { startHub } from '../hub/hub.ts';
import { startNodes, type Engine } from '../hub/nodes.ts';
import { openPage } from '../hub/page.ts';
import { addSource, ownerDevice } from '../hub/people.ts';
import { until } from '../hub/until.ts';

const STILL_MS = 8_000;
/** More than Node's own queue of 511. */
const AT_ONCE = 1_200;
/** A connection that finds no place tries again after one second, then two, then four: by then the queue would have none. */
const LOST_MS = 15_000;

describe('a node stands still across a deadline', { concurrency: true }, () => {
  standStill('SQLite');
  standStill('Postgres');
});

test('1,200 connections that come while a node stands still find a place and are not closed for each other', async (t) => {
  const hub = await startHub();
  t.after(() => hub.remove());
  await hub.signal('SIGSTOP');
  const { hostname: host, port } = new URL(hub.url);
  const sockets = Array.from({ length: AT_ONCE }, () => connect({ host, port: Number(port) }).on('error', () => {}));
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  const connected = Promise.all(sockets.map((socket) => once(socket, 'connect')));
  deepStrictEqual((await Promise.race([connected, pause(LOST_MS, undefined, { ref: false })]))?.length, AT_ONCE);
  await hub.signal('SIGCONT');
  // Its connection is taken after theirs.
  for (let look = 0; look < 3; look++) await must(hub, 'GET /healthz');
  deepStrictEqual(sockets.filter(({ closed }) => closed).length, 0);
});

function standStill(engine: Engine): void {
  test(`[RES1] an answer that lay in its socket wins, one sent after it is late, on ${engine}`, async (t) => {
    const { nodes, remove } = await startNodes(engine);
    t.after(remove);
    const [hub] = nodes;
    const owner = await ownerDevice(hub);
    const { key } = await addSource(hub, owner, 'CI');
    const page = await openPage(hub, owner);
    t.after(() => page.close());
    const ask = (prompt: string) =>
      must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: { prompt, deadline: 6 } });
    const asked = await Promise.all(['Live?', 'By HTTP?', 'Too late?'].map(ask));
    const [live, http, late] = asked.map(({ id }) => id);

    await hub.signal('SIGSTOP');
    const stoodAt = performance.now();
    const answers = [
      page.send<AnswerReply>('answer', { inquiryId: live, text: 'Yes' }),
      must<AnswerReply>(hub, `POST /v1/inquiries/${http}/answer`, { token: owner.token, body: { text: 'Yes' } }),
    ];
    await until('the deadlines to be over', () => performance.now() - stoodAt > STILL_MS);
    await hub.signal('SIGCONT');
    const won = (await Promise.all(answers)).map((reply) => reply.won);

    const resolved = async () => (await must<Inquiry>(hub, `GET /v1/inquiries/${late}`, { token: key })).resolution;
    await until('the sweep', resolved);
    const { status, body } = await call<AnswerReply>(hub, `POST /v1/inquiries/${late}/answer`, {
      token: owner.token,
      body: { text: 'Yes' },
    });
    deepStrictEqual([won, status, body.won, body.resolution.outcome], [[true, true], 409, false, 'expired']);
  });
}
