import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A part of the page that is fetched when it is first shown, so that the inbox need not wait for it. */
export function later<Props extends object>(fetchPart: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let ready: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [, arrived] = useState(false);
    const [failed, fail] = useState<Error | undefined>();
    useEffect(() => {
      if (ready) return;
      fetchPart().then(
        (part) => {
          ready = part;
          arrived(true);
        },
        (error: unknown) => fail(error instanceof Error ? error : new Error(String(error))),
      );
    }, []);
    if (failed) throw failed;
    return ready ? h(ready, props) : null;
  };
}
