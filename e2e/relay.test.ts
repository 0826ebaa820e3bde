import { deepStrictEqual, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { steppedClock } from './hub/clock.ts';
import { startEndpoint } from './hub/endpoint.ts';
import { startHub, type Hub } from './hub/hub.ts';
import { ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

const STREAMS = 100;
const CHUNKS = 50;

describe('a connection’s address before a platform', { timeout: 120_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let answers: Awaited<ReturnType<typeof startEndpoint>>;
  let made: NewConnectionReply;
  const clock = steppedClock();
  const open: ServerResponse[] = [];
  const platform = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    if (request.url === '/v1/asks') return void open.push(response);
    const name = new URL(request.url ?? '', 'http://platform').searchParams.get('name') ?? '';
    let count = 0;
    const say = (): void => {
      if (count === CHUNKS) return void response.end('data: [DONE]\n\n');
      response.write(chunkOf(name, count++));
      setImmediate(say);
    };
    say();
  });

  before(async () => {
    hub = await startHub({ LOG_LEVEL: 'trace', ...clock.settings });
    owner = await ownerDevice(hub);
    answers = await startEndpoint();
    platform.listen(0, '127.0.0.1');
    await once(platform, 'listening');
    const { port } = platform.address() as AddressInfo;
    const body = { name: 'Lumen', kind: 'chatcompletions', baseUrl: `http://127.0.0.1:${port}/v1` };
    made = await must(hub, 'POST /v1/connections', {
      token: owner.token,
      body: { ...body, answerUrl: `${answers.url}/answer` },
    });
  });
  after(async () => {
    await hub?.remove();
    await answers?.close();
    platform.closeAllConnections();
    platform.close();
    clock[Symbol.dispose]();
  });

  const shown = async (): Promise<Inquiry[]> =>
    (await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: owner.token })).items;

  test('a hundred streams at once arrive as they were sent', async () => {
    const names = Array.from({ length: STREAMS }, (_, at) => `stream-${at}`);
    const texts = await Promise.all(
      names.map(async (name) => (await fetch(`${made.url}/chat?name=${name}`, { method: 'POST', body: '{}' })).text()),
    );
    const expected = (name: string): string =>
      `${Array.from({ length: CHUNKS }, (_, at) => chunkOf(name, at)).join('')}data: [DONE]\n\n`;
    deepStrictEqual(texts, names.map(expected));
  });

  test('[ASK1] a hub that is killed cuts the stream, and its question is answered after the restart', async () => {
    const client = await fetch(`${made.url}/asks`);
    const ended = client.text().catch(() => 'cut');
    open[0]?.write(questionOf('a4cecc76', '明天北京天气如何？'));
    const [one] = await until('the question is shown', async () => {
      const items = await shown();
      return items.length > 0 && items;
    });
    ok(one);
    await hub.kill();
    deepStrictEqual(await ended, 'cut');
    await hub.start();
    deepStrictEqual(
      (await shown()).map(({ id }) => id),
      [one.id],
    );
    await must(hub, `POST /v1/inquiries/${one.id}/answer`, { token: owner.token, body: { response: '晴' } });
    await until('the platform has the answer', () => answers.got.length > 0);
    deepStrictEqual(
      answers.got.map(({ path, body }) => [path, JSON.parse(body) as unknown]),
      [['/answer', { inquiryId: 'a4cecc76', response: '晴' }]],
    );
  });

  test('[RES6] a question that was cut with its hub, and that nobody answers, is withdrawn 60 to 75 s after the start', async () => {
    const client = fetch(`${made.url}/asks`).then((reply) => reply.text().catch(() => 'cut'));
    await until('the stream', () => open.length === 2);
    open[1]?.write(questionOf('b', 'Nobody?'));
    const [{ id }] = await until('the question', async () => {
      const items = await shown();
      return items.length > 0 && (items as [Inquiry]);
    });
    await hub.kill();
    deepStrictEqual(await client, 'cut');
    await hub.start();
    const read = () => must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: owner.token });
    clock.sleep(55_000);
    const since = performance.now();
    await until('a few sweeps', async () => {
      deepStrictEqual((await read()).resolution, undefined);
      return performance.now() - since > 2_000;
    });
    clock.sleep(25_000);
    const { resolution } = await until('its withdrawal', async () => {
      const one = await read();
      return one.resolution && one;
    });
    deepStrictEqual([resolution?.outcome, resolution?.message], ['withdrawn', 'its asker is gone']);
  });

  test('[SEC1] a connection’s token stands in no log', () => {
    const token = made.url.slice(made.url.lastIndexOf('/') + 1);
    deepStrictEqual([hub.log().includes('/v1/in/'), hub.log().includes(token)], [true, false]);
  });
});

function chunkOf(name: string, count: number): string {
  return `data: {"choices":[{"delta":{"content":"${name} 你好 ${count}"}}]}\n\n`;
}

function questionOf(inquiryId: string, question: string): string {
  const notification = { method: 'notifications/progress', params: { meta: { inquiryId, question, type: 'INQUIRY' } } };
  const delta = { chatos_additional_data: { mcp_progress_notification_data: JSON.stringify(notification) } };
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
}
