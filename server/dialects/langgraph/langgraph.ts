import { z } from 'zod';
import { chooseLanguage, type Language } from '#shared/texts/language.ts';
import { JsonObject, line } from '#shared/schemas/values.ts';
import type { Json } from '#shared/json.ts';
import type { Action } from '#shared/inquiry.ts';
import {
  type Dialect,
  toParts,
  type Query,
  type Read,
  editedArgs,
  readEnds,
  unanswered,
  type Answered,
  type End,
} from '../dialect.ts';
import { createChecks, isObject, toLine, type Checks } from '../body.ts';
import { formPart, filledIn } from '../schema.ts';
import { isBatch, readBatch } from './batch.ts';
import { isInbox, readInbox, type Asked, type Kept, readCall, toLead, type Names, toPrompt } from './call.ts';

/** LangGraph, LangChain's agents and Deep Agents, in JavaScript and Python. */
export const langgraph: Dialect = { name: 'langgraph', label: 'LangGraph', read, write };

const Interrupt = z.object({ id: line(200), value: z.unknown(), response_schema: JsonObject.nullish() });
type Interrupt = z.infer<typeof Interrupt>;
type Reading = { checks: Checks; language: Language; answer: Query['answer'] };

/** What a graph waits for: `__interrupt__`, alone or in its result, one interrupt, or one request of LangChain's middleware or of Agent Inbox. */
function read(body: unknown, query: Query): Read {
  const checks = createChecks();
  const reading = { checks, language: chooseLanguage(query.language, undefined), answer: query.answer };
  const alone = isRequest(body);
  const asked = alone
    ? [{ id: undefined, ...readRequest(body, '', reading) }]
    : interruptsIn(body, checks).map(({ one, at }) => {
        const interrupt = checks.read(Interrupt, one, at);
        return { id: interrupt?.id, ...(interrupt && readInterrupt(interrupt, at, reading)) };
      });
  checks.end();
  return {
    asks: asked.flatMap(({ parts = [] }) => parts),
    ids: alone ? null : asked.map(({ id }) => id),
    keep: asked.map(({ id, form, parts = [] }) => ({ ...form, id, parts: parts.length })),
  };
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
  checks.unique(ids, (place) => `${at}/${place}/id`, 'langgraph.same_id');
  return interrupts.map((one: unknown, place) => ({ one, at: `${at}/${place}` }));
}

function readInterrupt({ value, response_schema: schema }: Interrupt, at: string, reading: Reading): Asked | undefined {
  if (isObject(value) && schema && value['type'] === 'tool_approval' && !isBatch(value))
    return readCall(value, schema, at, reading.checks);
  if (isRequest(value)) return readRequest(value, `${at}/value`, reading);
  if (!schema) return readBare(value, `${at}/value`, reading);
  const prompt = toPrompt(value, reading.language);
  const { part, wrapped } = formPart(prompt, schema, { prompt: `${at}/value`, schema: `${at}/response_schema` });
  return { parts: [part], form: { as: 'form', wrapped } };
}

function isRequest(value: unknown): boolean {
  return isBatch(value) || isInbox(value);
}

function readRequest(value: unknown, at: string, reading: Reading): Asked | undefined {
  return isBatch(value) ? readBatch(value, at, reading) : readInbox(value, at, reading.checks);
}

/** What a refused interrupt with an object may be given instead of a schema, where its call has an address. */
export const ADDRESS_OPTION = 'add ?answer=text or ?answer=confirm to the address';

function readBare(value: unknown, at: string, { checks, answer, language }: Reading): Asked | undefined {
  if (answer === 'confirm') {
    const action = { name: 'interrupt', args: value as Json, allowed: ['approve' as const, 'reject' as const] };
    const title = toLine(toLead(value, language));
    return { parts: toParts([{ action, at }], { title }), form: { as: 'confirm' } };
  }
  if (answer === 'text' || typeof value === 'string') {
    return { parts: [{ ask: { prompt: toPrompt(value, language) }, places: [['/prompt', at]] }], form: { as: 'text' } };
  }
  const message =
    'is not a text, and code that tests the answer takes every text for a yes, "no" as well: give interrupt() a ' +
    `responseSchema, or ${ADDRESS_OPTION}`;
  return checks.refuse(at, 'langgraph.bare', message);
}

