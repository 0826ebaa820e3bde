import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A part of the page that is fetched when it is first shown, so that the inbox need not wait for it. */
export function later<Props extends object>(fetchPart: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let ready: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [, arrived] = useState(false);
    const [failed, fail] = useState<unknown>();
    useEffect(() => {
      if (ready) return;
      fetchPart().then(
        (part) => {
          ready = part;
          arrived(true);
        },
        (error: unknown) => fail(error ?? new Error('A part of the page could not be fetched.')),
      );
    }, []);
    if (failed !== undefined) throw failed;
    return ready ? h(ready, props) : null;
  };
}
