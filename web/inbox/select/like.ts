import { ownChoices } from '#shared/fit.ts';
import type { Decision } from '#shared/answer.ts';
import type { Action } from '#shared/inquiry.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { isExcluded } from './excluded.ts';
import { runKey } from '../many/bunches.ts';

/** Why a question is never decided together with others. */
export type Apart = 'question' | 'caution' | 'several' | 'files' | 'yolo' | 'rule';
export type Verdict = 'approve' | 'reject' | 'decline';

/** One class of calls that may be decided together: same source, run and folder, same tool, same possible decisions. */
export function likeness(entry: InquiryEntry): { key: string } | { apart: Apart } {
  const { inquiry } = entry;
  const [action, ...more] = inquiry.actions ?? [];
  if (!action) return { apart: 'question' };
  if (action.caution || more.some(({ caution }) => caution)) return { apart: 'caution' };
  // Several calls and changed files are read in their own inquiry.
  if (more.length > 0) return { apart: 'several' };
  if (action.diff?.length) return { apart: 'files' };
  // Approved, it approves others unseen.
  if (inquiry.yolo) return { apart: 'yolo' };
  if (isExcluded(inquiry)) return { apart: 'rule' };
  const options = (action.options ?? []).map(({ type, label, remember, stop }) => [type, label, remember, stop]);
  const { cwd } = inquiry.context ?? {};
  return { key: JSON.stringify([runKey(entry), cwd, action.name, action.allowed.toSorted(), options]) };
}

/** All that are like one another, the largest class of the list; at least two. */
export function largestClass(entries: readonly InquiryEntry[]): InquiryEntry[] {
  const classes = new Map<string, InquiryEntry[]>();
  for (const entry of entries) {
    const like = likeness(entry);
    if ('key' in like) classes.set(like.key, [...(classes.get(like.key) ?? []), entry]);
  }
  const [most = []] = [...classes.values()].toSorted((a, b) => b.length - a.length);
  return most.length > 1 ? most : [];
}

/** The decision that a verdict is for this call; undefined where its sender does not take it. */
export function decisionOf(action: Action | undefined, type: 'approve' | 'reject'): Decision | undefined {
  if (!action) return undefined;
  const own = ownChoices(action, type);
  if (own.length > 0) {
    const option = own.find(({ remember, stop }) => remember === undefined && !stop);
    return option && { type, optionId: option.id };
  }
  return (action.options ?? []).length === 0 && action.allowed.includes(type) ? { type } : undefined;
}
