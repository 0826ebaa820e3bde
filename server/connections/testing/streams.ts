import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Inquiry } from '#shared/inquiry.ts';
import { dispatcherFor, endpoint } from '../../deliveries/testing/scene.ts';
import { listForSource } from '../../inquiries/read.ts';
import { createAnswers } from '../answers.ts';
import { serve } from '../../platform/testing/listen.ts';
import { openListening } from './scene.ts';

/** A connection to a platform whose streams the test writes, and whose answers it hears. */
export async function connected(
  t: TestContext,
  reply?: Parameters<typeof endpoint>[0],
  more: object = {},
  databaseUrl?: string,
) {
  const streams: ServerResponse[] = [];
  // Before the hub is closed, which gives what is still being told a few seconds to end.
  t.after(() => streams.forEach((stream) => stream.destroy()));
  const scene = await openListening(t, databaseUrl);
  const base = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.flushHeaders();
    streams.push(response);
  });
  const answers = await endpoint(reply);
  t.after(answers.close);
  const { inquiries } = scene.place;
  const dispatcher = dispatcherFor(
    scene.database,
    createAnswers(() => inquiries),
  );
  t.after(() => dispatcher.stop());
  const asked = { name: 'Lumen', kind: 'chatcompletions', baseUrl: base, answerUrl: `${answers.url}answer`, ...more };
  const made = await scene.connect(asked);
  const all = async (): Promise<Inquiry[]> =>
    (await listForSource(scene.database.read, made.connection.id, { limit: 100 })).items.toReversed();
  return {
    ...scene,
    ...made,
    answers,
    dispatcher,
    all,
    /** Opens a stream through the hub, or through its node at this address. */
    async stream(url = made.url) {
      const before = streams.length;
      const call = request(`${url}/chat/completions`, { method: 'POST' }).on('error', () => {});
      call.end('{}');
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      response.on('error', () => {}).resume();
      const platformSide = streams[before] as ServerResponse;
      return {
        /** Of the client's socket to the hub, and of the hub's to the platform. */
        ports: { client: call.socket?.localPort, hub: platformSide.socket?.remotePort },
        say: (...frames: string[]) => void platformSide.write(frames.map((one) => `data: ${one}\n\n`).join('')),
        write: (text: string) => void platformSide.write(text),
        end: () => void platformSide.end(),
        cut: () => void platformSide.destroy(),
        leave: () => void call.destroy(),
      };
    },
    /** What there is of inquiries, once it is as the test says. */
    async until(fits: (all: Inquiry[]) => boolean): Promise<Inquiry[]> {
      for (;;) {
        const found = await all();
        if (fits(found)) return found;
        await turn();
      }
    },
  };
}
/** Waits until the lease of the only inquiry ends about so many ms from now. */
export async function leased({ database }: Awaited<ReturnType<typeof connected>>, ms: number): Promise<void> {
  for (;;) {
    const { lease_until: until } = await database.read.selectFrom('inquiries').selectAll().executeTakeFirstOrThrow();
    const left = (until ?? 0) - database.clock.now();
    if (left > ms - 5_000 && left <= ms) return;
    await turn();
  }
}
