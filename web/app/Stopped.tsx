import { useEffect } from 'preact/hooks';
import { keepStored } from '../live/stored.ts';
import { Button } from '../ui/Button.tsx';
import { say } from '../ui/language.ts';
import { words } from './words.ts';

/** What stands in the place of a page that could not be drawn. */
export function Stopped() {
  const t = say(words);
  useEffect(() => {
    document.title = `${t.failedTitle} Beckon`;
  }, [t]);
  useEffect(() => {
    // What was kept of what the hub said may be damaged, and would stop the page again.
    for (const key of ['open', 'me']) void keepStored(key, undefined);
  }, []);
  // No sign-in card: what that is drawn with is fetched with the pages of the sign-in.
  return (
    <main class="stage">
      <section class="sign-in-card">
        <div>
          <h1 class="head">{t.failedTitle}</h1>
          <p class="lede">{t.failedSay}</p>
        </div>
        <div class="bar-do">
          <Button onPress={() => location.reload()}>{t.loadAgain}</Button>
        </div>
      </section>
    </main>
  );
}
