import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import type { Hub } from '../hub/hub.ts';

/** How it stands with something owed, and what its first attempt came to. */
export type Standing = { state: string; status?: number | undefined; error?: string | undefined };
export type Fault = {
  name: string;
  /** What the endpoint does. */
  reply?: (response: ServerResponse) => void;
  /** What is wrong in the row of the webhook, in that of its source, and in that of the subscription. */
  rows?: { deliveries?: string; sources?: string; subscriptions: string };
  /** What is read of it after its first attempt; `done` stands for the duty's own word. */
  webhook: Standing;
  push: Standing;
};
export type Endpoints = { bad: string; good: string; met: Set<string>; close(): void };

/** Stands for this machine in a callback. */
export const CALLBACK_HOST = 'callback.example';

const good = (response: ServerResponse): void => void response.writeHead(204).end();

/** A good endpoint, and one that has the fault whose number its path begins with; `met` holds the paths that had it. */
export async function startEndpoints(faults: Fault[]): Promise<Endpoints> {
  const met = new Set<string>();
  const healthy = createServer((_request, response) => good(response));
  const faulty = createServer((request, response) => {
    const [, at, type, duty] = (request.url ?? '').split('/');
    const { reply = good } = faults[Number(at)] ?? {};
    void text(request).then((body) => {
      // What comes before the duty under test, such as the resolution before a late answer, goes well.
      if (body.startsWith('{"type":') && !body.startsWith(`{"type":"${type}"`)) return good(response);
      met.add(`/${at}/${type}/${duty}`);
      reply(response);
    });
  });
  const servers = [faulty, healthy];
  await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
  const [bad = '', well = ''] = servers.map((one) => `http://127.0.0.1:${(one.address() as { port: number }).port}`);
  return { bad, good: well, met, close: () => servers.forEach((server) => server.close().closeAllConnections()) };
}

/** Replies without end, as fast as it is read. */
export function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write(Buffer.alloc(65_536)));
  response.once('drain', () => pour(response));
}

/** Rows of bad endpoints are damaged in the transaction that writes them, so that no attempt comes before. */
export function damageRows({ dataDir }: Hub, faults: Fault[]): void {
  const file = new DatabaseSync(join(dataDir, 'beckon.sqlite'), { timeout: 5_000 });
  const after = (name: string, table: string, when: string, then: string): void =>
    file.exec(`create trigger ${name} after insert on ${table} when ${when} begin update ${then}; end`);
  // No callback reaches a private network, and here is no other: it is led here as one that the owner typed.
  const led = `typed_by_owner = 1, url = replace(url, '//${CALLBACK_HOST}:', '//127.0.0.1:')`;
  after('trusted', 'deliveries', 'new.typed_by_owner = 0', `deliveries set ${led} where id = new.id`);
  for (const [at, { rows }] of faults.entries()) {
    if (!rows) continue;
    const url = `new.url like '%/${at}/%'`;
    const { deliveries, sources, subscriptions } = rows;
    if (deliveries) after(`d${at}`, 'deliveries', url, `deliveries set ${deliveries} where id = new.id`);
    if (sources) after(`o${at}`, 'deliveries', url, `sources set ${sources} where id = new.source_id`);
    // No two devices have one endpoint: one that is none is written with the push.
    const table = subscriptions.includes('endpoint') ? 'pushes' : 'subscriptions';
    const own = `device_id = new.device_id and endpoint like '%/${at}/%'`;
    after(`s${at}`, table, 'true', `subscriptions set ${subscriptions} where ${own}`);
  }
  file.close();
}
