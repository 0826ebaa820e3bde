import type { Rule } from '#shared/policies/rule.ts';
import { zoneCounted } from '../quiet/time-zone.ts';
import { now } from '../ui/clock.ts';
import { language } from '../ui/language.ts';
import { splitPieces, saySentence } from './sentence/sentence.ts';

/** A rule as one sentence; what a machine reads stands in its own type. */
export function Saying({
  rule,
  nameOf,
  ofOthers = false,
}: {
  /** `timeZone`: as it was when this decided. */
  rule: Pick<Rule, 'when' | 'then' | 'until'> & { timeZone?: string };
  nameOf: (id: string) => string;
  /** It may be a rule of somebody elsewhere. */
  ofOthers?: boolean;
}) {
  const { zone: timeZone = rule.timeZone, ofHub } = (!ofOthers && zoneCounted()) || {};
  const pieces = splitPieces(saySentence(rule, { language: language.value, now: now.value, nameOf, timeZone, ofHub }));
  return <>{pieces.map(({ text, exact }, at) => (exact ? <code key={at}>{text}</code> : text))}</>;
}
