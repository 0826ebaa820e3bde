import type { Inquiry, Question } from '#shared/inquiry.ts';

/** All that was asked, as its sender wrote it and whatever it holds, for where it cannot be drawn. */
export function undrawnText(inquiry: Inquiry): string {
  const { prompt, questions = [], document, actions = [], link } = inquiry;
  const parts = [prompt, ...questions.map(ofQuestion), document?.markdown, link?.url];
  for (const [at, { name, description, options = [], diff = [] }] of actions.entries()) {
    parts.push(`${at + 1}. ${name}`, description, argsOf(inquiry, at), ...options.map(({ label }) => `- ${label}`));
    for (const { path, oldText, newText } of diff)
      parts.push(`${path}\n${marked('-', oldText)}\n${marked('+', newText)}`);
  }
  return parts.filter((part) => part?.trim()).join('\n\n');
}

function ofQuestion(question: Question): string {
  const { header, prompt } = question;
  const options = 'options' in question ? question.options : [];
  const lines = options.map(({ label, description, preview }) =>
    [`- ${label}`, description, preview].filter(Boolean).join('\n'),
  );
  return [header, prompt, ...lines].filter(Boolean).join('\n');
}

function argsOf({ argsText, actions }: Inquiry, at: number): string {
  try {
    return argsText?.[at] ?? JSON.stringify(actions?.[at]?.args ?? null);
  } catch {
    return '…';
  }
}

function marked(mark: string, text: string): string {
  return text && mark + text.replaceAll('\n', `\n${mark}`);
}
