import { z } from 'zod';
import type { Action } from '#shared/inquiry.ts';
import { type Json, withoutUndefined } from '#shared/json.ts';
import {
  type Dialect,
  toParts,
  type Query,
  type Read,
  readEnds,
  type Answered,
  type End,
  endWords,
  type Placed,
} from '../dialect.ts';
import { createChecks, isObject } from '../body.ts';

/** Vercel's AI SDK. */
export const aiSdk: Dialect = { name: 'ai-sdk', label: 'AI SDK', read, write };

/** What `write` needs of each call: the request that it answers, or the call whose result it is. */
type Kept = ({ approvalId: string; providerExecuted?: true } | { toolCallId: string; toolName: string })[];

const ToolCall = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  input: z.unknown(),
  providerExecuted: z.boolean().nullish(),
});
const Request = z.object({ approvalId: z.string(), reason: z.string().nullish() });

type Part = Record<string, unknown>;
type Pending = Placed & { kept: Kept[number] };

/** The content of a result or of an assistant's message: its open approval requests, and the calls of tools without `execute`. */
function read(body: unknown, _query: Query): Read {
  const checks = createChecks();
  const within = isObject(body) && 'content' in body;
  const at = within ? '/content' : '';
  const given = within ? body['content'] : body;
  const content = (Array.isArray(given) ? given : []).map((part: unknown) => (isObject(part) ? part : {}));
  const of = (type: string) => content.filter((part) => part['type'] === type);
  const answered = new Set(of('tool-approval-response').map((part) => part['approvalId']));
  const asked = new Set(of('tool-approval-request').map((part) => readCallId(part)));
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
      const found = findCall(part, calls, { at, where });
      if (!found) checks.refuse(where, 'ai_sdk.no_call', 'belongs to no call that stands here');
      const call = found && checks.read(ToolCall, found.call, found.at);
      if (!request || !call) return [];
      const executed = call.providerExecuted ? { providerExecuted: true as const } : {};
      const description = request.reason?.trim() ? { description: request.reason } : {};
      const action: Action = { ...toAction(call), ...description, allowed: ['approve', 'reject'] };
      const kept = { approvalId: request.approvalId, ...executed };
      const reason = action.description ? { description: `${where}/reason` } : {};
      return [{ kept, action, at: found.at, places: { name: `${found.at}/toolName`, ...reason } }];
    }
    if (part['type'] !== 'tool-call' || part['providerExecuted'] === true) return [];
    if (asked.has(part['toolCallId']) || ended.has(part['toolCallId'])) return [];
    const call = checks.read(ToolCall, part, where);
    if (!call) return [];
    const { toolCallId, toolName } = call;
    const action: Action = { ...toAction(call), allowed: ['respond', 'reject'] };
    return [{ kept: { toolCallId, toolName }, action, at: where, places: { name: `${where}/toolName` } }];
  });
  const ids = pending.map(({ kept }) => ('approvalId' in kept ? kept.approvalId : kept.toolCallId));
  checks.unique(ids, (place) => pending[place]?.at ?? '', 'ai_sdk.same_id');
  checks.end();
  if (pending.length === 0) {
    checks.refuse(at, 'ai_sdk.nothing', 'holds nothing to decide: send result.content with its approval requests');
    checks.end();
  }
  const keep: Kept = pending.map(({ kept }) => kept);
  return { asks: toParts(pending), ids, keep };
}

function toAction({ toolName, input }: z.infer<typeof ToolCall>): Omit<Action, 'allowed'> {
  return { name: toolName, args: input as Json };
}

/** In a result the call stands in its request; in messages only its id does. */
function findCall(
  request: Part,
  calls: Map<unknown, { call: Part; place: number }>,
  { at, where }: { at: string; where: string },
) {
  if ('toolCall' in request) return { call: request['toolCall'], at: `${where}/toolCall` };
  const found = calls.get(request['toolCallId']);
  return found && { call: found.call, at: `${at}/${found.place}` };
}

function readCallId({ toolCall, toolCallId }: Part): unknown {
  return isObject(toolCall) ? toolCall['toolCallId'] : toolCallId;
}

/** One tool message that answers every request and every call: a partial one runs the approved tools, and then throws. */
function write(keep: unknown, inquiries: Answered[]): unknown {
  const ends = readEnds(inquiries);
  return { role: 'tool', content: (keep as Kept).map((kept, at) => writePart(kept, ends[at])) };
}

function writePart(kept: Kept[number], end: End | undefined): object {
  const reason = endWords(end);
  if ('approvalId' in kept) {
    const { approvalId, ...executed } = kept;
    const approved = end?.type === 'approve';
    return withoutUndefined({ type: 'tool-approval-response', approvalId, approved, reason, ...executed });
  }
  const output =
    end?.type === 'respond' ? { type: 'text', value: reason } : withoutUndefined({ type: 'execution-denied', reason });
  return { type: 'tool-result', ...kept, output };
}
