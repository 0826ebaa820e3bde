import { type Run, undecidable } from '#shared/policies/decider.ts';
import { type Fault, AppError } from '#shared/problem.ts';
import { wordFor } from '../../../platform/outbound/post.ts';
import {
  type Call,
  type Log,
  type CalledDecider,
  type DeciderQuestion,
  toQuestionJson,
  QUESTION_CHARACTERS,
  Trouble,
  troubleFor,
} from './call.ts';
import { askChat } from './chat.ts';
import { askMcp } from './mcp.ts';
import { readReply } from './reply.ts';
import { answerSchema } from './schema.ts';
const RECEIVED_CHARACTERS = 65_536;
const PROBLEM_CHARACTERS = 1000;
/** A longer answer is none. */
const ANSWER_CHARACTERS = 262_144;
/** Fewer would be found in texts that hold no key. */
const BASE64_CHARACTERS = 8;
const LEAVES = ' leaves it to people: ';

/** Whether this is the problem of a run in which the decider of this name said that it does not decide. */
export function leavesIt(name: string, problem = ''): boolean {
  return problem.startsWith(`${name}${LEAVES}`);
}

/**
 * Asks a decider, twice where its first answer does not fit, within its time. Never throws for what the decider or the
 * network does: a run without an answer has a problem.
 */
export async function runDecider(
  decider: CalledDecider,
  question: DeciderQuestion,
  { signal }: { signal: AbortSignal },
): Promise<Run> {
  const began = performance.now();
  const log: Log = { sent: '', received: '' };
  const limit = AbortSignal.timeout(decider.timeoutSeconds * 1000);
  const outcome: Pick<Run, 'answer' | 'problem'> = await decided({
    decider,
    question,
    log,
    signal: AbortSignal.any([signal, limit]),
  }).catch((error: unknown) => ({ problem: toProblem(decider, error, { limit, signal }) }));
  const { tokensIn, tokensOut } = log;
  // What is sent a second time holds the first reply.
  const sent = shown(log.sent, decider.key, Infinity);
  const received = shown(log.received, decider.key, RECEIVED_CHARACTERS);
  if (outcome.problem !== undefined) outcome.problem = shown(outcome.problem, decider.key, PROBLEM_CHARACTERS);
  const tokens = { ...(tokensIn === undefined ? {} : { tokensIn }), ...(tokensOut === undefined ? {} : { tokensOut }) };
  return { ...outcome, sent, received, ms: Math.round(performance.now() - began), ...tokens };
}

type Asking = Pick<Call, 'decider' | 'signal' | 'log'> & { question: DeciderQuestion };

async function decided({ decider, question, signal, log }: Asking): Promise<Pick<Run, 'answer' | 'problem'>> {
  const { ask } = question;
  const never = undecidable(ask, { actions: true });
  if (never) return { problem: `No decider is asked about this (${never}): answer it yourself.` };
  const told = toQuestionJson(question);
  if (JSON.stringify(told).length > QUESTION_CHARACTERS)
    return { problem: 'The question is longer than a decider is sent (256 KiB): answer it yourself.' };
  let before: Call['before'];
  for (let tries = 0; tries < 2; tries++) {
    const reply = await (decider.kind === 'chat' ? askChat : askMcp)({
      decider,
      told,
      ...answerSchema(ask),
      before,
      signal,
      log,
    });
    const read = await readReply(ask, reply, decider.id);
    if ('answer' in read)
      return JSON.stringify(read.answer).length > ANSWER_CHARACTERS
        ? { problem: 'Its answer is longer than is taken (256 KiB): answer it yourself.' }
        : read;
    if ('undecided' in read) return { problem: `${decider.name}${LEAVES}${read.undecided}` };
    before = { reply: reply.slice(0, RECEIVED_CHARACTERS), faults: inWords(read.faults) };
  }
  return { problem: `${decider.name} gave no answer that fits, twice: ${before?.faults}.` };
}

function inWords(faults: Fault[]): string {
  const some = faults.slice(0, 10).map(({ path, message }) => `${path || 'the reply'} ${message.replace(/\.$/, '')}`);
  return some.join('; ').slice(0, 2000);
}

function toProblem(
  { name, url, timeoutSeconds }: CalledDecider,
  error: unknown,
  { limit, signal }: { limit: AbortSignal; signal: AbortSignal },
): string {
  if (signal.aborted) return `${name} was asked, and is not any more.`;
  if (limit.aborted)
    return `${name} gave no answer within ${timeoutSeconds} seconds: see that it runs, or give it more time.`;
  if (error instanceof Trouble) return error.message;
  return error instanceof AppError ? error.message : troubleFor(wordFor(error), url);
}

/** What holds words of a decider, as it is kept: no key that it repeats, and no character that a database refuses. */
function shown(said: string, key: string | undefined, most: number): string {
  const text = key ? withoutKey(said, key) : said;
  return text.slice(0, most).replaceAll('\0', '\uFFFD').toWellFormed();
}

/** A key is repeated as it is, escaped as JSON or an address does, or in base64 by whoever prints a header or a body. */
function withoutKey(said: string, key: string): string {
  const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), ...inBase64(Buffer.from(key))];
  return forms.reduce((text, form) => text.replaceAll(form, '…'), said);
}

/** What every base64 holds of a text in which these bytes stand; it differs by where in three bytes they begin. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The characters at the ends hold bits of what stands beside the key too.
    const inner = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    const safe = inner.replaceAll('+', '-').replaceAll('/', '_');
    const forms = [inner, safe, inner.replaceAll('/', '\\/'), encodeURIComponent(inner)];
    return inner.length < BASE64_CHARACTERS ? [] : forms;
  });
}
