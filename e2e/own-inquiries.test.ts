import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test, describe } from 'node:test';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { all, must } from './hub/call.ts';
import { startHub, type Hub } from './hub/hub.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

type Frame = (inquiry: Inquiry) => string;
type Client = { progressFrame: Frame; resolvedFrame: Frame };

const DONE = 'data: [DONE]\n\n';

describe('a platform whose inquiries live in the hub', { timeout: 60_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let key: string;
  let client: Client;
  let made: NewConnectionReply;
  const platform = createServer((_request, response) => void converse(response));

  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
    ({ key } = await addSource(hub, owner, 'Lumen'));
    const file = await (await fetch(`${hub.url}/client/beckon.mjs`)).text();
    client = (await import(`data:text/javascript,${encodeURIComponent(file)}`)) as Client;
    platform.listen(0, '127.0.0.1');
    await once(platform, 'listening');
    const baseUrl = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
    made = await must(hub, 'POST /v1/connections', {
      token: owner.token,
      body: { name: 'Relay', kind: 'chatcompletions', baseUrl, answerUrl: `${baseUrl}/answer` },
    });
  });
  after(async () => {
    await hub?.remove();
    platform.closeAllConnections();
    platform.close();
  });

  /** Asks in the hub, and passes each of its events on as a frame. */
  async function converse(response: ServerResponse): Promise<void> {
    const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: { prompt: '明天北京\n天气？' } });
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
    const events = await fetch(`${hub.url}/v1/inquiries/${id}/events`, { headers });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let text = '';
    for await (const part of events.body!.pipeThrough(new TextDecoderStream())) {
      const whole = (text + part).split('\n\n');
      text = whole.pop() ?? '';
      for (const one of whole) {
        const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/m.exec(one) ?? [];
        const frame = event === 'opened' ? client.progressFrame : client.resolvedFrame;
        response.write(frame(JSON.parse(data) as Inquiry));
      }
    }
    response.end(DONE);
  }

  test('[RES1] its front end reads both frames through the relay, and people are asked once', async () => {
    const reply = await fetch(`${made.url}/chat/completions`, { method: 'POST', body: '{}' });
    const read = reply.text();
    const open = () => must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: owner.token });
    const [one] = await until('the question', async () => {
      const { items } = await open();
      return items.length > 0 && items;
    });
    await must(hub, `POST /v1/inquiries/${one?.id}/answer`, { token: owner.token, body: { response: '晴' } });
    const frames = await read;
    const [inquiry] = await all<Inquiry>(hub, '/v1/inquiries', key);
    deepStrictEqual(frames, client.progressFrame(inquiry!) + client.resolvedFrame(inquiry!) + DONE);
    // All that the stream said was heard once its call is counted.
    await until('the call of the relay', async () => {
      const path = `GET /v1/connections/${made.connection.id}/contacts`;
      return (await must<{ items: object[] }>(hub, path, { token: owner.token })).items.length > 0;
    });
    const history = await all<Inquiry>(hub, '/v1/history', owner.token);
    deepStrictEqual([history.map(({ source }) => source.name), (await open()).items], [['Lumen'], []]);
  });
});
