import type { Ask, Asked } from '#shared/inquiry.ts';
import type { Locale } from '#shared/wire.ts';
import type { z } from 'zod';

/** What a decider is asked. */
export type DeciderQuestion = {
  ask: Asked & Pick<Ask, 'context'>;
  sourceName: string;
  /** The name of the one person it stands in for; absent: there are several. */
  person?: string | undefined;
  locale: z.infer<typeof Locale>;
  /** What this person answered this source before, newest first. */
  examples: Example[];
};
export type Example = { asked: string; answer: string; at: string };

/** More of a question is not sent: a decision about a part of it would be none about the whole. */
export const QUESTION_CHARACTERS = 262_144;
const EXAMPLES = 20;
const EXAMPLE_CHARACTERS = 2000;

/** All of a question as JSON, so that nothing that somebody wrote in it can end before its own quotation mark. */
export function toldOf({ ask, sourceName, person, locale, examples }: DeciderQuestion) {
  const { context, ...question } = ask;
  return {
    question,
    context: { source: sourceName, person, language: locale, ...context },
    examples: examples.slice(0, EXAMPLES).map(({ asked, answer, at }) => ({
      asked: asked.slice(0, EXAMPLE_CHARACTERS),
      answer: answer.slice(0, EXAMPLE_CHARACTERS),
      at,
    })),
  };
}
