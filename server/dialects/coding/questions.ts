import { z } from 'zod';
import type { AnswerContent } from '#shared/answer.ts';
import type { Ask, Question } from '#shared/inquiry.ts';
import { withoutUndefined } from '#shared/json.ts';
import { listLabels } from '#shared/text.ts';
import { toLine, createChecks } from '../body.ts';
import type { Answered, Part } from '../dialect.ts';

/** Claude's tool that asks its user; an answered one is an allowed call whose input holds the answers. */
export const ASK_USER_QUESTION = 'AskUserQuestion';

const Input = z.looseObject({
  questions: z
    .array(
      z.looseObject({
        question: z.string().min(1),
        header: z.string().nullish(),
        multiSelect: z.boolean().nullish(),
        options: z
          .array(
            z.looseObject({
              label: z.string().min(1),
              description: z.string().nullish(),
              preview: z.string().nullish(),
            }),
          )
          .min(1),
      }),
    )
    .min(1)
    .max(20),
});

/** The questions of `AskUserQuestion`, each with room for an answer of the person's own, as in a terminal. */
export function questionsPart(input: unknown, at: string, context: NonNullable<Ask['context']>): Part {
  const checks = createChecks();
  const { questions = [] } = checks.read(Input, input, at) ?? {};
  const texts = questions.map(({ question }) => question);
  checks.unique(texts, (place) => `${at}/questions/${place}/question`, 'ask.twice');
  checks.end();
  const places: Part['places'] = [];
  const asked = questions.map(({ question, header, multiSelect, options }, place): Question => {
    places.push([`/questions/${place}/prompt`, `${at}/questions/${place}/question`]);
    options.forEach((_, one) => {
      const [ours, theirs] = [`/questions/${place}/options/${one}`, `${at}/questions/${place}/options/${one}`];
      places.push([ours, theirs], [`${ours}/value`, `${theirs}/label`]);
    });
    return {
      // The answers go back by the text of the question, which may be longer than an id.
      id: String(place),
      type: multiSelect ? 'multi' : 'choice',
      // Of a single question the title says more.
      ...(header?.trim() && questions.length > 1 ? { header: toLine(header) } : {}),
      prompt: question,
      options: options.map(({ label, description, preview }) =>
        withoutUndefined({ value: label, label, description: description ?? undefined, preview: preview ?? undefined }),
      ),
      allowOther: true,
    };
  });
  return { ask: { questions: asked, context }, places };
}

/**
 * The answers by the texts of the questions; several are one text with commas between them, as Claude joins them itself.
 * What no person answered is marked, because Claude tells its model that its user did.
 */
export function toAnswers(
  { questions = [], resolution: { note } }: Answered,
  { values, other }: AnswerContent,
): Record<string, string> {
  return Object.fromEntries(
    questions.flatMap(({ id, prompt, type }) => {
      const chosen = [values?.[id], other?.[id]].flat().filter((one) => typeof one === 'string');
      const said = type === 'multi' ? listLabels(chosen, 'en') : chosen.join(', ');
      return chosen.length > 0 ? [[prompt, `${said}${note === undefined ? '' : ` (${note})`}`]] : [];
    }),
  );
}
