import './toast.css';
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { given } from '../../live/inquiries.ts';
import { Quiet } from '../Button.tsx';

/** A tap meant for what lay underneath opens nothing. */
const INERT_MS = 350;

type Act = { say: string; press: () => void };
type ToastProps = {
  label: string;
  by: ComponentChildren;
  name: ComponentChildren;
  more?: ComponentChildren;
  icon: ComponentChildren;
  /** Read aloud over whatever else is being read. */
  alert?: boolean;
  putOff: Act;
  open: Act;
};

// One stands there at a time, the first that came; the others follow when it is put off.
const waiting = signal<readonly object[]>([]);

/** What arrives while something else is open: it lies over no button and no navigation, and answers nothing itself. */
export function Toast(props: ToastProps) {
  const [own] = useState({});
  useEffect(() => {
    waiting.value = [...waiting.peek(), own];
    return () => void (waiting.value = waiting.peek().filter((one) => one !== own));
  }, []);
  // The last answer can be undone first: its bar stands where this would.
  return waiting.value[0] === own && given.value === undefined ? <Shown {...props} /> : null;
}

function Shown({ label, by, name, more, icon, alert, putOff, open }: ToastProps) {
  const [since] = useState(() => performance.now());
  const then = (act: () => void) => () => {
    if (performance.now() - since > INERT_MS) act();
  };
  return (
    <section class="toast" aria-label={label}>
      <div>
        <p class="toast-by">{by}</p>
        <p class="toast-name" role={alert ? 'alert' : undefined}>
          {name}
        </p>
        {more && <p class="toast-by">{more}</p>}
      </div>
      {icon}
      <div class="toast-do">
        <Quiet onPress={then(putOff.press)}>{putOff.say}</Quiet>
        <Quiet onPress={then(open.press)}>{open.say}</Quiet>
      </div>
    </section>
  );
}
