import type { Inquiry, Option, Question } from '#shared/inquiry.ts';

const MOST = 3;
const LABEL_WIDTH = 24;
const MORE_WIDTH = 60;
const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/;

type Short = Extract<Question, { type: 'choice' }>;

/** The question whose answers are buttons: asked alone, with two or three options that fit on one each. */
export function shortChoice({ questions = [] }: Pick<Inquiry, 'questions'>): Short | undefined {
  const [question, ...more] = questions;
  if (question?.type !== 'choice' || more.length > 0 || question.required === false) return undefined;
  const { length } = question.options;
  return length > 1 && length <= MOST && question.options.every(isShort) ? question : undefined;
}

function isShort({ label, description = '', preview }: Option): boolean {
  return preview === undefined && widthOf(label) <= LABEL_WIDTH && widthOf(description) <= MORE_WIDTH;
}

// A line break makes it a text, and a Chinese character takes the room of two letters.
function widthOf(text: string): number {
  if (/[\r\n]/.test(text)) return Infinity;
  return [...text].reduce((width, character) => width + (WIDE.test(character) ? 2 : 1), 0);
}
