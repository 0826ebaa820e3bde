import type { ComponentChildren } from 'preact';
import { isUntitled } from '#shared/call-name/name.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { useWide } from '../../app/browser/wide.ts';
import { lazy } from '../../app/lazy.tsx';
import { me } from '../../live/session.ts';
import { Folded } from '../../ui/Folded.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { Inline, UntrustedText } from '../../ui/UntrustedText.tsx';
import { isHan } from '../../ui/line-breaks.ts';
import { isCautious } from '../reply/state.ts';
import { dialogWords } from '../words.ts';
import { Title, titleLang, titleOf } from './Title.tsx';
import { isLong } from './headline.ts';
import { FoldedProse, Prose } from './Prose.tsx';

const AskedOf = lazy(() => import('./AskedOf.tsx').then(({ AskedOf: ready }) => ready));

/** A call's name keeps both its ends in the three lines of a folded heading; below it stands the whole call. */
const WIDE_MAX = 120;
const PHONE_MAX = 64;

type NoteProps = {
  inquiry: Inquiry;
  ask: string;
  prose: string;
  before?: ComponentChildren;
  /** What stands in the place of "Mara,": the inquiry's title, or nothing (null). */
  hail?: string | null | undefined;
  /** Long words above a call's arguments stay folded. */
  folds?: boolean;
  children?: ComponentChildren;
};

/** Salutation, question, prose. The question is the page's first heading. */
export function Note({ inquiry, ask, prose, before, hail, folds, children }: NoteProps) {
  const spoken = inquiry.context?.language;
  const wide = useWide();
  const folded = folds === true && !isCautious(inquiry);
  // A call without a title of its own is called by what it will do.
  const named = ask === inquiry.title && isUntitled(inquiry);
  const asked = {
    class: isLong(named ? titleOf(inquiry) : ask) ? 'ask ask--long' : 'ask',
    id: 'ask',
    tabIndex: -1,
    lang: named ? titleLang(inquiry) : (spoken ?? (isHan(ask) ? 'zh' : undefined)),
    dir: 'auto' as const,
    children: named ? <Title inquiry={inquiry} max={wide ? WIDE_MAX : PHONE_MAX} /> : <Inline text={ask} />,
  };
  return (
    <div class="note">
      {before}
      {hail === undefined && <Hail />}
      {hail && (
        <Folded class="hail">
          <UntrustedText text={hail} />
        </Folded>
      )}
      <div data-part="prose">
        {folded ? <Folded as="h1" {...asked} /> : <h1 {...asked} />}
        {folded ? <FoldedProse text={prose} lang={spoken} /> : <Prose text={prose} lang={spoken} />}
      </div>
      {inquiry.people && <AskedOf inquiry={inquiry} />}
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

// The question does not wait for it.
const About = lazy(() => import('./About.tsx').then(({ About: ready }) => ready));

/** The margin of an inquiry: the facts about it. */
export function Margin({ inquiry }: { inquiry: Inquiry }) {
  return (
    <aside class="margin" aria-label={dialogWords().about}>
      <About inquiry={inquiry} />
    </aside>
  );
}
