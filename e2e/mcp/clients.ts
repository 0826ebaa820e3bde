import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The official clients: the first line of the SDK, and the second in either era. */
export const LINES = ['SDK 1', 'SDK 2, 2025-11-25', 'SDK 2, 2026-07-28'] as const;
export type Line = (typeof LINES)[number];

/** What a tool's result says and holds. */
export type ToolResult = {
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
};
export type Options = {
  timeout?: number;
  signal?: AbortSignal;
  resetTimeoutOnProgress?: boolean;
  onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
};
export type Connected = {
  call(name: string, args: Record<string, unknown>, options?: Options): Promise<ToolResult>;
  close(): Promise<void>;
};

/** The clients' own two tries end before a hub has started again. */
const RECONNECTION = {
  initialReconnectionDelay: 100,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 100,
};

/** Connects an official client with a source's key; without options its calls have its own default time-outs. */
export async function connectClient(url: string, key: string, line: Line = 'SDK 2, 2026-07-28'): Promise<Connected> {
  const about = { name: 'test-agent', version: '1.0.0' };
  const reconnectionOptions = { ...RECONNECTION };
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } }, reconnectionOptions };
  // Of several streams that were cut, SDK 1 forgets at its end to stop all but the last, which would try on for minutes.
  const closing = async (client: { close(): Promise<void> }): Promise<void> => {
    reconnectionOptions.maxRetries = 0;
    await client.close();
  };
  if (line === 'SDK 1') {
    const client = new FirstClient(about);
    await client.connect(new FirstTransport(new URL(url), options) as never);
    return {
      call: async (name, args, how) =>
        (await client.callTool({ name, arguments: args }, undefined, how as never)) as ToolResult,
      close: () => closing(client),
    };
  }
  const mode = line.endsWith('2026-07-28') ? { pin: '2026-07-28' } : 'legacy';
  const client = new Client(about, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), options));
  return {
    call: async (name, args, how) => (await client.callTool({ name, arguments: args }, how as never)) as ToolResult,
    close: () => closing(client),
  };
}

/** The words of a result. */
export const wordsOf = ({ content }: ToolResult): string => content.map(({ text = '' }) => text).join('\n');
