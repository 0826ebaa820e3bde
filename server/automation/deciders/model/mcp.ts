import { type Call, REPLY_BYTES, Trouble, toHost, statusTrouble, tooLong } from './call.ts';
import { SdkError, SdkHttpError } from '@modelcontextprotocol/client';
import { TooLong, withMcpClient } from '../../../platform/outbound/mcp-client.ts';
import { traceHeaders } from '../../../platform/trace.ts';

/** Calls the tool of an MCP server, and returns the JSON that it returned. Throws `Trouble` where there is none. */
export async function askMcp({ decider, told, schema, before, signal, log }: Call): Promise<string> {
  const { url, key, tool = '', instructions, timeoutSeconds } = decider;
  const params = {
    name: tool,
    arguments: { ...told, schema, instructions, ...(before ? { faults: before.faults } : {}) },
  };
  log.sent = JSON.stringify(params);
  const headers = { ...traceHeaders(), ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
  const timeoutMs = timeoutSeconds * 1000;
  const limits = { name: 'beckon-decider', signal, timeoutMs, maxBytes: REPLY_BYTES };
  const result = await withMcpClient({ url, headers }, limits, (client, ends) =>
    client.callTool(params, { timeout: timeoutMs, signal: ends }),
  ).catch((error: unknown) => {
    throw signal.aborted ? error : toTrouble(error, url);
  });
  log.received = JSON.stringify(result);
  if (result.isError) throw new Trouble(`The tool "${tool}" at ${toHost(url)} failed: look at what it returned.`);
  if (result.structuredContent !== undefined) return JSON.stringify(result.structuredContent);
  return result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function toTrouble(error: unknown, url: string): unknown {
  const chain = listCauses(error);
  const refused = chain.find((one) => one instanceof SdkHttpError && one.status >= 300) as SdkHttpError | undefined;
  if (refused) return statusTrouble(refused.status, url);
  if (chain.some((one) => one instanceof TooLong)) return tooLong(url);
  const failed = chain.find((one) => typeof one.code === 'string' && !(one instanceof SdkError));
  if (failed) return failed;
  const why = chain.at(-1)?.message ?? '';
  if (why === 'unexpected redirect') return statusTrouble(307, url);
  return new Trouble(`${toHost(url)} gives no answer over MCP (${why}): check the address and the tool.`);
}

function listCauses(error: unknown): (Error & { code?: unknown })[] {
  return error instanceof Error ? [error, ...listCauses(error.cause)] : [];
}
