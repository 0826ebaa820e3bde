import { type ComponentChild, type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { hubAnswers } from '../live/api.ts';
import { lostAt } from '../live/line.ts';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { Loading } from './Loading.tsx';
import { words } from './words.ts';

const AGAIN_MS = 2000;
const GIVE_UP_MS = 10_000;
const nothing = () => null;
/** Stands for a part without which the page is whole: nobody is told that it does not come. */
export const optional = () => null;

/**
 * A part of the page that is fetched when it is first shown, so that the inbox need not wait for it. While the hub is
 * away it is fetched again and again; when the hub is there and has no such part, rendering throws. `Meanwhile` stands
 * in its place until it has come. Where that is nothing, or a loading page, a line says after 10 s that it did not come.
 */
export function lazy<Props extends object>(
  fetchPart: () => Promise<ComponentType<Props>>,
  Meanwhile: (props: Props) => ComponentChild = nothing,
): ComponentType<Props> {
  let ready: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [, arrived] = useState(false);
    const [late, giveUp] = useState(false);
    const [failed, fail] = useState<Error | undefined>();
    const drawn = ready !== undefined;
    useEffect(() => {
      // It may have come since this was drawn.
      if (ready) return void (drawn || arrived(true));
      let timer: ReturnType<typeof setTimeout> | undefined;
      let patience: ReturnType<typeof setTimeout> | undefined;
      let gone = false;
      let wasThere = false;
      const bring = async () => {
        patience = setTimeout(() => giveUp(true), GIVE_UP_MS);
        try {
          ready ??= await fetchPart();
          arrived(true);
        } catch (error) {
          clearTimeout(patience);
          // It may have come back between the two: then the next fetch says more.
          if (wasThere) return fail(error instanceof Error ? error : new Error(String(error)));
          wasThere ||= lostAt.peek() === undefined && (await hubAnswers());
          if (!gone) timer = setTimeout(() => void bring(), AGAIN_MS);
        }
      };
      void bring();
      return () => {
        gone = true;
        clearTimeout(timer);
        clearTimeout(patience);
      };
    }, []);
    if (failed) throw failed;
    if (ready) return h(ready, props);
    const alone = Meanwhile === Loading;
    return late && (alone || Meanwhile === nothing) ? h(NotArrived, { alone }) : h(Meanwhile, props);
  };
}

/** A script that a browser waits for is never asked for twice by the same page, so this loads all of it again. */
function NotArrived({ alone }: { alone: boolean }) {
  const t = say(words);
  const line = (
    <div class="hint is-wrong" role="alert">
      <h1>{t.notArrived}</h1>
      <Quiet onPress={() => location.reload()}>{t.loadAgain}</Quiet>
    </div>
  );
  if (!alone) return line;
  return (
    <main class="page" id="open">
      <section class="panel">{line}</section>
    </main>
  );
}
