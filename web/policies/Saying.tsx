import type { Rule } from '#shared/policies/rule.ts';
import { me } from '../live/session.ts';
import { now } from '../ui/clock.ts';
import { language } from '../ui/language.ts';
import { splitPieces, saySentence } from './sentence/sentence.ts';

/** A rule as one sentence; what a machine reads stands in its own type. */
export function Saying({
  rule,
  nameOf,
  ofOthers = false,
}: {
  rule: Pick<Rule, 'when' | 'then' | 'until'>;
  nameOf: (id: string) => string;
  /** It may be a rule of somebody elsewhere. */
  ofOthers?: boolean;
}) {
  const timeZone = ofOthers ? undefined : me.value?.preferences.timeZone;
  const pieces = splitPieces(saySentence(rule, { language: language.value, now: now.value, nameOf, timeZone }));
  return <>{pieces.map(({ text, exact }, at) => (exact ? <code key={at}>{text}</code> : text))}</>;
}
