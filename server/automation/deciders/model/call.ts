import type { z } from 'zod';
import type { Decider } from '#shared/policies/decider.ts';
import type { Ask, Asked } from '#shared/inquiry.ts';
import type { Locale } from '#shared/wire.ts';

/** One call of a decider, and the log of it. */
export type Call = {
  decider: CalledDecider;
  told: ReturnType<typeof toQuestionJson>;
  schema: Record<string, unknown>;
  strict: boolean;
  /** What it replied first, and what was wrong with that. */
  before?: { reply: string; faults: string } | undefined;
  signal: AbortSignal;
  log: Log;
};

export type Log = { sent: string; received: string; tokensIn?: number | undefined; tokensOut?: number | undefined };

/** A decider with its key in clear, in memory alone. */
export type CalledDecider = Decider & { key?: string | undefined };

/** What a decider is asked. */
export type DeciderQuestion = {
  ask: Asked & Pick<Ask, 'context'>;
  sourceName: string;
  /** The name of the one person it stands in for; absent: there are several. */
  person?: string | undefined;
  locale: z.infer<typeof Locale>;
  /** What this person answered this source before, newest first. */
  examples: Example[];
  /** What the agent adds where it asks for a decision itself: what led here, and what it wants to reach. */
  background?: string | undefined;
  goal?: string | undefined;
};
export type Example = { asked: string; answer: string; at: string };

/** More of a question is not sent: a decision about a part of it would be none about the whole. */
export const QUESTION_CHARACTERS = 262_144;
const EXAMPLES = 20;
const EXAMPLE_CHARACTERS = 2000;

/** All of a question as JSON, so that nothing that somebody wrote in it can end before its own quotation mark. */
export function toQuestionJson({ ask, sourceName, person, locale, examples, background, goal }: DeciderQuestion) {
  const { context, ...question } = ask;
  return {
    question,
    context: { ...context, source: sourceName, person, language: locale, background, goal },
    examples: examples.slice(0, EXAMPLES).map(({ asked, answer, at }) => ({
      asked: asked.slice(0, EXAMPLE_CHARACTERS),
      answer: answer.slice(0, EXAMPLE_CHARACTERS),
      at,
    })),
  };
}

/** More of a decider's replies is not read. */
export const REPLY_BYTES = 1_048_576;

/** What kept a decider from answering: one sentence that says what to do. */
export class Trouble extends Error {}

/** A status that is no answer. */
export function statusTrouble(status: number, url: string): Trouble {
  const host = toHost(url);
  if (status < 400) return new Trouble(`${host} sends the hub elsewhere: give the decider the address it points to.`);
  if (status === 401 || status === 403)
    return new Trouble(`${host} refuses the key (${status}): give the decider another one.`);
  if (status === 404 || status === 405)
    return new Trouble(`${host} knows no such address or model (${status}): check both; an address often ends in /v1.`);
  if (status === 429) return new Trouble(`${host} takes no more calls for now (429): look at its quota.`);
  if (status >= 500) return new Trouble(`${host} fails (${status}): try again later.`);
  return new Trouble(`${host} refuses the call (${status}): its reply says why.`);
}

/** A failed connection, which `wordFor` put in a few words. */
export function troubleFor(word: string, url: string): string {
  return `${toHost(url)} cannot be reached (${word}): check the address, and that it runs.`;
}

export function toHost(url: string): string {
  return URL.parse(url)?.host ?? url;
}

/** More came than is read. */
export function tooLong(url: string): Trouble {
  return new Trouble(`${toHost(url)} replies more than ${REPLY_BYTES / 1024 / 1024} MiB: check the address.`);
}
