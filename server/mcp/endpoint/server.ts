import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { toRefusal } from '../../platform/http/problems.ts';
import { VERSION } from '../../platform/settings.ts';
import {
  callNames,
  readMcpRequest,
  type Call,
  type Era,
  type Parts,
  type ToolResult,
  type Unfinished,
  type McpRequest,
} from './call.ts';
import { CAPABILITIES } from '../events/catalogue.ts';
import type { ClientInfo } from '../messages.ts';
import { refusalResult } from './result.ts';
import { registerTasks, TASKS } from './tasks.ts';
import { listTools, toolFor } from './tools.ts';
import { wordsIn } from './words/words.ts';
import { currentTrace, readTrace, withTrace } from '../../platform/trace.ts';

/** How the hub calls itself to MCP clients. */
export const SERVER_INFO = { name: 'beckon', title: 'Beckon', version: VERSION };

/** One server of the protocol library, for one request; `session`: the one that it is in, before 2026-07-28. */
export function buildServer(
  parts: Parts,
  era: Era,
  mcpRequest: McpRequest,
  session?: { client: ClientInfo | undefined; ended: (cancelled: boolean) => void },
): Server {
  const modern = era === 'modern';
  const { caller } = mcpRequest;
  const server = new Server(SERVER_INFO, {
    capabilities: capabilities(modern, caller.kind === 'source'),
    instructions: wordsIn(mcpRequest.locale).instructions[caller.kind],
  });
  server.onerror = (error) => parts.log.debug({ reason: error.message, era }, 'mcp');
  server.setRequestHandler('tools/list', (_request, context) => {
    const { caller, locale, overrides } = readMcpRequest(context);
    return { tools: listTools(caller, locale, overrides) };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const now = readMcpRequest(context);
    const tool = toolFor(params.name, now.caller);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    const client = session?.client ?? server.getClientVersion();
    const call: Call = {
      tool: params.name,
      parts,
      mcpRequest: now,
      words: wordsIn(now.locale),
      era,
      agent: typeof client?.name === 'string' ? client.name : undefined,
      client,
      args: params.arguments ?? {},
      context,
    };
    call.round = readRound(call);
    noteUnderWay(call);
    try {
      const result = await runTool(tool.waits ? inPlace(tool.run) : tool.run, call);
      parts.calls.inc({ tool: params.name, outcome: context.mcpReq.signal.aborted ? 'ended' : outcomeLabel(result) });
      return result as ToolResult;
    } finally {
      session?.ended(context.mcpReq.signal.aborted);
    }
  });
  if (modern) registerTasks(server, parts);
  if (caller.kind === 'source') parts.events.register(server, caller);
  return server;
}

/** What this server can do: tools, tasks where the protocol has them, and events for those who ask. */
function capabilities(modern: boolean, asks: boolean) {
  const { extensions = {}, ...events } = asks ? CAPABILITIES : {};
  return { tools: {}, ...events, extensions: { ...(modern ? { [TASKS]: {} } : {}), ...extensions } };
}

function readRound(call: Call): Call['round'] {
  const requestState = call.context.mcpReq.requestState<unknown>();
  const round = call.parts.rounds.read(callNames(call), { requestState });
  const { InvalidParams } = ProtocolErrorCode;
  if (round === 'another') throw new ProtocolError(InvalidParams, 'This requestState belongs to another call.');
  if (round !== undefined || requestState === undefined) return round;
  // As the protocol library says it.
  throw new ProtocolError(InvalidParams, 'Invalid or expired requestState', { reason: 'invalid_request_state' });
}

function noteUnderWay({ parts: { underWay }, mcpRequest: { reply }, context: { mcpReq } }: Call): void {
  if (reply.closed) return;
  const forget = (): void => void underWay.delete(reply);
  underWay.add(reply);
  reply.once('close', forget);
  mcpReq.signal.addEventListener('abort', forget, { once: true });
}

function outcomeLabel(result: ToolResult | Unfinished): string {
  if ('resultType' in result) return result.resultType;
  if (result.isError) return 'refused';
  const { outcome, status } = (result.structuredContent ?? {}) as { outcome?: string; status?: string };
  return outcome ?? status ?? 'done';
}

/** A call of an older session outlives its connection, so it keeps its place until it has ended itself. */
function inPlace(run: (call: Call) => Promise<ToolResult | Unfinished>): typeof run {
  return async (call) => {
    const { places } = call.parts.inquiries.waiters;
    const leave = places.take('wait', call.mcpRequest.caller.id, Buffer.byteLength(JSON.stringify(call.args)));
    return run(call).finally(leave);
  };
}

async function runTool(
  run: (call: Call) => Promise<ToolResult | Unfinished>,
  call: Call,
): Promise<ToolResult | Unfinished> {
  // SEP-414: a call brings its trace in `_meta`, as it may come over standard input too.
  const trace = readTrace(call.context.mcpReq._meta) ?? currentTrace();
  try {
    return await withTrace(trace, () => run(call));
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return refusalResult(toRefusal(error, call.parts.log, 'mcp tools/call'), call.words);
  }
}
