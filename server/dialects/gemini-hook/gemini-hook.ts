import { z } from 'zod';
import { isSourceTool } from '#shared/reference/source-tools.ts';
import type { Dialect, Query, Read, Answered } from '../dialect.ts';
import { readCommandHook } from '../coding/hook.ts';
import { readVerdict } from '../coding/call.ts';
import { withoutUndefined } from '#shared/json.ts';

/** Gemini CLI runs the tool after any reply that does not say "deny", a problem document included. */
export const geminiHook: Dialect = {
  name: 'gemini-hook',
  label: 'Gemini CLI',
  read,
  write,
  undecided: (body) => {
    const { hook_event_name: event } = (body ?? {}) as { hook_event_name?: unknown };
    return typeof event === 'string' && event !== ASKS ? () => ({}) : denied;
  },
  besideProblem: denied,
  left: 'Stopped in the terminal.',
};

/** The event before a tool runs. */
const ASKS = 'BeforeTool';

/** The stdin of a hook of Gemini CLI. It names no call: its time does. */
function read(body: unknown, { agent = 'Gemini CLI', host }: Query): Read {
  if (host !== undefined && isOurs(body, host)) return { pass: {}, own: true };
  return readCommandHook(body, {
    agent,
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

/** The hook's JSON. It has no word for "ask": where nobody decided the call is denied, with a reason that says so. */
function write(keep: unknown, inquiries: Answered[]): unknown {
  const verdict = readVerdict(keep, inquiries);
  if (verdict.type !== 'allow') return denied(verdict.words);
  const changed = verdict.input === undefined ? undefined : { tool_input: verdict.input };
  return withoutUndefined({ decision: 'allow', hookSpecificOutput: changed });
}

function denied(reason: string): { decision: 'deny'; reason: string } {
  return { decision: 'deny', reason };
}
