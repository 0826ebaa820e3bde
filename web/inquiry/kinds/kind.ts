import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ActionOption, Inquiry } from '#shared/inquiry.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { preferencesFor } from '../../live/preferences.ts';
import type { Answering } from '../reply/useReply.ts';
import { questionFaults } from '../reply/faults.ts';
import { findPart, replyFrom } from '../reply/state.ts';

/** What every kind of inquiry is given to draw its note, its place to answer and its bar. */
export type KindProps = {
  inquiry: Inquiry;
  answering: Answering;
  /** Who is answering elsewhere, to stand under the question. */
  elsewhere: ComponentChildren;
  /** Five more minutes, while it is offered. */
  extension: ComponentChildren;
  /** Where somebody is among several questions. */
  place: Place;
  /** Whether a rule for calls like these is being made, or which option that reaches further than this call is being sent. */
  always: Signal<boolean | ActionOption>;
  /** Where a decider stands in for declining, it is handed over instead; the menu still declines. */
  decline: { say: string; press: () => void };
  /** What a decider proposes, to stand beneath the place to answer. */
  proposed: ComponentChildren;
  onMore: () => void;
  onEscape: () => void;
  onHelp: () => void;
};

/** Which of several questions is asked now, and whether all of them stand on one page. */
type Place = { step: Signal<number>; all: Signal<boolean> };

const places = new Map<string, Place>();

/**
 * Where somebody is in an inquiry; leaving the inquiry and coming back finds the same place. Words of an
 * earlier visit lead to the first question that still waits for an answer.
 */
export function findPlace(entry: InquiryEntry): Place {
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
    (question) =>
      !findPart(reply, question.id)?.own || questionFaults(question, findPart(reply, question.id)).length > 0,
  );
  return open === -1 ? questions.length - 1 : open;
}
