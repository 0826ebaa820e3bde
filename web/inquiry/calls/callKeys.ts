import { ownChoices } from '#shared/fit.ts';
import type { Action } from '#shared/inquiry.ts';
import type { CallReply, Reply } from '../reply/state.ts';
import type { Keys } from '../useKeys.ts';
import { decide } from './deciding.ts';

/**
 * The keys that decide the call that has the focus, or the first without a decision, and go on to the next; up and down
 * only go. Where a call may be replied to, no letter decides, and beside words that are open one is written into them.
 */
export function callKeys(
  actions: readonly Action[],
  reply: Reply,
  change: (update: (reply: Reply) => Reply) => void,
): Pick<Keys, 'y' | 'n' | 'e' | 'up' | 'down' | 'write'> {
  const pick = (type: NonNullable<CallReply['type']>, onward: boolean) => () => {
    const at = here(reply);
    const action = actions[at];
    if (!action) return;
    const own = ownChoices(action, type);
    const option = own.find(({ remember }) => remember === undefined);
    if (own.length > 0 ? !option : !action.allowed.includes(type)) return;
    change((before) => decide(before, at, { type, ...(option ? { optionId: option.id } : {}) }));
    if (onward) show(Math.min(at + 1, actions.length - 1));
    else
      requestAnimationFrame(() => callAt(at)?.querySelector<HTMLElement>('textarea, input:not([type=radio])')?.focus());
  };
  const step = (by: number) => () => {
    const focused = focusedCall();
    show(focused === undefined ? 0 : Math.min(Math.max(focused + by, 0), actions.length - 1));
  };
  const replies = actions.some(({ allowed }) => allowed.includes('respond'));
  return {
    ...(replies || reply.calls.some(hasWords) ? { write: () => writeBeside() || replies } : {}),
    y: pick('approve', true),
    n: pick('reject', true),
    e: pick('edit', false),
    up: step(-1),
    down: step(1),
  };
}

function hasWords({ type }: CallReply): boolean {
  return type !== undefined && type !== 'approve';
}

// True beside a decision that words are written to: they get the focus, but for arguments, of which none is meant more.
function writeBeside(): boolean {
  const call = callAt(focusedCall() ?? -1);
  const own = call === document.activeElement ? null : call?.querySelector('.call-own');
  own?.querySelector<HTMLElement>(':scope > textarea')?.focus();
  return own != null;
}

function here(reply: Reply): number {
  const first = reply.calls.findIndex(({ type }) => type === undefined);
  return focusedCall() ?? Math.max(first, 0);
}

function focusedCall(): number | undefined {
  const [, at] = /^call-(\d+)$/.exec(document.activeElement?.closest('li[id^=call-]')?.id ?? '') ?? [];
  return at === undefined ? undefined : Number(at);
}

function callAt(at: number): HTMLElement | null {
  return document.getElementById(`call-${at}`);
}

function show(at: number): void {
  callAt(at)?.focus({ preventScroll: true });
  callAt(at)?.scrollIntoView({ block: 'nearest' });
}
