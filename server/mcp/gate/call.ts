import { chooseLanguage, type Language } from '#shared/texts/language.ts';
import { approvalEnded } from '#shared/texts/outcomes.ts';
import type { Tool } from '@modelcontextprotocol/client';
import { parseOrRefuse } from '#shared/faults.ts';
import { Ask, type Inquiry } from '#shared/inquiry.ts';
import { JsonError, parseExact } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import type { ClientWait } from '../hold.ts';
import { withSchemaFaults } from '../../platform/json-schema/check.ts';
import type { Verdict } from '../../automation/rules/decide.ts';
import type { GateConfig } from './config/store.ts';
import { textAt, withItem, withValue } from '../json-text.ts';
import type { Message } from '../messages.ts';

/** A call of a tool; `argsText` is the exact JSON text of its arguments, so that every number survives. */
export type ToolCall = { name: string; argsText: string };
/** What becomes of a call: on to the upstream, with the edited arguments where there are any, or a result in the tool's place. */
export type Decided = { type: 'forward'; argsText?: string; receipt?: string } | Reply;
export type Reply = { type: 'reply'; text: string; isError: boolean; structuredContent?: unknown };

/** Where an upstream finds the receipt of an approved call. */
const RECEIPT_META = 'dev.beckon/receipt';
const ASK_BYTES = 262_144;
/** What waits is passed on at once; later the world may be another than the one that was approved. */
const VALID_SECONDS = 60;
const SCHEMA_BYTES = 65_536;
const DESCRIPTION_CHARACTERS = 4000;

/** The verdict without its tool's own schema where that is not usable: people edit without it, and `leftOut` hears why. */
export async function withUsableSchema(
  owner: string,
  { toolSchema: given, ...verdict }: AskAbout['verdict'],
  leftOut: (reason: string) => void,
): Promise<AskAbout['verdict']> {
  const toolSchema = readable(given);
  if (!toolSchema) return verdict;
  const [fault] = await withSchemaFaults(owner, (schemaFaults) => schemaFaults(toolSchema));
  if (!fault) return { ...verdict, toolSchema };
  leftOut(fault.message);
  return verdict;
}

export type AskAbout = {
  call: ToolCall;
  verdict: Extract<Verdict, { does: 'ask' }>;
  agent?: string | undefined;
  language?: string | undefined;
  group?: string | undefined;
};

/**
 * The inquiry about a call: one action. Throws 422 or `JsonError` for what no device can show, 413 for
 * arguments that are too long to be read by a person.
 */
export function buildAsk(
  gate: Pick<GateConfig, 'name' | 'to' | 'deadline' | 'validFor' | 'approvals'>,
  { call, verdict, agent, language, group }: AskAbout,
): Ask {
  const { allowed, caution, toolSchema, argsSchema = toolSchema } = verdict;
  const description = describe(verdict.description);
  const context = {
    ...(agent ? { agent: line(agent, 200) } : {}),
    ...(language === undefined ? {} : { language }),
  };
  const ask = {
    title: line(`${gate.name}: ${call.name}`, 140),
    actions: [
      {
        name: call.name,
        args: parseExact(call.argsText),
        ...(description ? { description } : {}),
        ...(argsSchema ? { argsSchema } : {}),
        allowed,
        ...(caution ? { caution } : {}),
      },
    ],
    ...(gate.to ? { to: gate.to } : {}),
    ...(Object.keys(context).length > 0 ? { context } : {}),
    ...(group === undefined ? {} : { group }),
    // What a rule of the gate asks people about, no other rule answers.
    ...(verdict.rule === undefined ? {} : { rules: 'none' }),
    deadline: gate.deadline,
    validFor: gate.validFor ?? VALID_SECONDS,
    ...(gate.approvals ? { approvals: gate.approvals } : {}),
  };
  const text = JSON.stringify(ask);
  if (Buffer.byteLength(text) > ASK_BYTES) {
    throw new AppError(
      413,
      'gate.arguments_too_long',
      'The arguments are longer than a person can be shown (256 KiB).',
    );
  }
  // Read again as a whole: what nests too deep or holds half a character would be stored and never be readable.
  return parseOrRefuse(Ask, parseExact(text));
}

/** What a resolved inquiry about a call makes of it: only "approve" and "edit" let it pass. */
export async function readDecision(
  inquiry: Pick<Inquiry, 'resolution' | 'context'>,
  { owner, tool }: { owner: string; tool?: Tool | undefined },
): Promise<Decided> {
  const words = WORDS[chooseLanguage(inquiry.context?.language, undefined)];
  const { resolution } = inquiry;
  const [decision] = resolution?.outcome === 'answered' ? (resolution.answer?.decisions ?? []) : [];
  switch (decision?.type) {
    case 'approve':
      return { type: 'forward' };
    case 'edit':
      return { type: 'forward', argsText: decision.argsText ?? JSON.stringify(decision.args) };
    case 'reject':
      return refusal(rejected(words, decision.message, resolution?.note));
    case 'respond':
      return responded(decision.message, resolution?.note, { owner, tool });
    case undefined:
      return refusal([resolution?.text, words.nobody].filter(Boolean).join('\n'));
  }
}

// `note`: what no person decided says so.
function rejected(words: Words, message: string | undefined, note: string | undefined): string {
  const said = message ? ` ${note === undefined ? words.said : words.reason} ${message}` : '';
  return note === undefined ? words.rejected + said : `${words.notRun}${said}\n${note}`;
}

