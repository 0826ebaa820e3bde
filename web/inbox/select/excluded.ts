import { signal } from '@preact/signals';
import type { Inquiry } from '#shared/inquiry.ts';
import { fitting } from '#shared/policies/pattern.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { readList } from '../../policies/lists.ts';

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
  excluding.value = rules.filter((rule) => asks(rule.then) && names(rule) && !isOver(rule, Date.now()));
}

/** True for a call of a tool that somebody wanted to be asked about: it is not decided with others. */
export function isExcluded({ source, actions = [] }: Pick<Inquiry, 'source' | 'actions'>): boolean {
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
