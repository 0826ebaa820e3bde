import { signal } from '@preact/signals';
import { ownChoices } from '#shared/fit.ts';
import type { Decision } from '#shared/answer.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import { fitting } from '#shared/policies/pattern.ts';
import type { Rule } from '#shared/policies/rule.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { me } from '../../live/session.ts';
import { serverNow } from '../../ui/clock.ts';
import { readList } from '../../policies/lists.ts';
import { runKey } from '../many/bunches.ts';

/** Why a call is never decided together with others. */
export type Apart = 'caution' | 'passkey' | 'approved' | 'edited' | 'several' | 'files' | 'yolo' | 'rule';
export type Verdict = 'approve' | 'reject' | 'decline';

/** The class of all that is not a call: of any source, for it can only be declined together. */
export const QUESTION = 'question';

/**
 * One class of what may be decided together: calls of the same source, run, folder and tool with the same possible
 * decisions, or whatever is not a call.
 */
export function likeness(entry: InquiryEntry): { key: string } | { apart: Apart } {
  const { inquiry } = entry;
  const [action, ...more] = inquiry.actions ?? [];
  if (!action) return { key: QUESTION };
  if (action.caution || more.some(({ caution }) => caution)) return { apart: 'caution' };
  if (inquiry.assurance === 'passkey') return { apart: 'passkey' };
  if (inquiry.approved?.some(({ by }) => by.personId === me.value?.person.id)) return { apart: 'approved' };
  if (inquiry.standing?.some(({ type }) => type === 'edit')) return { apart: 'edited' };
  // Several calls and changed files are read in their own inquiry.
  if (more.length > 0) return { apart: 'several' };
  if (action.diff?.length) return { apart: 'files' };
  // Approved, it approves others unseen.
  if (inquiry.yolo) return { apart: 'yolo' };
  if (isExcluded(inquiry)) return { apart: 'rule' };
  const options = (action.options ?? []).map(({ type, label, remember, stop }) => [type, label, remember, stop]);
  const { cwd } = inquiry.context ?? {};
  return {
    key: JSON.stringify([
      runKey(entry),
      cwd,
      action.name,
      action.allowed.toSorted(),
      options,
      inquiry.approvals?.count,
    ]),
  };
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
export function decisionKey(action: Action | undefined, type: 'approve' | 'reject'): Decision | undefined {
  if (!action) return undefined;
  const own = ownChoices(action, type);
  if (own.length > 0) {
    const option = own.find(({ remember, stop }) => remember === undefined && !stop);
    return option && { type, optionId: option.id };
  }
  return (action.options ?? []).length === 0 && action.allowed.includes(type) ? { type } : undefined;
}

/** Rules by which people are asked about a tool, whatever it is called with; undefined until they were asked for. */
export const excluding = signal<readonly Rule[] | 'unread' | undefined>(undefined);

/**
 * Reads whom one's own rules, and for the owner those of the hub, want asked; 'unread' where that failed. Without a line
 * what was read before goes on to count.
 */
export async function readExcluding(online: boolean): Promise<void> {
  if (online) excluding.value = undefined;
  const lists = await Promise.all([readList('me'), readList('hub')]);
  // Only the owner may read those of the hub.
  if (lists.some(({ problem }) => problem && problem.status !== 403)) {
    excluding.value ??= 'unread';
    return;
  }
  const rules = lists.flatMap(({ ok }) => ok?.rules ?? []);
  excluding.value = rules.filter((rule) => asks(rule.then) && names(rule) && !isOver(rule, serverNow()));
}

/** True for a call of a tool that somebody wanted to be asked about: it is not decided with others. */
function isExcluded({ source, actions = [] }: Pick<Inquiry, 'source' | 'actions'>): boolean {
  const rules = Array.isArray(excluding.value) ? (excluding.value as readonly Rule[]) : [];
  return rules.some(
    ({ when }) =>
      (when.source === undefined || [when.source].flat().includes(source.id)) &&
      [when.tool ?? []].flat().some((pattern) => actions.some(({ name }) => fitting(pattern)(name))),
  );
}

function asks(then: Rule['then']): boolean {
  return typeof then === 'object' ? 'ask' in then : then === 'ask' || then === 'ask-quietly';
}

// One that looks at arguments is about some calls of the tool only.
function names({ when: { tool, args, shell } }: Rule): boolean {
  return !args && !shell && [tool ?? []].flat().some((pattern) => !/^\*+$/.test(pattern));
}

function isOver({ until }: Rule, now: number): boolean {
  return until !== undefined && Date.parse(until) <= now;
}
