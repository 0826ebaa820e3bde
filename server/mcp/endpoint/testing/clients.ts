import type { TestContext } from 'node:test';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';

export type Frame = { method?: string; id?: unknown; params?: Record<string, unknown>; result?: unknown };
export type Connected = { client: Client; frames: Frame[] };

/** A client of the second SDK line; `frames` is what it hears, before the client drops what it does not know. Closed with its test. */
export async function connectV2(
  t: TestContext,
  url: URL,
  key: string,
  mode: 'legacy' | 'modern' | 'auto',
  options: ClientOptions = {},
  version = '1',
): Promise<Connected> {
  const client = new Client(
    { name: 'agent-v2', version },
    { ...options, versionNegotiation: { mode: mode === 'modern' ? { pin: '2026-07-28' } : mode } },
  );
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  const frames: Frame[] = [];
  transport.onmessage = (message) => void frames.push(message as Frame);
  t.after(() => client.close());
  await client.connect(transport);
  return { client, frames };
}

export type ConnectedV1 = { client: V1Client; transport: V1Transport; frames: Frame[] };

/** A client of the first SDK line. */
export async function connectV1(t: TestContext, url: URL, key: string, version = '1'): Promise<ConnectedV1> {
  const client = new V1Client({ name: 'agent-v1', version });
  const transport = new V1Transport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } });
  const frames: Frame[] = [];
  transport.onmessage = (message) => void frames.push(message as Frame);
  t.after(() => client.close());
  await client.connect(transport as never);
  return { client, transport, frames };
}
