// Many hubs in one process, each with its own port, database and keys, for tests that need a new hub and leave its process
// alone: POST with settings opens one, DELETE closes it (e2e/hub/hubs.ts).
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createApp } from '../../app.ts';
import { ensureOwner } from '../../people/owner.ts';
import { openDatabase } from '../../platform/engines/open.ts';
import { createLog } from '../../platform/log.ts';
import { toDatabaseOptions, readSettings } from '../../platform/settings.ts';
import { welcome } from '../welcome.ts';

const stops = new Map<string, () => Promise<void>>();

const server = createServer((request, response) => {
  const reply = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
  serve(request).then(
    (body) => reply(200, body),
    (error: Error) => reply(500, { error: error.stack }),
  );
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`opens hubs at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);

async function serve(request: IncomingMessage): Promise<object> {
  const body = (await json(request)) as Record<string, string>;
  if (request.method === 'POST') return open(body);
  const { url = '' } = body;
  await stops.get(url)?.();
  stops.delete(url);
  return {};
}

async function open(env: Record<string, string>): Promise<{ url: string }> {
  const settings = readSettings(env);
  const log = createLog(settings.LOG_LEVEL);
  const database = await openDatabase({ ...toDatabaseOptions(settings), log });
  const app = await createApp(settings, database, log);
  const publicUrl = await app.start();
  await welcome({ settings, database, publicUrl, owner: await ensureOwner(database) }, { write: () => true });
  const url = `http://127.0.0.1:${new URL(publicUrl).port}`;
  stops.set(url, app.stop);
  return { url };
}
