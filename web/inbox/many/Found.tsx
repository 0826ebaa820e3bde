import { useMemo } from 'preact/hooks';
import { maskedArgs } from '#shared/call-name/masked.ts';
import { callsName, titleParts } from '#shared/call-name/name.ts';
import { cutName, plainName } from '#shared/call-name/parts.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { Called } from '../../inquiry/view/Title.tsx';
import { readArgsText } from '../../live/inquiries.ts';
import { type Language, language } from '../../ui/language.ts';

type FoundProps = { inquiry: Inquiry; find: string; max: number };
type Match = { text: string; at: number; length: number };

/** So much stands before a match, and after it where the line is cut. */
const START = 12;
const AROUND = 6;
const TAIL = 12;

/** What a row says of its calls; while words are sought that its title of `max` characters does not show, where they stand. */
export function Found({ inquiry, find, max }: FoundProps) {
  const spoken = language.value;
  const match = useMemo(() => findMatch(inquiry, find, max, spoken), [inquiry, find, max, spoken]);
  if (!match) return <Called inquiry={inquiry} />;
  const { text, at, length } = match;
  const before = at > START + AROUND ? `${text.slice(0, START)}…${text.slice(at - AROUND, at)}` : text.slice(0, at);
  const after = text.slice(at + length);
  const tail = after.length > 2 * TAIL ? after.slice(-TAIL) : '';
  return (
    <code class="ends" dir="ltr">
      <span>
        {before}
        <mark>{text.slice(at, at + length)}</mark>
        {tail ? after.slice(0, -TAIL) : after}
      </span>
      {tail && <span>{tail}</span>}
    </code>
  );
}

function findMatch(inquiry: Inquiry, find: string, max: number, spoken: Language): Match | undefined {
  const shown = plainName(cutName(titleParts(inquiry, spoken), max), max).toLowerCase();
  const sought = find
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !shown.includes(word));
  if (sought.length === 0) return undefined;
  const { actions = [], prompt = '' } = inquiry;
  const texts = [
    ...(actions.length > 0 ? [plainName(callsName(actions, spoken, inquiry.argsText), Infinity)] : []),
    ...actions.map(({ name, args }, at) => `${name} ${maskedArgs(name, args, readArgsText(inquiry, at))}`),
    prompt,
  ].map((text) => visible(text).replace(/\s+/gu, ' '));
  for (const text of texts) {
    const lower = text.toLowerCase();
    const word = sought.find((one) => lower.includes(one));
    if (word !== undefined) return { text, at: lower.indexOf(word), length: word.length };
  }
  return undefined;
}
