import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { createLog } from '../../platform/log.ts';
import { localSignals } from '../../platform/nodes/signals.ts';
import { serve } from '../../platform/testing/listen.ts';
import { openScene } from '../testing/scene.ts';
import { createOpenCalls } from './open-calls.ts';

/** Opens a stream; resolves with how it ended. */
async function stream(url: string): Promise<{ ended: Promise<string> }> {
  const call = request(`${url}/chat/completions`).on('error', () => {});
  call.end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const ended = new Promise<string>((resolve) => {
    response.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? ''));
    response.on('end', () => resolve('end'));
  });
  response.resume();
  return { ended };
}

async function connected(t: TestContext) {
  const left: string[] = [];
  const base = await serve(t, ({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    response.on('close', () => left.push(url));
  });
  const scene = await openScene(t);
  const connect = async (name: string) => scene.connect({ name, kind: 'chatcompletions', baseUrl: `${base}/${name}` });
  return { ...scene, left, one: await connect('one'), other: await connect('other') };
}

for (const how of ['removed', 'turned off', 'renewed'] as const)
  test(`the open streams of a connection that is ${how} are cut, its platform’s work ends, and no other stream notices`, async (t) => {
    const { one, other, call, left } = await connected(t);
    const streams = [await stream(one.url), await stream(one.url)];
    let otherEnded = false;
    void (await stream(other.url)).ended.then(() => (otherEnded = true));
    const path = `/v1/connections/${one.connection.id}`;
    // A change that leaves its token good.
    await call('PATCH', path, { name: 'One' });
    if (how === 'removed') await call('DELETE', path);
    else if (how === 'turned off') await call('PATCH', path, { enabled: false });
    else await call('POST', `${path}/address`, {});
    deepStrictEqual(await Promise.all(streams.map(({ ended }) => ended)), ['ECONNRESET', 'ECONNRESET']);
    const reply = await fetch(`${one.url}/models`);
    deepStrictEqual([reply.status, await reply.text()], [404, '']);
    while (left.length < 2) await new Promise((go) => setImmediate(go));
    deepStrictEqual([left, otherEnded], [['/one/chat/completions', '/one/chat/completions'], false]);
  });

test('where the signal between nodes was lost, the hub finds a stale call by itself', async (t) => {
  const { one, other, call, database } = await connected(t);
  const log = createLog('silent');
  const calls = createOpenCalls({ database, signals: localSignals(), log }, 10);
  t.after(() => calls.stop());
  const opened = (token: string, sourceId: string) => {
    const reply = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => void reply.emit('close') });
    calls.add(token, sourceId, reply as unknown as ServerResponse);
    return reply;
  };
  const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
  const kept = opened(tokenOf(other.url), other.connection.id);
  let closed = 0;
  kept.on('close', () => closed++);
  const stale = opened(tokenOf(one.url), one.connection.id);
  const cut = once(stale, 'close');
  await call('PATCH', `/v1/connections/${one.connection.id}`, { enabled: false });
  await cut;
  strictEqual(closed, 0);
});
