import { chooseLanguage } from '#shared/texts/language.ts';
import { z } from 'zod';
import { JsonObject, line } from '#shared/schemas/values.ts';
import type { Json } from '#shared/json.ts';
import { createChecks, isObject, lineOf, repeats, type Checks } from '../body.ts';
import { partsOf, type Query, type Read } from '../dialect.ts';
import { formSchema } from '../schema.ts';
import { isBatch, readBatch } from './batch.ts';
import { isInbox, readInbox } from './inbox.ts';
import type { Asked, Kept } from './kept.ts';
import { readCall } from './schema.ts';
import { leadOf, wordsOf } from './words.ts';

const Interrupt = z.object({ id: line(200), value: z.unknown(), response_schema: JsonObject.nullish() });
type Interrupt = z.infer<typeof Interrupt>;

/** What a graph waits for: `__interrupt__`, alone or in its result, one interrupt, or one request of LangChain's middleware or of Agent Inbox. */
export function read(body: unknown, query: Query): Read {
  const checks = createChecks();
  const alone = isObject(body) && isBatch(body);
  if (alone || isInbox(body)) {
    const asked = alone ? readBatch(body, '', { checks, query }) : readInbox(body, '', checks);
    checks.end();
    return { asks: asked?.parts ?? [], ids: null, keep: asked ? [keptOf(asked)] : [] };
  }
  const read = interruptsIn(body, checks).map(({ one, at }) => {
    const interrupt = checks.read(Interrupt, one, at);
    return { interrupt, asked: interrupt && readInterrupt(interrupt, at, checks, query) };
  });
  checks.end();
  const whole = read.flatMap(({ interrupt, asked }) => (interrupt && asked ? [{ id: interrupt.id, asked }] : []));
  return {
    asks: whole.flatMap(({ asked }) => asked.parts),
    ids: whole.map(({ id }) => id),
    keep: whole.map(({ id, asked }) => keptOf(asked, id)),
  };
}

function keptOf({ parts, form }: Asked, id?: string): Kept {
  return { ...form, ...(id === undefined ? {} : { id }), parts: parts.length };
}

function interruptsIn(body: unknown, checks: Checks): { one: unknown; at: string }[] {
  const within = isObject(body) && '__interrupt__' in body;
  const given = within ? body['__interrupt__'] : body;
  const at = within ? '/__interrupt__' : '';
  if (isObject(given) && 'id' in given && 'value' in given) return [{ one: given, at }];
  const interrupts = Array.isArray(given) ? given : [];
  if (interrupts.length === 0)
    checks.refuse(at, 'langgraph.no_interrupt', 'holds no interrupts: send the __interrupt__ of a result');
  const ids = interrupts.map((one: unknown) => (isObject(one) ? one['id'] : undefined));
  // Versions before LangChain's own tasks give the calls of one node one id: an answer would reach only the first.
  for (const place of repeats(ids))
    checks.refuse(
      `${at}/${place}/id`,
      'langgraph.same_id',
      'stands here twice: LangGraph could not tell the answers apart',
    );
  return interrupts.map((one: unknown, place) => ({ one, at: `${at}/${place}` }));
}

function readInterrupt(interrupt: Interrupt, at: string, checks: Checks, query: Query): Asked | undefined {
  const { value, response_schema: schema } = interrupt;
  if (isObject(value) && isBatch(value)) return readBatch(value, `${at}/value`, { checks, query });
  if (isObject(value) && schema && value['type'] === 'tool_approval') return readCall(value, schema, at, checks);
  if (isInbox(value)) return readInbox(value, `${at}/value`, checks);
  return schema ? readForm(value, schema, at, query) : readBare(value, `${at}/value`, checks, query);
}

function readForm(value: unknown, given: Record<string, unknown>, at: string, query: Query): Asked {
  const { schema, wrapped } = formSchema(given);
  const prompt = wordsOf(value, chooseLanguage(query.language, undefined));
  return {
    parts: [
      {
        ask: { questions: [{ id: 'response', type: 'form', prompt, schema }] },
        places: [
          ['/questions/0', `${at}/value`],
          ['/questions/0/schema', `${at}/response_schema`],
        ],
      },
    ],
    form: { as: 'form', wrapped },
  };
}

/** What a refused interrupt with an object may be given instead of a schema, where its call has an address. */
export const ADDRESS_OPTION = 'add ?answer=text or ?answer=confirm to the address';

function readBare(value: unknown, at: string, checks: Checks, { answer, language }: Query): Asked | undefined {
  if (answer === 'confirm') {
    const action = { name: 'interrupt', args: value as Json, allowed: ['approve' as const, 'reject' as const] };
    const title = lineOf(leadOf(value, chooseLanguage(language, undefined)));
    return { parts: partsOf([action], () => at, { title }), form: { as: 'confirm' } };
  }
  if (answer === 'text' || typeof value === 'string') {
    const prompt = wordsOf(value, chooseLanguage(language, undefined));
    return { parts: [{ ask: { prompt }, places: [['/prompt', at]] }], form: { as: 'text' } };
  }
  const message =
    'is not a text, and code that tests the answer takes every text for a yes, "no" as well: give interrupt() a ' +
    `responseSchema, or ${ADDRESS_OPTION}`;
  return checks.refuse(at, 'langgraph.bare', message);
}
