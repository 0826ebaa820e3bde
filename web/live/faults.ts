import { signal } from '@preact/signals';

/**
 * What is wrong with this device or its network: `unkept`, something written here is lost when the page is closed;
 * `portal`, the network replies in the hub's place; `polled`, no live line comes about though the hub replies, so what is open
 * is read every few seconds; `damaged`, an answer that was kept could not be read and was not sent; `undoneHere`, an answer
 * was taken back, and other pages of this browser could not be told.
 */
export type Fault = 'unkept' | 'portal' | 'polled' | 'damaged' | 'undoneHere';
export const faults = signal<ReadonlySet<Fault>>(new Set());

/** Notes that it is so, or no longer. */
export function note(fault: Fault, isSo: boolean): void {
  const next = new Set(faults.peek());
  next[isSo ? 'add' : 'delete'](fault);
  if (next.size !== faults.peek().size) faults.value = next;
}
