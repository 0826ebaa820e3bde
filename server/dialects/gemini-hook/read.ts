import { z } from 'zod';
import { isSourceTool } from '#shared/reference/source-tools.ts';
import { readCommandHook } from '../coding/hook.ts';
import type { Query, Read } from '../dialect.ts';

/** The event before a tool runs. */
export const ASKS = 'BeforeTool';

/** The stdin of a hook of Gemini CLI. It names no call: its time does. */
export function read(body: unknown, { host }: Query): Read {
  if (host !== undefined && isOurs(body, host)) return { pass: {}, own: true };
  return readCommandHook(body, {
    agent: 'Gemini CLI',
    asks: ASKS,
    id: 'timestamp',
    names: 'a call',
    allowed: ['approve', 'edit', 'reject'],
  });
}

const OwnCall = z.looseObject({
  hook_event_name: z.literal(ASKS),
  tool_name: z.string(),
  mcp_context: z.looseObject({ server_name: z.literal('beckon'), tool_name: z.string(), url: z.string() }),
});

/** Nobody is asked for leave to be asked: a tool of Beckon's, at the address of this hub and of no other server. */
function isOurs(body: unknown, host: string): boolean {
  const { data } = OwnCall.safeParse(body);
  if (!data) return false;
  const { tool_name: tool, url } = data.mcp_context;
  const address = URL.parse(url);
  const isHere = address?.host === host && address.pathname === '/mcp';
  return isHere && isSourceTool(tool) && data.tool_name === `mcp_beckon_${tool}`;
}
