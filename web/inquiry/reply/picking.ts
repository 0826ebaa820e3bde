import type { Inquiry, Option, Question } from '#shared/inquiry.ts';
import type { PartOf } from './form/values.ts';

type Picked = PartOf<'choice' | 'multi'>;

/** The part after an option was pressed: the one chosen, or one more or fewer of several. */
export function pickOption(part: Picked, value: string): Picked {
  if (part.type === 'choice') return { ...part, own: true, picks: [value], otherOn: false };
  // A first touch takes the suggestion over and changes it.
  const picks = part.picks.includes(value) ? part.picks.filter((pick) => pick !== value) : [...part.picks, value];
  return { ...part, own: true, picks };
}

/** The part after "Something else" was pressed. */
export function pickOther(part: Picked): Picked {
  if (part.type === 'choice') return { ...part, own: true, picks: [], otherOn: true };
  return { ...part, own: true, otherOn: !part.otherOn };
}

/** The part after words were written at "Something else". */
export function writeOther(part: Picked, other: string): Picked {
  return { ...part, own: true, other };
}

/** Pressing the chosen ring again makes a suggestion one's own, or frees an optional choice. */
export function optionalPick(question: Question, part: Picked, value: string, onChange: (part: Picked) => void): void {
  if (part.type !== 'choice' || part.otherOn || part.picks[0] !== value) return;
  if (!part.own) onChange({ ...part, own: true });
  else if (question.required === false) onChange({ ...part, picks: [] });
}

/** The part after the key of the option at this place, "Something else" being the last. */
export function pickPlace(question: Question, part: Picked, place: number): Picked | undefined {
  if (question.type !== 'choice' && question.type !== 'multi') return undefined;
  const option = question.options[place];
  if (option) return pickOption(part, option.value);
  return question.allowOther && place === question.options.length ? pickOther(part) : undefined;
}

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
  return preview === undefined && measureWidth(label) <= LABEL_WIDTH && measureWidth(description) <= MORE_WIDTH;
}

// A line break makes it a text, and a Chinese character takes the room of two letters.
function measureWidth(text: string): number {
  if (/[\r\n]/.test(text)) return Infinity;
  return [...text].reduce((width, character) => width + (WIDE.test(character) ? 2 : 1), 0);
}