/** A call that cannot be shown to anybody is not let through: whoever asks is told why. Throws what is neither of these errors. */
export function notAsked(error: unknown): Reply {
  if (error instanceof JsonError) return refusal(`The call was not run: a person cannot be shown it. ${error.message}`);
  if (!(error instanceof AppError)) throw error;
  const faults = (error.faults ?? []).map(({ path, message }) => `${path} ${message}`).join('; ');
  return refusal(`The call was not run: nobody could be asked. ${error.message}${faults ? ` (${faults})` : ''}`);
}

/** What the model is told where an approval ended before its call could be passed on (APR1). */
export function ended({ resolution, context }: Pick<Inquiry, 'resolution' | 'context'>): Reply {
  return refusal(approvalEnded(resolution?.validUntil ?? '', chooseLanguage(context?.language, undefined)));
}

/** A result that tells the model why the tool was not run. */
export function refusal(text: string): Reply {
  return { type: 'reply', text, isError: true };
}

/** Whether the client of a call that was not decided sends it again by itself. A round of the upstream's own has no room for our state. */
export function goesOn({ becomes }: ClientWait, { params }: Message): boolean {
  return becomes === 'round' && !isNextRound(params);
}

/** Whether a call goes on with one that its upstream answered with a question. A state that is no text was never given out. */
export function isNextRound(params: Message['params']): boolean {
  const { requestState, inputResponses } = params ?? {};
  return requestState === undefined ? inputResponses !== undefined : typeof requestState === 'string';
}

/** A result that tells the model to go on waiting: nobody has decided yet, and its client would not wait longer. */
export function undecided(language: string | undefined, tool: Tool | undefined): Reply {
  const { undecided: text } = WORDS[chooseLanguage(language, undefined)];
  // No error, but where the tool promised structured content a client takes only errors without it.
  return { type: 'reply', text, isError: tool?.outputSchema !== undefined };
}

/** The `CallToolResult` of a reply; `modern`: for revision 2026-07-28 and later. */
export function toolResult({ text, isError, structuredContent }: Reply, modern: boolean): Record<string, unknown> {
  return {
    content: [{ type: 'text', text }],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError ? { isError } : {}),
    ...(modern ? { resultType: 'complete' } : {}),
  };
}

/** What a person made of a call's arguments, and the language in which its agent is told. */
export type Edit = { argsText: string; language?: string | undefined };

/**
 * The upstream's reply to an edited call, with the arguments that it ran with at the end of the result's content, where
 * a program that reads the first item finds it as before. A reply without content stays as it is.
 */
export function withEdit(text: string, message: Message, { argsText, language }: Edit): string {
  if (message.method !== undefined) return text;
  const item = { type: 'text', text: WORDS[chooseLanguage(language, undefined)].changed + argsText };
  return withItem(text, ['result', 'content'], JSON.stringify(item), message);
}

// A client throws away a result without structured content where the tool promised some (MCP, tools, output schema).
async function responded(
  message: string,
  note: string | undefined,
  { owner, tool }: { owner: string; tool: Tool | undefined },
): Promise<Reply> {
  const text = note === undefined ? message : `${message}\n${note}`;
  if (!tool?.outputSchema) return { type: 'reply', text, isError: false };
  const schema = withoutDialect(tool.outputSchema);
  const structuredContent = parseOrNothing(message);
  if (structuredContent === undefined) return refusal(text);
  const faults = await withSchemaFaults(owner, (schemaFaults) => schemaFaults(schema, structuredContent));
  return faults.length === 0 ? { type: 'reply', text, isError: false, structuredContent } : refusal(text);
}

function describe(text: string | undefined): string | undefined {
  return text?.trim() ? cut(text.replaceAll('\0', ' '), DESCRIPTION_CHARACTERS) : undefined;
}

function line(text: string, max: number): string {
  return cut(text.replace(/\p{Cc}/gu, ' '), max);
}

function cut(text: string, max: number): string {
  const whole = text.toWellFormed();
  return whole.length <= max
    ? whole
    : `${whole
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
}

// An upstream's schema may be of an older draft, or nothing that could be stored.
function readable(schema: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (!schema) return undefined;
  const own = withoutDialect(schema);
  const text = JSON.stringify(own);
  return text.length <= SCHEMA_BYTES && parseOrNothing(text) !== undefined ? own : undefined;
}

function withoutDialect({ $schema: _draft, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema;
}

function parseOrNothing(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

type Words = Record<'rejected' | 'notRun' | 'said' | 'reason' | 'nobody' | 'undecided' | 'changed', string>;
const WORDS: Record<Language, Words> = {
  en: {
    rejected: 'A person rejected this call; it was not run.',
    notRun: 'This call was not run.',
    said: 'Their words:',
    reason: 'Reason:',
    nobody: 'The call was not run: nobody approved it.',
    undecided:
      'A person has not decided about this call yet; it was not run. The question is still open on their devices. Call this tool again now with exactly the same arguments to go on waiting, and do not take silence for an answer.',
    changed: 'A person changed the arguments before this ran: ',
  },
  zh: {
    rejected: '有人拒绝了这次调用；它没有执行。',
    notRun: '这次调用没有执行。',
    said: '对方的话：',
    reason: '原因：',
    nobody: '这次调用没有执行：没有人批准。',
    undecided:
      '还没有人对这次调用作出决定；它没有执行。问题仍在对方的设备上等待。请立即用完全相同的参数再次调用这个工具以继续等待，不要把沉默当作答复。',
    changed: '这次调用执行前，有人修改了参数：',
  },
};

/** The call with its receipt in it, in place of one that its client put there. */
export function withReceipt(text: string, receipt: string): string {
  const meta = ['params', '_meta'];
  const given = textAt(text, meta) === undefined ? withValue(text, meta, '{}') : text;
  return withValue(given, [...meta, RECEIPT_META], JSON.stringify(receipt));
}
