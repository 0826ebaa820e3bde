import { z } from 'zod';
import { chooseLanguage, type Language } from '#shared/texts/language.ts';
import type { Action, Ask } from '#shared/inquiry.ts';
import { JsonObject } from '#shared/schemas/values.ts';
import { type Json, withoutUndefined } from '#shared/json.ts';
import {
  type Dialect,
  toParts,
  type Part,
  type Query,
  type Read,
  editedArgs,
  readEnds,
  type Answered,
  type End,
  endWords,
} from '../dialect.ts';
import { parseArgs, createChecks, isObject, toLine } from '../body.ts';
import { objectSchema, propertiesOf, formPart, filledIn } from '../schema.ts';

/** The interrupts of AG-UI. */
export const agUi: Dialect = { name: 'ag-ui', label: 'AG-UI', read, write };

/** What `write` needs of each interrupt. */
type Kept = ({ id: string } & ({ as: 'call' } | { as: 'text' } | { as: 'form'; wrapped: boolean }))[];

const Interrupt = z.object({
  id: z.string(),
  reason: z.string(),
  message: z.string().nullish(),
  toolCallId: z.string().nullish(),
  responseSchema: JsonObject.nullish(),
  expiresAt: z.unknown().optional(),
  metadata: z.unknown().optional(),
});
const Instant = z.iso.datetime({ offset: true });
type Interrupt = z.infer<typeof Interrupt>;
const Event = z.object({
  threadId: z.string().nullish(),
  runId: z.string().nullish(),
  outcome: z.object({ type: z.literal('interrupt'), interrupts: z.array(z.unknown()).min(1) }),
});
// What the event does not say itself: the calls, in the messages of the client, and what the agent can do.
const ToolCall = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const Beside = z.object({
  messages: z.array(z.object({ toolCalls: z.array(ToolCall).nullish() })).nullish(),
  capabilities: z.object({ humanInTheLoop: z.object({ approveWithEdits: z.boolean().nullish() }).nullish() }).nullish(),
});
type Around = z.infer<typeof Beside> & { language: Language; calls: Map<string, { name: string; args: Json }> };

/** The event `RUN_FINISHED` or the list of its interrupts; the event with the client's `messages` beside them where they are about calls of tools. */
function read(body: unknown, query: Query): Read {
  const checks = createChecks();
  const language = chooseLanguage(query.language, undefined);
  const listed = Array.isArray(body);
  const event = listed ? undefined : checks.read(Event, body, '');
  const beside = listed ? {} : checks.read(Beside, body, '');
  const at = listed ? '' : '/outcome/interrupts';
  const given = listed ? checks.read(Event.shape.outcome.shape.interrupts, body, '') : event?.outcome.interrupts;
  const interrupts = (given ?? []).map((one, place) => checks.read(Interrupt, one, `${at}/${place}`));
  const ids = interrupts.map((one) => one?.id);
  checks.unique(ids, (place) => `${at}/${place}/id`, 'ag_ui.same_id');
  // Of those with one id the last: some models number their calls anew in each turn.
  const calls = new Map(
    beside?.messages
      ?.flatMap(({ toolCalls }) => toolCalls ?? [])
      .map(({ id, function: { name, arguments: text } }) => [id, { name, args: parseArgs(text) }]),
  );
  const read = interrupts.flatMap((one, place) =>
    one && beside ? [readInterrupt(one, `${at}/${place}`, { ...beside, language, calls })] : [],
  );
  checks.end();
  const context = {
    ...(event?.threadId ? { threadId: toLine(event.threadId, 200) } : {}),
    ...(event?.runId ? { runId: toLine(event.runId, 200) } : {}),
  };
  const asks = read.map(({ part }) => ({
    ...part,
    ask: { ...part.ask, ...(Object.keys(context).length > 0 ? { context } : {}) },
  }));
  const keep: Kept = read.map(({ kept }) => kept);
  const within = event?.threadId || event?.runId ? JSON.stringify([event.threadId, event.runId]) : undefined;
  return { asks, ids, within, keep };
}

