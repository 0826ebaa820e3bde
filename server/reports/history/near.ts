import { alikeOf, filled } from '#shared/policies/alike.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { canonical } from '#shared/json.ts';
import type { Near } from '#shared/policies/preview.ts';
import { Rule } from '#shared/policies/rule.ts';
import { prepare, type List } from '../../automation/rules/rules.ts';
import { parseCommands } from '../../automation/rules/shell/commands.ts';
import { readEntry, type Entry } from '../../automation/rules/shell/entry.ts';

/** Fewer calls that differ in one word make no pattern. */
const LEAST = 3;
const NEAR_MAX = 500;

type Missed = { inquiry: Inquiry; words: string[]; judge: (list: List) => 'fits' | 'differs' | undefined };

/**
 * Collects commands that a rule which approves does not fit although they are like one that it names, and says which
 * further entries would cover those that differ in one word: exactly what was approved, and never a command that was
 * decided otherwise.
 */
export function createNear(rule: Rule | undefined, timeZone: string) {
  const named = rule?.then === 'approve' ? (rule.when.shell ?? []) : [];
  const entries = named.flatMap((text) => {
    const entry = readEntry(text, 'fence');
    return 'words' in entry ? [{ text, entry }] : [];
  });
  const missed: Missed[] = [];
  return {
    add(inquiry: Inquiry, judge: Missed['judge']): void {
      const words = entries.length > 0 && missed.length < NEAR_MAX ? commandIn(inquiry) : undefined;
      if (words && entries.some(({ entry }) => isNear(entry, words))) missed.push({ inquiry, words, judge });
    },
    found(): Near | undefined {
      if (!rule) return undefined;
      for (const group of groupsOf(missed)) {
        const found = alikeOf(group.map(({ words }) => words));
        // What is shown is all that is covered.
        const alike = found && alikeOf(filled(found).map((text) => text.split(' ')));
        if (!alike) continue;
        const open = entries.find(({ text, entry }) => entry.open && text && isNear(entry, alike.words));
        const covered = filled(alike);
        const kept = named.filter((text) => text !== open?.text && !covered.includes(text));
        const shell = [...kept, ...covered];
        const better = { ...rule, when: { ...rule.when, shell } };
        if (!Rule.safeParse(better).success || !shell.every(isExact)) continue;
        const list = prepare([better], timeZone);
        const judged = missed.map(({ judge, inquiry }) => ({ id: inquiry.id, is: judge(list) }));
        const ids = judged.flatMap(({ id, is }) => (is === 'fits' ? [id] : []));
        if (ids.length < LEAST || judged.some(({ is }) => is === 'differs')) continue;
        return { ids, shell, alike };
      }
      return undefined;
    },
  };
}

function commandIn({ actions = [] }: Inquiry): string[] | undefined {
  const [action, ...others] = actions;
  if (!action || others.length > 0 || action.caution || action.diff) return undefined;
  const { args } = action;
  const line = typeof args === 'object' && args !== null && !Array.isArray(args) ? args['command'] : undefined;
  const [words, ...more] = (typeof line === 'string' ? parseCommands(line) : undefined) ?? [];
  return words && more.length === 0 && isExact(words.join(' '), words) ? words : undefined;
}

/** Whether this text is an entry for one command and no other; with `words`, for this one. */
function isExact(text: string, words?: unknown): boolean {
  const entry = readEntry(text);
  // Of an entry that is open the rules themselves say whether it may be.
  return (
    'words' in entry && (typeof words !== 'object' || (!entry.open && canonical(entry.words) === canonical(words)))
  );
}

function isNear({ words: own, open }: Entry, words: readonly string[]): boolean {
  const apart = own.filter((word, at) => words[at] !== word).length;
  return open ? apart === 0 && words.length >= own.length : words.length === own.length && apart <= 1;
}

/** Those that differ in one place, the most first. */
function groupsOf(missed: Missed[]): Missed[][] {
  const groups = new Map<string, Missed[]>();
  for (const one of missed)
    for (let at = 1; at < one.words.length; at++) {
      const key = canonical([at, one.words.with(at, '')]);
      const group = groups.get(key) ?? [];
      group.push(one);
      groups.set(key, group);
    }
  return [...groups.values()].filter(({ length }) => length >= LEAST).toSorted((a, b) => b.length - a.length);
}
