import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { me } from '../live/session.ts';
import { now } from '../ui/clock.ts';
import { language } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { capital, moment } from '../ui/times.ts';
import { unable } from '../passkeys/unable.ts';
import { type Hands, readHands } from './hands.ts';
import { handsWords, sayApprovers } from './words.ts';

/** Who has approved, who may, and what taking back or editing would do. */
export function HandsList({ inquiry }: { inquiry: Inquiry }) {
  const t = handsWords();
  const hands = readHands(inquiry, me.value?.person);
  if (!hands) return null;
  const { count, given, own, others } = hands;
  const may = [...(own ? [] : [capital(t.you)]), ...others.map((handle) => visible(handle))];
  return (
    <section class="reply hands" aria-label={t.must(count)}>
      <h2>{t.must(count)}</h2>
      <ul>
        {given.map((one) => (
          <li key={one.by.personId}>
            <Mark name="tick" />
            <span>
              <b>
                <bdi>{one === own ? capital(t.you) : visible(one.by.handle)}</bdi>
              </b>{' '}
              {t.approved}
            </span>
            <time dateTime={one.at}>
              {t.when(moment(Date.parse(one.at), now.value, language.value), visible(one.by.device.name))}
            </time>
          </li>
        ))}
        <li>
          <span class="ring" />
          <span>{t.or(may)}</span>
          <small>{t.more(count - given.length)}</small>
        </li>
      </ul>
      <p class="hint">{sayNext(hands)}</p>
      <p class="sr" role="status">
        {given.length > 0 &&
          t.stand(
            given.map((one) => (one === own ? t.you : visible(one.by.handle))),
            count,
          )}
      </p>
    </section>
  );
}

/** How many of how many people have approved; `named`: who, behind what else is said. */
export function HandsLine({ inquiry, named }: { inquiry: Inquiry; named?: boolean }) {
  const t = handsWords();
  const hands = readHands(inquiry, me.value?.person);
  if (!hands) return null;
  const { count, given, own } = hands;
  const who = given.map((one) => (one === own ? t.you : visible(one.by.handle)));
  // A list says only whether it still waits for its reader.
  if (!named) return <b>{own ? t.stand(who, count) : t.count(given.length, count)}</b>;
  return (
    <>
      {' · '}
      <b>{t.stand(who, count)}</b>
    </>
  );
}

/** Of a resolved inquiry, who approved it: all that had to, or how many of them. */
export function Approvers({ inquiry }: { inquiry: Inquiry }) {
  const said = sayApprovers(inquiry, me.value?.person.handle);
  return said ? <p class="dim">{said + handsWords().stop}</p> : null;
}

function sayNext({ count, given, own }: Hands): string {
  const t = handsWords();
  const [only, more] = given;
  if (!only) return t.ends;
  return (own ? t.backOwn(count) : t.back(more ? undefined : visible(only.by.handle), count)) + t.anew(count);
}

/** That whoever has approved is not taken for approving what this person changes. */
export function sayAnew({ given }: Hands): string {
  return handsWords().startsAnew(given.map(({ by }) => visible(by.handle)));
}

/** Says above the calls that somebody changed one of them. */
export function Edited({ editor, own }: Hands) {
  const t = handsWords();
  if (!editor) return null;
  return <p class="say">{editor === own ? t.editedOwn : t.edited(visible(editor.by.handle))}</p>;
}

/** What the button of a yes says below it: the how many-th it is, where several people have to say it, and how it is signed. */
export function sayYes(inquiry: Inquiry, anew = false): string | undefined {
  const t = handsWords();
  const signed = inquiry.assurance !== 'passkey' ? undefined : unable.value === inquiry.id ? t.elsewhere : t.signed;
  const hands = readHands(inquiry, me.value?.person);
  if (!hands) return signed;
  const place = anew ? 1 : hands.given.length + 1;
  if (signed !== undefined) return t.place(place, hands.count) + t.comma + signed;
  return place === hands.count ? t.last(place) : t.place(place, hands.count);
}
