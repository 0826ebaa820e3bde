import type { ComponentChildren } from 'preact';
import type { Inquiry } from '#shared/inquiry.ts';
import { me } from '../../live/session.ts';
import { Mark } from '../../ui/Mark.tsx';
import { Theirs } from '../../ui/Theirs.tsx';
import { isHan } from '../../ui/theirs.ts';
import { isLong } from '../headline.ts';
import { Prose } from '../prose/Prose.tsx';

type NoteProps = {
  inquiry: Inquiry;
  ask: string;
  prose: string;
  before?: ComponentChildren /** In the salutation's place: the inquiry's title, or nothing (null). */;
  hail?: string | null | undefined;
  children?: ComponentChildren;
};

/** Salutation, question, prose. The question is the page's first heading. */
export function Note({ inquiry, ask, prose, before, hail, children }: NoteProps) {
  const spoken = inquiry.context?.language;
  return (
    <div class="note">
      {before}
      {hail === undefined && <Hail />}
      {hail && (
        <p class="hail">
          <Theirs text={hail} />
        </p>
      )}
      <h1
        class={isLong(ask) ? 'ask ask--long' : 'ask'}
        id="ask"
        tabIndex={-1}
        lang={spoken ?? (isHan(ask) ? 'zh' : undefined)}
      >
        <Theirs text={ask} />
      </h1>
      <Prose text={prose} lang={spoken} />
      {children}
    </div>
  );
}

/** "Mara," */
export function Hail() {
  const name = me.value?.person.name;
  if (!name) return null;
  return (
    <p class="hail">
      {name}
      <Mark name="comma" />
    </p>
  );
}
