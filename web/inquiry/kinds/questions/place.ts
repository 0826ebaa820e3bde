import { type Signal, signal } from '@preact/signals';
import type { InquiryEntry } from '../../../live/entry.ts';
import { preferencesFor } from '../../../live/preferences.ts';
import { questionFaults } from '../../reply/faults.ts';
import { partOf, replyFrom } from '../../reply/state.ts';

/** Which of several questions is asked now, and whether all of them stand on one page. */
export type Place = { step: Signal<number>; all: Signal<boolean> };

const places = new Map<string, Place>();

/**
 * Where somebody is in an inquiry; leaving the inquiry and coming back finds the same place. Words of an
 * earlier visit lead to the first question that still waits for an answer.
 */
export function placeOf(entry: InquiryEntry): Place {
  const { inquiry } = entry;
  const known = places.get(inquiry.id);
  if (known) return known;
  const place = {
    step: signal(firstOpen(entry)),
    all: signal((inquiry.questions?.length ?? 1) > 1 && preferencesFor(inquiry.source.id).questions === 'all'),
  };
  places.set(inquiry.id, place);
  return place;
}

function firstOpen({ inquiry, own }: InquiryEntry): number {
  const questions = inquiry.questions ?? [];
  if (!own || questions.length < 2) return 0;
  const reply = replyFrom(inquiry, own, true);
  const open = questions.findIndex(
    (question) => !partOf(reply, question.id)?.own || questionFaults(question, partOf(reply, question.id)).length > 0,
  );
  return open === -1 ? questions.length - 1 : open;
}
