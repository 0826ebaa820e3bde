import { z } from 'zod';
import type { Json } from '#shared/json.ts';
import { isObject, type Checks } from '../body.ts';
import { objectSchema } from '../schema.ts';
import { partsOf } from '../dialect.ts';
import type { Asked } from './kept.ts';

const Request = z.object({
  action_request: z.object({ action: z.string(), args: z.unknown() }),
  config: z.object({
    allow_accept: z.boolean().nullish(),
    allow_edit: z.boolean().nullish(),
    allow_ignore: z.boolean().nullish(),
    allow_respond: z.boolean().nullish(),
  }),
  description: z.string().nullish(),
});

/** True for the `HumanInterrupt` of Agent Inbox, alone or as the one entry of a list. */
export function isInbox(value: unknown): boolean {
  const request: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(request) && isObject(request['action_request']);
}

export function readInbox(value: unknown, at: string, checks: Checks): Asked | undefined {
  if (Array.isArray(value) && value.length > 1)
    return checks.refuse(`${at}/1`, 'langgraph.inbox', 'is a second request; interrupt with one at a time');
  const place = Array.isArray(value) ? `${at}/0` : at;
  const request = checks.read(Request, Array.isArray(value) ? value[0] : value, place);
  if (!request) return undefined;
  const { action_request, config, description } = request;
  const allowed = [
    ...(config.allow_accept ? (['approve'] as const) : []),
    ...(config.allow_edit ? (['edit'] as const) : []),
    ...(config.allow_ignore ? (['reject'] as const) : []),
    ...(config.allow_respond ? (['respond'] as const) : []),
  ];
  if (allowed.length === 0) return checks.refuse(`${place}/config`, 'langgraph.inbox', 'allows nothing');
  const action = {
    name: action_request.action,
    args: action_request.args as Json,
    ...(description?.trim() ? { description } : {}),
    ...(allowed.includes('edit') ? { argsSchema: objectSchema() } : {}),
    allowed,
  };
  const places = () => ({
    name: `${place}/action_request/action`,
    ...('description' in action ? { description: `${place}/description` } : {}),
  });
  return { parts: partsOf([action], () => `${place}/action_request`, {}, places), form: { as: 'inbox' } };
}