/**
 * The resume of `Command`, by the ids of the interrupts, or the `{decisions}` of one request that stood alone. An interrupt
 * without an answer is left out and stays; where none has one, `unanswered` is thrown: JavaScript takes `{}` for an answer.
 */
function write(keep: unknown, inquiries: Answered[]): unknown {
  let from = 0;
  const answers = (keep as Kept[]).flatMap((kept) => {
    const value = writeAnswer(kept, inquiries.slice(from, (from += kept.parts)));
    return value === undefined ? [] : [{ id: kept.id, value }];
  });
  const [first] = answers;
  if (!first) throw unanswered(undecided(inquiries));
  return first.id === undefined
    ? first.value
    : { resume: Object.fromEntries(answers.map(({ id, value }) => [id, value])) };
}

function undecided(inquiries: Answered[]): Answered['resolution'] {
  const resolutions = inquiries.map(({ resolution }) => resolution);
  const open = resolutions.find(({ outcome }) => outcome !== 'answered') ?? resolutions[0];
  if (!open) throw new Error('an ask without inquiries');
  return open;
}

/** What one interrupt is resumed with; undefined: nobody answered, and it has no word for that. */
function writeAnswer(kept: Kept, inquiries: Answered[]): unknown {
  const [only] = inquiries;
  if (!only) return undefined;
  switch (kept.as) {
    case 'text':
      return only.resolution.outcome === 'answered' ? only.resolution.answer?.text : undefined;
    case 'form':
      return filledIn(only, kept.wrapped);
    case 'confirm': {
      const [end] = readEnds(inquiries);
      return end?.type === 'approve' ? true : end?.type === 'reject' ? false : undefined;
    }
    case 'inbox': {
      const response = mapEvery(inquiries, toInboxResponse)?.[0];
      return response === undefined ? undefined : [response];
    }
    case 'call':
      return mapEvery(inquiries, (end, action) => toDecision(end, action, kept.names))?.[0];
    case 'batch': {
      const decisions = mapEvery(inquiries, (end, action) => toDecision(end, action, kept.names));
      return decisions && { decisions };
    }
  }
}

/** The word for each end, or undefined where one has none: a batch is answered as a whole. */
function mapEvery(inquiries: Answered[], word: (end: End, action: Action) => object | undefined): object[] | undefined {
  const actions = inquiries.flatMap((one) => one.actions ?? []);
  const words = readEnds(inquiries).map((end, at) => actions[at] && word(end, actions[at]));
  return words.every((one) => one !== undefined) ? words : undefined;
}

function toDecision(end: End, { name, allowed }: Action, names: Names): object | undefined {
  switch (end.type) {
    case 'approve':
      return { type: 'approve' };
    case 'edit': {
      const edited = { name, args: editedArgs(end) };
      return {
        type: 'edit',
        ...(names === 'python' ? {} : { editedAction: edited }),
        ...(names === 'js' ? {} : { edited_action: edited }),
      };
    }
    case 'reject':
      return { type: 'reject', ...(end.message === undefined ? {} : { message: end.message }) };
    case 'respond':
      return { type: 'respond', message: end.message };
    case 'declined':
    case 'nobody': {
      const no = (['reject', 'respond'] as const).find((type) => allowed.includes(type));
      return no && { type: no, message: end.text };
    }
  }
}

function toInboxResponse(end: End, { name, args, allowed }: Action): object | undefined {
  switch (end.type) {
    case 'approve':
      return { type: 'accept', args: { action: name, args } };
    case 'edit':
      return { type: 'edit', args: { action: name, args: editedArgs(end) } };
    case 'reject':
      return { type: 'ignore', args: null };
    case 'respond':
      return { type: 'response', args: end.message };
    case 'declined':
    case 'nobody':
      if (allowed.includes('reject')) return { type: 'ignore', args: null };
      return allowed.includes('respond') ? { type: 'response', args: end.text } : undefined;
  }
}
