import { z } from 'zod';
import type { Action } from '#shared/inquiry.ts';
import { JsonObject } from '#shared/schemas/values.ts';
import type { Json } from '#shared/json.ts';
import { argsOfText, blockOf, createChecks, repeats, titleOf } from '../body.ts';
import { partsOf, type Query, type Read } from '../dialect.ts';
import { objectSchema } from '../schema.ts';

/** What `write` needs: the ids of the calls, those to approve first. */
export type Kept = { approvals: string[]; calls: string[] };

const Call = z.object({ tool_name: z.string(), tool_call_id: z.string(), args: z.unknown().optional() });
const Requests = z.object({
  approvals: z.array(Call).default([]),
  calls: z.array(Call).default([]),
  metadata: z.record(z.string(), JsonObject).nullish(),
});

/** Pydantic AI's `DeferredToolRequests`: calls to approve, and calls whose result a person writes. */
export function read(body: unknown, _query: Query): Read {
  const checks = createChecks();
  const requests = checks.read(Requests, body, '');
  const { approvals = [], calls = [], metadata } = requests ?? {};
  const pending = [
    ...approvals.map((call, place) => ({ call, at: `/approvals/${place}`, approval: true })),
    ...calls.map((call, place) => ({ call, at: `/calls/${place}`, approval: false })),
  ];
  const ids = pending.map(({ call }) => call.tool_call_id);
  for (const place of repeats(ids))
    checks.refuse(
      `${pending[place]?.at}/tool_call_id`,
      'pydantic_ai.same_id',
      'stands here twice: the answers could not be told apart',
    );
  if (requests && pending.length === 0) checks.refuse('', 'pydantic_ai.nothing', 'holds neither approvals nor calls');
  checks.end();
  const actions = pending.map(({ call, approval }): Action => {
    const more = metadata && Object.hasOwn(metadata, call.tool_call_id) ? metadata[call.tool_call_id] : undefined;
    return {
      name: call.tool_name,
      args: typeof call.args === 'string' ? argsOfText(call.args) : ((call.args ?? {}) as Json),
      ...(more && Object.keys(more).length > 0 ? { description: blockOf(more) } : {}),
      ...(approval ? { argsSchema: objectSchema() } : {}),
      allowed: approval ? ['approve', 'edit', 'reject'] : ['respond'],
    };
  });
  const places = (place: number) => ({ name: `${pending[place]?.at}/tool_name` });
  const keep: Kept = { approvals: ids.slice(0, approvals.length), calls: ids.slice(approvals.length) };
  return { asks: partsOf(actions, (place) => pending[place]?.at ?? '', titleOf(actions), places), ids, keep };
}
