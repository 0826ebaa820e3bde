import { chooseLanguage } from '#shared/texts/language.ts';
import { z } from 'zod';
import { Allowed, type Action } from '#shared/inquiry.ts';
import { JsonObject } from '#shared/schemas/values.ts';
import type { Json } from '#shared/json.ts';
import { titleOf, type Checks } from '../body.ts';
import { objectSchema } from '../schema.ts';
import { partsOf, type Query } from '../dialect.ts';
import type { Asked, Names } from './kept.ts';
import { describe } from './words.ts';

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
// Python wrote `arguments`, and these members into the review, before LangChain 1.0.
const own = { description: z.string().nullish() };
const Js = z
  .object({
    actionRequests: Requests,
    reviewConfigs: z.array(
      z.object({ ...own, actionName: z.string(), allowedDecisions: Allowed, argsSchema: JsonObject.nullish() }),
    ),
  })
  .transform(({ actionRequests, reviewConfigs }) => ({
    requests: actionRequests,
    configs: reviewConfigs.map(({ actionName, allowedDecisions, argsSchema, description }) => ({
      name: actionName,
      allowed: allowedDecisions,
      schema: argsSchema,
      description,
    })),
  }));
const Python = z
  .object({
    action_requests: Requests,
    review_configs: z.array(
      z.object({
        ...own,
        action_name: z.string(),
        allowed_decisions: Allowed,
        args_schema: JsonObject.nullish(),
        arguments_schema: JsonObject.nullish(),
      }),
    ),
  })
  .transform(({ action_requests, review_configs }) => ({
    requests: action_requests,
    configs: review_configs.map(({ action_name, allowed_decisions, args_schema, arguments_schema, description }) => ({
      name: action_name,
      allowed: allowed_decisions,
      schema: args_schema ?? arguments_schema,
      description,
    })),
  }));

const JS = { requests: 'actionRequests', configs: 'reviewConfigs', allowed: 'allowedDecisions', schema: 'argsSchema' };
const PYTHON = {
  requests: 'action_requests',
  configs: 'review_configs',
  allowed: 'allowed_decisions',
  schema: 'args_schema',
};

/** True for what LangChain's human-in-the-loop middleware interrupts with. */
export function isBatch(value: Record<string, unknown>): boolean {
  return 'actionRequests' in value || 'action_requests' in value;
}

/** The calls of one turn, as LangChain's middleware holds them. */
export function readBatch(
  value: Record<string, unknown>,
  at: string,
  { checks, query }: { checks: Checks; query: Query },
): Asked | undefined {
  const names = namesOf(value);
  const members = names === 'python' ? PYTHON : JS;
  const batch = checks.read<typeof Js | typeof Python>(names === 'python' ? Python : Js, value, at);
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
  const reviewOf = ({ name }: { name: string }, place: number) =>
    reviews[place]?.name === name ? reviews[place] : byName.get(name);
  const actions = requests.flatMap((request, place): Action[] => {
    const config = reviewOf(request, place);
    const where = `${at}/${members.requests}/${place}`;
    if (!config) {
      checks.refuse(`${where}/name`, 'langgraph.unreviewed', `stands in none of the ${members.configs}`);
      return [];
    }
    const args = (request.args ?? request.arguments) as Json | undefined;
    if (args === undefined) checks.refuse(`${where}/args`, 'field.missing', 'is missing');
    const { allowed } = config;
    if (allowed.length === 0)
      checks.refuse(
        `${at}/${members.configs}/${config.at}/${members.allowed}`,
        'langgraph.respond',
        'holds only "respond", which LangChain takes in Python alone',
      );
    const description =
      typeof request.description === 'string' ? describe(request.description, request.name) : config.description;
    return [
      {
        name: request.name,
        args: args ?? null,
        ...(description === undefined ? {} : { description }),
        ...(allowed.includes('edit') ? { argsSchema: config.argsSchema } : {}),
        allowed,
      },
    ];
  });
  const warns = names !== 'python' && actions.length > 1 && actions.some(({ allowed }) => allowed.includes('reject'));
  const rest = {
    ...titleOf(actions, warns),
    ...(warns ? { prompt: DROPS_ALL[chooseLanguage(query.language, undefined)] } : {}),
  };
  const parts = partsOf(
    actions,
    (place) => `${at}/${members.requests}/${place}`,
    rest,
    (place) => {
      const review = requests[place] && reviewOf(requests[place], place);
      return review?.schema && actions[place]?.argsSchema
        ? { argsSchema: `${at}/${members.configs}/${review.at}/${members.schema}` }
        : {};
    },
  );
  return { parts, form: { as: 'batch', names } };
}

function namesOf(value: Record<string, unknown>): Names {
  if (!('actionRequests' in value)) return 'python';
  // LangGraph's client for browsers writes both, whatever its server is.
  return 'action_requests' in value ? 'both' : 'js';
}

const DROPS_ALL = {
  en: 'If you reject one of these calls, none of this turn runs, not even what you approve.',
  zh: '只要拒绝其中一个调用，这一轮的所有调用都不会执行，包括你批准的。',
};