function readInterrupt(interrupt: Interrupt, at: string, beside: Around): { part: Part; kept: Kept[number] } {
  const { id, reason, message, toolCallId, responseSchema, expiresAt } = interrupt;
  const until = Instant.safeParse(expiresAt).data;
  const rest: Ask = until === undefined ? {} : { deadline: until };
  const times: Part['places'] = until === undefined ? [] : [['/deadline', `${at}/expiresAt`]];
  const properties = propertiesOf(responseSchema);
  if (toolCallId && (!responseSchema || 'approved' in properties)) {
    const [part] = toParts([{ action: toAction(interrupt, beside), at }], rest);
    if (part) return { part: { ...part, places: [...part.places, ...times] }, kept: { id, as: 'call' } };
  }
  const [said, prompt] = message?.trim() ? [`${at}/message`, message] : [`${at}/reason`, reason];
  if (!responseSchema)
    return { part: { ask: { ...rest, prompt }, places: [['/prompt', said], ...times] }, kept: { id, as: 'text' } };
  const { part, wrapped } = formPart(prompt, responseSchema, { prompt: said, schema: `${at}/responseSchema` });
  return {
    part: { ask: { ...rest, ...part.ask }, places: [...part.places, ...times] },
    kept: { id, as: 'form', wrapped },
  };
}

function toAction(interrupt: Interrupt, { language, calls, capabilities }: Around): Action {
  const { reason, message, toolCallId, responseSchema, metadata = null } = interrupt;
  const call = calls.get(toolCallId ?? '');
  const described = [message, call ? '' : NO_CALL[language]].filter((one) => one?.trim()).join('\n\n');
  const edited = propertiesOf(responseSchema)['editedArgs'];
  const edits = call && (isObject(edited) || capabilities?.humanInTheLoop?.approveWithEdits === true);
  return {
    name: call?.name ?? reason,
    args: call?.args ?? (metadata as Json),
    ...(described === '' ? {} : { description: described }),
    ...(call ? {} : { caution: true }),
    ...(edits ? { argsSchema: objectSchema(isObject(edited) ? edited : {}) } : {}),
    allowed: edits ? ['approve', 'edit', 'reject'] : ['approve', 'reject'],
  };
}

const NO_CALL = {
  en: 'The call itself was not sent: what it would do cannot be shown.',
  zh: '没有发来调用本身：无法显示它会做什么。',
};

/** The `resume` of the next run: one entry for each interrupt, cancelled where nobody decided. */
function write(keep: unknown, inquiries: Answered[]): unknown {
  return (keep as Kept).flatMap((kept, at) => {
    const inquiry = inquiries[at];
    return inquiry ? [{ interruptId: kept.id, ...writeEntry(kept, inquiry) }] : [];
  });
}

function writeEntry(kept: Kept[number], inquiry: Answered): object {
  const { outcome, answer, text } = inquiry.resolution;
  if (kept.as === 'call') return writeEnd(readEnds([inquiry])[0], text);
  if (outcome !== 'answered' || !answer) return cancelled(text);
  if (kept.as === 'text') return { status: 'resolved', payload: answer.text };
  const payload = filledIn(inquiry, kept.wrapped);
  // Its schema refuses a null there.
  return { status: 'resolved', ...(payload === null ? {} : { payload }) };
}

function writeEnd(end: End | undefined, text: string): object {
  switch (end?.type) {
    case 'approve':
      return { status: 'resolved', payload: { approved: true } };
    case 'edit':
      return { status: 'resolved', payload: { approved: true, editedArgs: editedArgs(end) } };
    case 'reject':
    case 'declined':
      return { status: 'resolved', payload: withoutUndefined({ approved: false, reason: endWords(end) }) };
    case 'nobody':
    case 'respond':
    case undefined:
      return cancelled(text);
  }
}

// The framework has no member for words beside an answer; metadata is open.
function cancelled(reason: string): object {
  return { status: 'cancelled', metadata: { reason } };
}
