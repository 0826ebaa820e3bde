import { deepStrictEqual, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Hub, startHub } from '../hub/hub.ts';
import { addSource, type Device, ownerDevice } from '../hub/people.ts';
import { freePort, freshDatabase, startRedis } from '../hub/servers.ts';
import { until } from '../hub/until.ts';
import { asked, decide, nothingAsked } from './people.ts';
import { program, said } from './programs.ts';
import { CHILD, runs } from './wrapped.ts';

describe('a program of one node behind a gate of several', { timeout: 120_000 }, () => {
  const cleaning = new AsyncDisposableStack();
  let first: Hub;
  let second: Hub;
  let owner: Device;
  let key: string;

  before(async () => {
    const folder = cleaning.adopt(mkdtempSync(join(tmpdir(), 'beckon-nodes-')), (path) =>
      rmSync(path, { recursive: true }),
    );
    const file = join(folder, 'gates.json');
    writeFileSync(file, JSON.stringify({ gates: { modern: { upstream: program(CHILD.modern) } } }));
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
        GATES_FILE: file,
      };
      return cleaning.adopt(await startHub(settings), (hub) => hub.remove());
    };
    first = await node();
    second = await node();
    owner = await ownerDevice(first);
    ({ key } = await addSource(first, owner, 'Agent'));
  });
  after(() => cleaning.disposeAsync());

  test('a session goes on through any node, and ends with its own', async () => {
    let through = first;
    const client = new Client({ name: 'wanderer', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(`${first.url}/mcp/gate/modern`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: (url, init) => fetch(String(url).replace(first.url, through.url), init),
    });
    await client.connect(transport as never);
    const pid = said(await client.callTool({ name: 'pid' }));
    through = second;
    deepStrictEqual(said(await client.callTool({ name: 'pid' })), pid);

    const held = client.callTool({ name: 'note', arguments: { text: 'a' } });
    const [inquiry] = await asked(second, owner);
    await decide(second, owner, inquiry, { type: 'edit', argsText: '{"text":"b"}' });
    deepStrictEqual(said(await held), 'noted b');

    const controller = new AbortController();
    const taken = rejects(
      client.callTool({ name: 'note', arguments: { text: 'c' } }, undefined, { signal: controller.signal }),
    );
    await asked(second, owner);
    controller.abort();
    await taken;
    await nothingAsked(first, owner);

    await first.kill();
    await until('the program of the killed node to end', () => !runs(Number(pid)));
    await rejects(client.callTool({ name: 'pid' }), /Session not found/);
    await client.close();
  });
});
