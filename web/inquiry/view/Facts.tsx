import type { Inquiry } from '#shared/inquiry.ts';
import { lazy } from '../../app/lazy.tsx';
import { dialogWords } from '../words.ts';

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
