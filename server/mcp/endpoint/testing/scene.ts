import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { addDevice } from '../../../devices/admit.ts';
import { ensureOwner } from '../../../people/owner.ts';
import type { Database } from '../../../platform/database.ts';
import { openDatabase } from '../../../platform/engines/open.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createLog, type Log } from '../../../platform/log.ts';
import { readSettings, type Settings } from '../../../platform/settings.ts';
import { createSourceForEverybody } from '../../../sources/create.ts';
import type { Pace } from '../../hold.ts';
import { migratedFolder } from '../../../platform/testing/folder.ts';

/** A whole hub in this process, with a source, two devices of its owner, and time as short as a test wants it. */
export type Scene = {
  url: string;
  /** `/mcp`, with this query. */
  mcp(query?: string): URL;
  keys: { source: string; other: string; device: string; laptop: string };
  /** Calls the HTTP border. */
  call<T>(method: string, path: string, token: string, body?: object): Promise<T>;
  /** The newest open inquiry with this prompt, once it is there. */
  asked(prompt: string): Promise<Inquiry>;
  answer(inquiry: Inquiry, body: object): Promise<AnswerReply>;
  read(inquiryId: string): Promise<Inquiry>;
  /** What lets asks in. */
  asks(): Http['asks'];
  /** Breaks every connection, stops the hub and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** Puts a hub together: `createApp`, which only a test may import. */
export type CreateApp = (
  settings: Settings,
  database: Database,
  log: Log,
  options: { pace?: Partial<Pace> },
) => Promise<{ http: Http; start(): Promise<string>; stop(): Promise<void> }>;

export async function openScene(
  createApp: CreateApp,
  pace: Partial<Pace> = {},
  more: Record<string, string> = {},
): Promise<Scene> {
  const dataDir = await migratedFolder();
  const log = createLog(process.env['LOG_LEVEL'] ?? 'fatal');
  const database = await openDatabase({ dataDir });
  const owner = await ensureOwner(database);
  const sources = [
    await createSourceForEverybody(database, owner.id, 'Agent'),
    await createSourceForEverybody(database, owner.id, 'Other agent'),
  ];
  const [phone, laptop] = [await addDevice(database, owner.id, 'Phone'), await addDevice(database, owner.id, 'Laptop')];
  const open = async (at: number, on: Database) => {
    const settings = readSettings({ PORT: String(at), DATA_DIR: dataDir, RATE_LIMIT: '10000000', ...more });
    const made = await createApp(settings, on, log, { pace });
    await made.start();
    return made;
  };
  let app = await open(0, database);
  const { port } = app.http.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;

  const call = async <T>(method: string, path: string, token: string, body?: object): Promise<T> => {
    const reply = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : null,
    });
    return (await reply.json()) as T;
  };
  return {
    url,
    mcp: (query = '') => new URL(`/mcp${query}`, url),
    keys: {
      source: sources[0]?.key ?? '',
      other: sources[1]?.key ?? '',
      device: phone.accessToken,
      laptop: laptop.accessToken,
    },
    call,
    async asked(prompt) {
      for (;;) {
        const { items } = await call<{ items: Inquiry[] }>('GET', '/v1/inbox', phone.accessToken);
        const found = items.find((inquiry) => (inquiry.prompt ?? inquiry.title) === prompt);
        if (found) return found;
        await pause(5);
      }
    },
    answer: ({ id, digest }, body) =>
      call('POST', `/v1/inquiries/${id}/answer`, phone.accessToken, { digest, ...body }),
    read: (inquiryId) => call('GET', `/v1/inquiries/${inquiryId}`, phone.accessToken),
    asks: () => app.http.asks,
    async restart() {
      app.http.server.closeAllConnections();
      await app.stop();
      app = await open(port, await openDatabase({ dataDir }));
    },
    async stop() {
      await app.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
