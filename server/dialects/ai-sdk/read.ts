import { z } from 'zod';
import type { Action } from '#shared/inquiry.ts';
import type { Json } from '#shared/json.ts';
import { createChecks, isObject, repeats, titleOf } from '../body.ts';
import { partsOf, type Query, type Read } from '../dialect.ts';

/** What `write` needs of each call: the request that it answers, or the call whose result it is. */
export type Kept = ({ approvalId: string; providerExecuted?: true } | { toolCallId: string; toolName: string })[];

const ToolCall = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  input: z.unknown(),
  providerExecuted: z.boolean().nullish(),
});
const Request = z.object({ approvalId: z.string(), reason: z.string().nullish() });

type Part = Record<string, unknown>;
type Pending = { kept: Kept[number]; action: Action; at: string; reasonAt?: string };

/** The content of a result or of an assistant's message: its open approval requests, and the calls of tools without `execute`. */
export function read(body: unknown, _query: Query): Read {
  const checks = createChecks();
  const within = isObject(body) && 'content' in body;
  const at = within ? '/content' : '';
  const given = within ? body['content'] : body;
  const content = (Array.isArray(given) ? given : []).map((part: unknown) => (isObject(part) ? part : {}));
  const of = (type: string) => content.filter((part) => part['type'] === type);
  const answered = new Set(of('tool-approval-response').map((part) => part['approvalId']));
  const asked = new Set(of('tool-approval-request').map((part) => callIdOf(part)));
  const ended = new Set(
    ['tool-result', 'tool-error', 'tool-output-denied'].flatMap(of).map((part) => part['toolCallId']),
  );
  const calls = new Map(
    content
      .flatMap((call, place) => (call['type'] === 'tool-call' ? [[call['toolCallId'], { call, place }] as const] : []))
      .toReversed(),
  );
  const pending = content.flatMap((part, place): Pending[] => {
    const where = `${at}/${place}`;
    if (part['type'] === 'tool-approval-request' && part['isAutomatic'] !== true && !answered.has(part['approvalId'])) {
      const request = checks.read(Request, part, where);
      const found = placeOfCall(part, calls, { at, where });
      if (!found) checks.refuse(where, 'ai_sdk.no_call', 'belongs to no call that stands here');
      const call = found && checks.read(ToolCall, found.call, found.at);
      if (!request || !call) return [];
      const executed = call.providerExecuted ? { providerExecuted: true as const } : {};
      const description = request.reason?.trim() ? { description: request.reason } : {};
      const action: Action = { ...actionOf(call), ...description, allowed: ['approve', 'reject'] };
      const kept = { approvalId: request.approvalId, ...executed };
      return [{ kept, action, at: found.at, ...(action.description ? { reasonAt: `${where}/reason` } : {}) }];
    }
    if (part['type'] !== 'tool-call' || part['providerExecuted'] === true) return [];
    if (asked.has(part['toolCallId']) || ended.has(part['toolCallId'])) return [];
    const call = checks.read(ToolCall, part, where);
    if (!call) return [];
    const { toolCallId, toolName } = call;
    return [
      { kept: { toolCallId, toolName }, action: { ...actionOf(call), allowed: ['respond', 'reject'] }, at: where },
    ];
  });
  const ids = pending.map(({ kept }) => ('approvalId' in kept ? kept.approvalId : kept.toolCallId));
  for (const place of repeats(ids)) {
    const where = pending[place]?.at ?? '';
    checks.refuse(where, 'ai_sdk.same_id', 'has the id of another call here: the answers could not be told apart');
  }
  checks.end();
  if (pending.length === 0) {
    checks.refuse(at, 'ai_sdk.nothing', 'holds nothing to decide: send result.content with its approval requests');
    checks.end();
  }
  const actions = pending.map(({ action }) => action);
  const keep: Kept = pending.map(({ kept }) => kept);
  const places = (place: number) => {
    const { at: where = '', reasonAt } = pending[place] ?? {};
    return { name: `${where}/toolName`, ...(reasonAt ? { description: reasonAt } : {}) };
  };
  return { asks: partsOf(actions, (place) => pending[place]?.at ?? '', titleOf(actions), places), ids, keep };
}

function actionOf({ toolName, input }: z.infer<typeof ToolCall>): Omit<Action, 'allowed'> {
  return { name: toolName, args: input as Json };
}

/** In a result the call stands in its request; in messages only its id does. */
function placeOfCall(
  request: Part,
  calls: Map<unknown, { call: Part; place: number }>,
  { at, where }: { at: string; where: string },
) {
  if ('toolCall' in request) return { call: request['toolCall'], at: `${where}/toolCall` };
  const found = calls.get(request['toolCallId']);
  return found && { call: found.call, at: `${at}/${found.place}` };
}

function callIdOf({ toolCall, toolCallId }: Part): unknown {
  return isObject(toolCall) ? toolCall['toolCallId'] : toolCallId;
}
