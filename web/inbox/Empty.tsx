import { later } from '../app/later.tsx';
import { connection } from '../live/store.ts';
import { inboxWords } from './words.ts';

const InstallOffer = later(() => import('../app/InstallOffer.tsx').then(({ InstallOffer: ready }) => ready));
const Lately = later(() => import('../history/Lately.tsx').then(({ Lately: ready }) => ready));

/** Nothing waits: an empty ruled sheet, one sentence, its full stop. */
export function Empty() {
  const words = inboxWords();
  const known = connection.value !== 'connecting';
  const [start, end] = words.empty;
  return (
    <>
      {known && <Lately />}
      <main
        class="page"
        id="open"
        aria-busy={known ? undefined : 'true'}
        aria-label={known ? undefined : words.looking}
      >
        <section class="sheet ruled">
          {known && (
            <>
              <h1>
                {start}{' '}
                <span class="tie">
                  {end}
                  <span class="sr">.</span>
                  <i aria-hidden="true" />
                </span>
              </h1>
              <p class="lede">
                {words.emptyMore}
                <a class="link" href="/devices">
                  {words.devices}
                </a>
                {words.stop}
                <a class="link" href="/connect">
                  {words.tryIt}
                </a>
                {words.stop}
              </p>
              <InstallOffer />
            </>
          )}
        </section>
      </main>
    </>
  );
}
