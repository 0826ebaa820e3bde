import type { Tool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { JsonObject } from '#shared/schemas/values.ts';
import { AppError } from '#shared/problem.ts';
import type { Log } from '../../platform/log.ts';
import { TooLong, withMcpClient } from '../../platform/outbound/mcp-client.ts';
import { folded } from '../../automation/rules/folded.ts';
import type { GateConfig } from './config/store.ts';

const KEPT_MS = 60_000;
/** After a failure the upstream is left alone this long: every call would wait for it again. */
const FAILED_MS = 30_000;
const LIMIT_MS = 10_000;
const LIMIT_BYTES = 16 * 1024 * 1024;

type Entry = { changedAt: number; until: number; tools: Promise<Tool[]> };
type CatalogueParts = { read?: typeof readTools; log: Log; now?: () => number };
export type Catalogue = ReturnType<typeof createCatalogue>;

/** What upstreams say of their tools, read at most once a minute and once at a time for each gate. */
export function createCatalogue({ read = readTools, log, now = () => performance.now() }: CatalogueParts) {
  const entries = new Map<string, Entry>();

  const readOnce = (gate: GateConfig): Promise<Tool[]> => {
    const known = entries.get(gate.name);
    if (known && known.changedAt === gate.changedAt && known.until > now()) return known.tools;
    const entry: Entry = { changedAt: gate.changedAt, until: Infinity, tools: read(gate).then(toolsIn) };
    entries.set(gate.name, entry);
    entry.tools.then(
      () => (entry.until = now() + KEPT_MS),
      (error: Error) => {
        entry.until = now() + FAILED_MS;
        log.warn({ gate: gate.name, reason: error.message }, 'could not read the tools of an upstream');
      },
    );
    return entry.tools;
  };
  return {
    /** The tool that a call of this name may be for, or undefined where there is none or the upstream cannot be asked. Never throws. */
    async tool(gate: GateConfig, name: string): Promise<Tool | undefined> {
      try {
        return toolFor(await readOnce(gate), name);
      } catch {
        return undefined;
      }
    },
    /** All tools. Throws 424 with the reason where the upstream cannot be asked. */
    async tools(gate: GateConfig): Promise<Tool[]> {
      try {
        return await readOnce(gate);
      } catch (error) {
        entries.delete(gate.name);
        throw new AppError(
          424,
          'gate.upstream_unreachable',
          `The MCP server behind the gate "${gate.name}" did not say which tools it has: ${(error as Error).message}.`,
        );
      }
    },
    /** The upstream said that its list changed, or the gate did. */
    forget: (name: string) => void entries.delete(name),
  };
}

/** The tool of this name; else the one of which it is another spelling, which its server may take for that one. */
export function toolFor(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => folded(tool.name) === folded(name));
}

/**
 * Reads the tools of an upstream over HTTP as a client of its own, with the gate's credentials and in whichever era it
 * speaks; throws within 10 s what keeps it from that.
 */
async function readTools({ upstream }: GateConfig): Promise<Tool[]> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const limits = { name: 'beckon-gate', signal: limit, timeoutMs: LIMIT_MS, maxBytes: LIMIT_BYTES };
  try {
    return await withMcpClient(upstream, limits, async (client, signal) => {
      return (await client.listTools(undefined, { timeout: LIMIT_MS, signal })).tools;
    });
  } catch (error) {
    if (error instanceof TooLong) throw new Error('its tools are more than 16 MB', { cause: error });
    throw new Error(limit.aborted ? `no reply in ${LIMIT_MS / 1000} s` : describeError(error), { cause: error });
  }
}

function describeError(error: unknown): string {
  const outer = error as Error & { code?: unknown };
  // The innermost says why: what is around it says that the client could not begin.
  let inner: Error & { code?: unknown } = outer;
  while (inner.cause instanceof Error) inner = inner.cause;
  const message = outer.message.replace(/^Version negotiation probe failed: /, '');
  return `${message}${inner === outer ? '' : ` (${typeof inner.code === 'string' ? inner.code : inner.message})`}`.replace(
    /\.$/,
    '',
  );
}

const hint = z.boolean().optional().catch(undefined);
const hints = {
  title: z.string().optional().catch(undefined),
  readOnlyHint: hint,
  destructiveHint: hint,
  idempotentHint: hint,
  openWorldHint: hint,
};

/** What a gate reads of a tool; of a member that is something else nothing is known. */
const ListedTool = z.object({
  name: z.string(),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: JsonObject.optional().catch(undefined),
  outputSchema: JsonObject.optional().catch(undefined),
  annotations: z.object(hints).optional().catch(undefined),
});

/**
 * The tools in what an upstream calls its tools, whatever that is. What is no tool is left out, and so is a
 * member that is not what it should be: a call is then asked with caution. Never throws.
 */
export function toolsIn(listed: unknown): Tool[] {
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((one) => {
    const parsed = ListedTool.safeParse(one);
    return parsed.success ? [defined(parsed.data) as unknown as Tool] : [];
  });
}

function defined(tool: object): object {
  return Object.fromEntries(Object.entries(tool).filter(([, value]) => value !== undefined));
}
