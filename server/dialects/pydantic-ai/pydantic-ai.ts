import { z } from 'zod';
import type { Action } from '#shared/inquiry.ts';
import { JsonObject } from '#shared/schemas/values.ts';
import { type Json, withoutUndefined } from '#shared/json.ts';
import {
  type Dialect,
  toParts,
  type Query,
  type Read,
  editedArgs,
  readEnds,
  type Answered,
  type End,
  endWords,
  type Placed,
} from '../dialect.ts';
import { parseArgs, toJsonBlock, createChecks } from '../body.ts';
import { objectSchema } from '../schema.ts';

/** The deferred tools of Pydantic AI. */
export const pydanticAi: Dialect = { name: 'pydantic-ai', label: 'Pydantic AI', read, write };

/** What `write` needs: the ids of the calls, those to approve first. */
type Kept = { approvals: string[]; calls: string[] };

const Call = z.object({ tool_name: z.string(), tool_call_id: z.string(), args: z.unknown().optional() });
const Requests = z.object({
  approvals: z.array(Call).default([]),
  calls: z.array(Call).default([]),
  metadata: z.record(z.string(), JsonObject).nullish(),
});

/** Pydantic AI's `DeferredToolRequests`: calls to approve, and calls whose result a person writes. */
function read(body: unknown, _query: Query): Read {
  const checks = createChecks();
  const requests = checks.read(Requests, body, '');
  const { approvals = [], calls = [], metadata } = requests ?? {};
  const pending = [
    ...approvals.map((call, place) => ({ call, at: `/approvals/${place}`, approval: true })),
    ...calls.map((call, place) => ({ call, at: `/calls/${place}`, approval: false })),
  ];
  const ids = pending.map(({ call }) => call.tool_call_id);
  checks.unique(ids, (place) => `${pending[place]?.at}/tool_call_id`, 'pydantic_ai.same_id');
  if (requests && pending.length === 0) checks.refuse('', 'pydantic_ai.nothing', 'holds neither approvals nor calls');
  checks.end();
  const placed = pending.map(({ call, at, approval }): Placed => {
    const more = metadata && Object.hasOwn(metadata, call.tool_call_id) ? metadata[call.tool_call_id] : undefined;
    const action: Action = {
      name: call.tool_name,
      args: typeof call.args === 'string' ? parseArgs(call.args) : ((call.args ?? {}) as Json),
      ...(more && Object.keys(more).length > 0 ? { description: toJsonBlock(more) } : {}),
      ...(approval ? { argsSchema: objectSchema() } : {}),
      allowed: approval ? ['approve', 'edit', 'reject'] : ['respond'],
    };
    return { action, at, places: { name: `${at}/tool_name` } };
  });
  const keep: Kept = { approvals: ids.slice(0, approvals.length), calls: ids.slice(approvals.length) };
  return { asks: toParts(placed), ids, keep };
}

/** `DeferredToolResults`: what becomes of each approval, and the result of each call. */
function write(keep: unknown, inquiries: Answered[]): unknown {
  const { approvals, calls } = keep as Kept;
  const ends = readEnds(inquiries);
  return {
    approvals: Object.fromEntries(approvals.map((id, at) => [id, writeApproval(ends[at])])),
    calls: Object.fromEntries(calls.map((id, at) => [id, endWords(ends[approvals.length + at])])),
    metadata: {},
  };
}

function writeApproval(end: End | undefined): unknown {
  if (end?.type === 'approve') return true;
  if (end?.type === 'edit') return { kind: 'tool-approved', override_args: editedArgs(end) };
  return withoutUndefined({ kind: 'tool-denied', message: endWords(end) });
}
