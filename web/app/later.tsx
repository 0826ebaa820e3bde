import { type ComponentChild, type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { hubAnswers } from '../live/api.ts';

const AGAIN_MS = 2000;

/**
 * A part of the page that is fetched when it is first shown, so that the inbox need not wait for it. While the hub is
 * away it is fetched again and again; when the hub is there and has no such part, rendering throws. `Meanwhile` stands
 * in its place until it has come.
 */
export function later<Props extends object>(
  fetchPart: () => Promise<ComponentType<Props>>,
  Meanwhile: () => ComponentChild = () => null,
): ComponentType<Props> {
  let ready: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [, arrived] = useState(false);
    const [failed, fail] = useState<Error | undefined>();
    useEffect(() => {
      if (ready) return undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let gone = false;
      let wasThere = false;
      const bring = async () => {
        try {
          ready ??= await fetchPart();
          arrived(true);
        } catch (error) {
          // It may have come back between the two: then the next fetch says more.
          if (wasThere) return fail(error instanceof Error ? error : new Error(String(error)));
          wasThere ||= await hubAnswers();
          if (!gone) timer = setTimeout(() => void bring(), AGAIN_MS);
        }
      };
      void bring();
      return () => {
        gone = true;
        clearTimeout(timer);
      };
    }, []);
    if (failed) throw failed;
    return ready ? h(ready, props) : h(Meanwhile, {});
  };
}
