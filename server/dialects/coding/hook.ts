import { z } from 'zod';
import { parseOrRefuse } from '#shared/faults.ts';
import type { Action } from '#shared/inquiry.ts';
import { JsonObject } from '#shared/schemas/values.ts';
import type { Read } from '../dialect.ts';
import { callPart } from './call.ts';
import { contextOf, FromAgent } from './context.ts';

const Event = FromAgent.extend({ session_id: z.string(), hook_event_name: z.string() });
const Call = Event.extend({ tool_name: z.string(), tool_input: JsonObject });

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
  const other = parseOrRefuse(Event, body);
  if (other.hook_event_name !== asks) return { pass: {}, own: own(other) };
  const event = parseOrRefuse(Call, body);
  const call = { name: event.tool_name, input: event.tool_input };
  const at = { name: '/tool_name', input: '/tool_input' };
  return {
    asks: [callPart(call, at, { allowed, context: contextOf(event, agent) })],
    ids: [event.session_id, event[id] ?? null],
    within: names === 'a call' && event[id] !== undefined ? event.session_id : undefined,
    keep: {},
  };
}
