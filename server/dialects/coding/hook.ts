import { z } from 'zod';
import { parseOrRefuse } from '#shared/faults.ts';
import type { Action, Ask } from '#shared/inquiry.ts';
import { JsonObject } from '#shared/schemas/values.ts';
import type { Read } from '../dialect.ts';
import { callPart, type Call } from './call.ts';

/** What every event of a hook says; what is odd about the agent or its folder keeps nobody from being asked. */
export const HookEvent = z.looseObject({
  session_id: z.string(),
  hook_event_name: z.string(),
  cwd: z.string().max(1000).optional().catch(undefined),
  agent_type: z.string().min(1).max(200).optional().catch(undefined),
});
export const HookCall = z.looseObject({ tool_name: z.string(), tool_input: JsonObject });

/** Which program asks, which of its sub-agents, and in which folder it works. */
export function toContext(
  { cwd, agent_type: type }: z.output<typeof HookEvent>,
  agent: string,
): NonNullable<Ask['context']> {
  return { agent, ...(type === undefined ? {} : { subagent: type }), ...(cwd ? { cwd } : {}) };
}

/** The call that an event is about, and where it stands there. */
export function toCall({ tool_name: name, tool_input: input }: z.output<typeof HookCall>): Call {
  return { name, input };
}
export const CALL_AT = { name: '/tool_name', input: '/tool_input' };

/**
 * How a command hook asks about one call: `asks` is its event, `id` the member that tells two calls of a session apart, and
 * `names` what it names; `own`: whether another event is of this program.
 */
export type CommandHook = {
  agent: string;
  asks: string;
  id: string;
  names: 'a call' | 'a turn';
  allowed: Action['allowed'];
  own?: (event: object) => boolean;
};

/** The stdin of a command hook; other events pass. */
export function readCommandHook(
  body: unknown,
  { agent, asks, id, names, allowed, own = () => false }: CommandHook,
): Read {
  const event = parseOrRefuse(HookEvent, body);
  if (event.hook_event_name !== asks) return { pass: {}, own: own(event) };
  const call = toCall(parseOrRefuse(HookCall, body));
  return {
    asks: [callPart(call, CALL_AT, { allowed, context: toContext(event, agent) })],
    ids: [event.session_id, event[id] ?? null],
    within: names === 'a call' && event[id] !== undefined ? event.session_id : undefined,
    keep: {},
  };
}
