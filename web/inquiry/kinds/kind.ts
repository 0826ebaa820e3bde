import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ActionOption, Inquiry } from '#shared/inquiry.ts';
import type { Answering } from '../reply/useReply.ts';
import type { Place } from './questions/place.ts';

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
