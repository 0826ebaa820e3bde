import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startHub, type Hub } from '../hub/hub.ts';
import { addSource, ownerDevice, type Device } from '../hub/people.ts';

/** A hub whose operator put gates before programs. */
export type ProgramScene = {
  hub: Hub;
  owner: Device;
  key: string;
  otherKey: string;
  /** The address of a gate. */
  url(gate: string): string;
  remove(): Promise<void>;
};

/** The upstream of a gate that is this program. */
export function program([command = '', ...args]: readonly string[], env: Record<string, string> = {}) {
  return { command, args, env };
}

export async function openPrograms(
  gates: Record<string, object>,
  settings: Record<string, string> = {},
): Promise<ProgramScene> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-gates-'));
  const file = join(folder, 'gates.json');
  writeFileSync(file, JSON.stringify({ gates }));
  const hub = await startHub({ GATES_FILE: file, ...settings });
  const owner = await ownerDevice(hub);
  const { key } = await addSource(hub, owner, 'Agent');
  const { key: otherKey } = await addSource(hub, owner, 'Other agent');
  return {
    hub,
    owner,
    key,
    otherKey,
    url: (gate) => `${hub.url}/mcp/gate/${gate}`,
    async remove() {
      await hub.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const about = { name: 'test-agent', version: '1.0.0' };
const init = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

/** A client of the first SDK line. */
export async function firstClient(url: string, key: string, capabilities: object = {}): Promise<FirstClient> {
  const client = new FirstClient(about, { capabilities });
  await client.connect(new FirstTransport(new URL(url), init(key)) as never);
  return client;
}

/** A client of the second SDK line: of 2026-07-28, of an older revision, or of whichever the server speaks. */
export async function secondClient(
  url: string,
  key: string,
  mode: 'auto' | 'legacy' | { pin: string } = { pin: '2026-07-28' },
): Promise<Client> {
  const client = new Client(about, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), init(key)));
  return client;
}

type Result = { content?: unknown; isError?: boolean | undefined };

/** The words of a result. */
export function said(result: unknown): string {
  const { content } = result as Result;
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('\n');
}
