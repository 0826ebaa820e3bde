import { openInquiryId, takesWords } from '../../live/inquiries.ts';
import { dismiss } from '../../live/store.ts';
import { isHeld } from '../../ui/held-key.ts';
import { go } from '../../ui/place.ts';
import { neighbours } from './neighbours.ts';

const ROW = 'a.entry, a.row';
// Where words can be written no letter walks: it was meant to be typed.
const FIELDS = '.inquiry :is(textarea, [contenteditable], input:not([type=radio], [type=checkbox]))';
// Nor right after others, as when typing runs on.
const PAUSE_MS = 600;

/** Arrows walk the list and from inquiry to inquiry, Delete puts the focused one away on this device; returns how to stop. */
export function listenForKeys(onHelp: () => void): () => void {
  let typedAt = -Infinity;
  const hear = (event: KeyboardEvent) => {
    const walks = event.key === 'j' || event.key === 'k';
    const act = isFree(event) && (!walks || event.timeStamp - typedAt > PAUSE_MS) ? actOf(event, onHelp) : undefined;
    if (!act) return;
    event.preventDefault();
    act();
  };
  const note = ({ key, timeStamp }: KeyboardEvent) => {
    if (!/^([jk]|Arrow.*)$/.test(key)) typedAt = timeStamp;
  };
  // What is typed in fields too.
  addEventListener('keydown', note, true);
  addEventListener('keydown', hear);
  return () => {
    removeEventListener('keydown', note, true);
    removeEventListener('keydown', hear);
  };
}

function isFree(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.defaultPrevented || isHeld(event) || event.isComposing || event.metaKey || event.ctrlKey || event.altKey)
    return false;
  if (document.querySelector('dialog[open]')) return false;
  return !(target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=toolbar]'));
}

function actOf({ key, target }: KeyboardEvent, onHelp: () => void): (() => void) | undefined {
  const open = openInquiryId.peek() !== undefined;
  const entry = target instanceof Element ? target.closest(ROW) : null;
  switch (key) {
    case '?':
      return open && (!entry || takesWords.peek()) ? undefined : onHelp;
    case 'ArrowLeft':
      return inquiryAct(open ? neighbours().before?.id : undefined);
    case 'ArrowRight':
      return inquiryAct(open ? neighbours().after?.id : undefined);
    case 'k':
    case 'j':
      return takesWords.peek() || document.querySelector(FIELDS)
        ? undefined
        : stepAct(key === 'j' ? 1 : -1, open, entry);
    case 'ArrowUp':
      return entry || !open ? entryAct(entry, -1) : undefined;
    case 'ArrowDown':
      return entry || !open ? entryAct(entry, 1) : undefined;
    case 'Delete':
    case 'Backspace':
      return entry instanceof HTMLAnchorElement ? awayAct(entry) : undefined;
    default:
      return undefined;
  }
}

function stepAct(by: 1 | -1, open: boolean, entry: Element | null): (() => void) | undefined {
  if (entry || !open) return entryAct(entry, by);
  return inquiryAct(by === 1 ? neighbours().after?.id : neighbours().before?.id);
}

function inquiryAct(id: string | undefined): (() => void) | undefined {
  return id === undefined ? undefined : () => go(`/i/${id}`);
}

function entryAct(from: Element | null, by: 1 | -1): (() => void) | undefined {
  const to = entryBeside(from, by);
  return to && (() => to.focus());
}

function entryBeside(from: Element | null, by: 1 | -1): HTMLAnchorElement | undefined {
  const entries = [...document.querySelectorAll<HTMLAnchorElement>(ROW)].filter((entry) => entry.checkVisibility());
  return entries[from ? entries.indexOf(from as HTMLAnchorElement) + by : 0];
}

function awayAct(entry: HTMLAnchorElement): () => void {
  return () => {
    (entryBeside(entry, 1) ?? entryBeside(entry, -1))?.focus();
    void dismiss(decodeURIComponent(entry.pathname.slice('/i/'.length)));
  };
}
