import { z } from 'zod';
import type { Language } from '#shared/texts/language.ts';
import { Allowed } from '#shared/inquiry.ts';
import { JsonObject } from '#shared/schemas/values.ts';
import { type Json, withoutUndefined } from '#shared/json.ts';
import { type Checks, isObject } from '../body.ts';
import { objectSchema } from '../schema.ts';
import { toParts, type Placed } from '../dialect.ts';
import { type Asked, type Names, describe } from './call.ts';

const Requests = z
  .array(
    z.object({
      name: z.string(),
      args: z.unknown().optional(),
      arguments: z.unknown().optional(),
      description: z.string().nullish(),
    }),
  )
  .min(1);
const JS = {
  requests: 'actionRequests',
  configs: 'reviewConfigs',
  name: 'actionName',
  allowed: 'allowedDecisions',
  schema: 'argsSchema',
  before: 'argsSchema',
};
// Python wrote `arguments` before LangChain 1.0.
const PYTHON = {
  requests: 'action_requests',
  configs: 'review_configs',
  name: 'action_name',
  allowed: 'allowed_decisions',
  schema: 'args_schema',
  before: 'arguments_schema',
};

function batchSchema({ requests, configs, name, allowed, schema, before }: typeof JS) {
  const Schema = JsonObject.nullish();
  const Own = z.object({ description: z.string().nullish() }).catchall(z.unknown());
  return z
    .object({
      [requests]: Requests,
      [configs]: z.array(Own.extend({ [name]: z.string(), [allowed]: Allowed, [schema]: Schema, [before]: Schema })),
    })
    .transform((batch) => ({
      requests: batch[requests] as z.output<typeof Requests>,
      configs: (batch[configs] as Record<string, unknown>[]).map((review) => ({
        name: review[name] as string,
        allowed: review[allowed] as z.output<typeof Allowed>,
        schema: (review[schema] ?? review[before]) as z.output<typeof Schema>,
        description: review['description'] as string | null | undefined,
      })),
    }));
}

/** True for what LangChain's human-in-the-loop middleware interrupts with. */
export function isBatch(value: unknown): value is Record<string, unknown> {
  return isObject(value) && ('actionRequests' in value || 'action_requests' in value);
}

/** The calls of one turn, as LangChain's middleware holds them. */
export function readBatch(
  value: Record<string, unknown>,
  at: string,
  { checks, language }: { checks: Checks; language: Language },
): Asked | undefined {
  const names = readNames(value);
  const members = names === 'python' ? PYTHON : JS;
  const batch = checks.read(batchSchema(members), value, at);
  if (!batch) return undefined;
  const { requests, configs } = batch;
  // Once for each, however many calls it is for.
  const reviews = configs.map(({ name, allowed, schema, description }, at) => ({
    at,
    name,
    schema,
    // LangChain in JavaScript (1.5) throws at "respond".
    allowed: [...new Set(allowed)].filter((one) => one !== 'respond' || names !== 'js'),
    argsSchema: objectSchema(schema ?? undefined),
    description: describe(description, name),
  }));
  const byName = new Map(reviews.map((review) => [review.name, review] as const).toReversed());
  const findReview = ({ name }: { name: string }, place: number) =>
    reviews[place]?.name === name ? reviews[place] : byName.get(name);
  const placed = requests.flatMap((request, place): Placed[] => {
    const config = findReview(request, place);
    const where = `${at}/${members.requests}/${place}`;
    if (!config) {
      checks.refuse(`${where}/name`, 'langgraph.unreviewed', `stands in none of the ${members.configs}`);
      return [];
    }
    const review = `${at}/${members.configs}/${config.at}`;
    const args = (request.args ?? request.arguments) as Json | undefined;
    if (args === undefined) checks.refuse(`${where}/args`, 'field.missing', 'is missing');
    const { name, description: own } = request;
    const { allowed, argsSchema } = config;
    if (allowed.length === 0)
      checks.refuse(
        `${review}/${members.allowed}`,
        'langgraph.respond',
        'holds only "respond", which LangChain takes in Python alone',
      );
    const description = typeof own === 'string' ? describe(own, name) : config.description;
    const edits = allowed.includes('edit');
    const more = { ...withoutUndefined({ description }), ...(edits ? { argsSchema } : {}) };
    const places = edits && config.schema ? { argsSchema: `${review}/${members.schema}` } : {};
    return [{ action: { name, args: args ?? null, ...more, allowed }, at: where, places }];
  });
  const rejects = placed.some(({ action }) => action.allowed.includes('reject'));
  const warns = names !== 'python' && placed.length > 1 && rejects;
  return { parts: toParts(placed, warns ? { prompt: DROPS_ALL[language] } : {}), form: { as: 'batch', names } };
}

function readNames(value: Record<string, unknown>): Names {
  if (!('actionRequests' in value)) return 'python';
  // LangGraph's client for browsers writes both, whatever its server is.
  return 'action_requests' in value ? 'both' : 'js';
}

const DROPS_ALL = {
  en: 'If you reject one of these calls, none of this turn runs, not even what you approve.',
  zh: '只要拒绝其中一个调用，这一轮的所有调用都不会执行，包括你批准的。',
};
