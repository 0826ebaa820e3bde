import { signal } from '@preact/signals';
import type { HistoryFilter } from '#shared/history.ts';

/** Which of the history is shown: one of the words in the head. */
export type Kind = 'all' | 'mine' | 'rule' | 'decider' | 'expired' | 'late';
export type When = 'any' | 'today' | 'week' | 'month' | 'between';

/** What is sought; `from` and `until` are days as a date field writes them, and count when `when` is "between". */
export type Search = {
  words: string;
  kind: Kind;
  source: string;
  /** The id of a rule, where that one's are sought. */
  rule?: string | undefined;
  when: When;
  from: string;
  until: string;
};

export const everything: Search = { words: '', kind: 'all', source: '', when: 'any', from: '', until: '' };

/** Kept while the page is open, so that a look at one inquiry does not lose it; another person begins anew. */
export const search = signal<Search>(everything);

let seeker: string | undefined;

/** Begins anew when it is another person who looks. */
export function seekAs(personId: string | undefined): void {
  if (seeker !== personId) search.value = everything;
  seeker = personId;
}

const DAY_MS = 86_400_000;
const KINDS: Record<Kind, HistoryFilter> = {
  all: {},
  mine: { by: 'me' },
  rule: { by: 'rule' },
  decider: { by: 'decider' },
  late: { late: 'true' },
  expired: { outcome: 'expired' },
};

/** The search as the hub takes it; days begin and end at midnight of this device. */
export function toFilter({ words, kind, source, rule, when, from, until }: Search, now: number): HistoryFilter {
  const q = words.trim();
  return {
    ...KINDS[kind],
    ...(q === '' ? {} : { q }),
    ...(source === '' ? {} : { source }),
    ...(rule !== undefined && kind === 'rule' ? { rule } : {}),
    ...times(when, from, until, now),
  };
}

function times(when: When, from: string, until: string, now: number): Pick<HistoryFilter, 'after' | 'before'> {
  switch (when) {
    case 'any':
      return {};
    case 'today':
      return { after: new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString() };
    case 'week':
    case 'month':
      return { after: new Date(now - (when === 'week' ? 7 : 30) * DAY_MS).toISOString() };
    case 'between': {
      const [after, last] = [midnight(from, 0), midnight(until, 1)];
      return { ...(after ? { after } : {}), ...(last ? { before: last } : {}) };
    }
  }
}

// The midnight that begins the day, or that so many days later.
function midnight(day: string, later: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date + later).toISOString();
}
