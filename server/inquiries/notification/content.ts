import { kindOf } from '#shared/fit.ts';
import { callName, isUntitled } from '#shared/call-name/name.ts';
import { maskedArgs } from '#shared/call-name/masked.ts';
import type { Action, Inquiry, Question } from '#shared/inquiry.ts';
import { labelsOf } from '#shared/call-name/labels.ts';
import type { Language } from '#shared/texts/language.ts';

const WHOLE_TITLE = 40;

/** What is asked beside the title, as lines of text; `whole`: with the title and these, nothing is left to read. */
export type Content = { lines: string[]; whole: boolean };

/** What a person has to read before answering: all that the digest covers, and nothing twice; `title` is what stands above it. */
export function readContent(inquiry: Inquiry, title: string, language: Language): Content {
  const parts = readParts(inquiry, title, language);
  // A call without a title is called by what it does: then its tool is still to be said.
  const unsaid = isUntitled(inquiry) && !title.startsWith(inquiry.title.trim());
  const said = new Set(unsaid ? [] : [inquiry.title.trim()]);
  const lines: string[] = [];
  for (const line of [inquiry.prompt, ...parts.lines]) {
    const text = line?.trim() ?? '';
    if (text === '' || said.has(text)) continue;
    said.add(text);
    lines.push(text);
  }
  return { lines, whole: parts.whole };
}

function readParts(
  inquiry: Inquiry,
  title: string,
  language: Language,
): { lines: (string | undefined)[]; whole: boolean } {
  const question = inquiry.questions?.length === 1 ? inquiry.questions[0] : undefined;
  const action = inquiry.actions?.length === 1 ? inquiry.actions[0] : undefined;
  switch (kindOf(inquiry)) {
    case 'text':
      return { lines: [], whole: true };
    case 'questions':
      return question
        ? questionParts(question)
        : { lines: inquiry.questions?.map(({ prompt }) => prompt) ?? [], whole: false };
    case 'actions':
      return action
        ? actionParts(action, inquiry, title, language)
        : { lines: isUntitled(inquiry) ? [] : (inquiry.actions?.map(({ name }) => name) ?? []), whole: false };
    case 'document':
      return { lines: [inquiry.document?.markdown], whole: false };
    case 'link':
      return { lines: [inquiry.link?.url], whole: false };
  }
}

function questionParts(question: Question): Content {
  const lines = [...(question.header === undefined ? [] : [question.header]), question.prompt];
  if (question.type === 'text') return { lines, whole: true };
  if (question.type !== 'choice') return { lines, whole: false };
  const labels = labelsOf(question.options);
  const described = question.options.flatMap(({ description }, at) =>
    description === undefined ? [] : [`${labels[at]}: ${description}`],
  );
  return { lines: [...lines, ...described], whole: question.options.every(({ preview }) => preview === undefined) };
}

function actionParts(action: Action, inquiry: Inquiry, title: string, language: Language): Content {
  const { name, description, args, diff, caution } = action;
  const argsText = inquiry.argsText?.[0] ?? JSON.stringify(args);
  const noArguments = argsText === '{}' || argsText === 'null' || argsText === '[]';
  const { parts, exact } = callName(action, language, inquiry.argsText?.[0]);
  // A system cuts a longer title, and then nobody would have read all of the call.
  const titled = exact && title.length <= WHOLE_TITLE && title === parts.map(({ text }) => text).join('');
  const shown = maskedArgs(name, args, argsText);
  return {
    lines: [name, ...(description === undefined ? [] : [description]), ...(noArguments || titled ? [] : [shown])],
    whole: diff === undefined && !caution && shown === argsText,
  };
}
