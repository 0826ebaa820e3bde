import { hash } from 'node:crypto';
import type { Resolution } from '#shared/answer.ts';
import { pointer } from '#shared/faults.ts';
import { kindOf } from '#shared/fit.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { canonical, type Json } from '#shared/json.ts';
import { alikeOf, filled, numberedParts } from '#shared/policies/alike.ts';
import type { Rule, When } from '#shared/policies/rule.ts';
import { HARMLESS } from '../../automation/rules/rules.ts';
import { parseCommands } from '../../automation/rules/shell/commands.ts';
import { readEntry } from '../../automation/rules/shell/entry.ts';

/** Of decisions that agree, so many make a rule. */
export const AGREE = 5;
/** Of several that save as much, the one that reaches less far is offered. */
type Reach = 'commands' | 'args' | 'answer' | 'tool';
export type Candidate = { reach: Reach; about: string } & Pick<Rule, 'when' | 'then'>;

const TRIED_MAX = 30;
const EXACT_MAX = 4_000;
const ANSWER_MAX = 2_000;
const COMMANDS_MAX = 50;

type Found = { candidate: Candidate; count: number; commands: Map<string, number> };

/** Collects what several decisions have in common, and says what rules would say the same. */
export function createCandidates() {
  const found = new Map<string, Found>();
  return {
    add(inquiry: Inquiry, did: Resolution): void {
      for (const { commands = [], ...candidate } of toCandidates(inquiry, did)) {
        const key = hash('sha256', canonical([candidate.when, candidate.then, candidate.reach]));
        const known = found.get(key) ?? { candidate, count: 0, commands: new Map<string, number>() };
        known.count += 1;
        for (const text of new Set(commands)) known.commands.set(text, (known.commands.get(text) ?? 0) + 1);
        found.set(key, known);
      }
    },
    /** Those that enough decisions have in common, most first. */
    tried(): Candidate[] {
      return [...found.values()]
        .filter(({ count }) => count >= AGREE)
        .toSorted((a, b) => b.count - a.count)
        .slice(0, TRIED_MAX)
        .flatMap(({ candidate, commands }) => withCommands(candidate, commands));
    },
  };
}

// Each command of such a rule stands in enough lines itself.
function withCommands(candidate: Candidate, commands: Map<string, number>): Candidate[] {
  if (candidate.reach !== 'commands') return [candidate];
  const often = [...commands].filter(([, count]) => count >= AGREE).toSorted(([, a], [, b]) => b - a);
  const shell = often.slice(0, COMMANDS_MAX).map(([text]) => text);
  const named = (entries: string[]) => ({
    ...candidate,
    when: { ...candidate.when, shell: entries },
    about: entries.join(', '),
  });
  return [...(shell.length === 0 ? [] : [named(shell)]), ...alikeIn(commands).map(named)];
}

/** Commands that are the same but for a part like 3/24, which together were approved often enough: each of them. */
function alikeIn(commands: Map<string, number>): string[][] {
  const groups = Map.groupBy(
    [...commands.keys()].flatMap((text) => {
      const words = text.split(' ');
      return words.slice(1).map((_, at) => ({ words, key: `${at} ${words.with(at + 1, '').join(' ')}` }));
    }),
    ({ key }) => key,
  );
  return [...groups.values()].flatMap((group) => {
    const alike = group.length < 3 ? undefined : alikeOf(group.map(({ words }) => words));
    const times = group.reduce((sum, { words }) => sum + (commands.get(words.join(' ')) ?? 0), 0);
    // Of any other number nobody knows that it comes again.
    return alike && times >= AGREE && numberedParts(alike.values) ? [filled(alike)] : [];
  });
}

function toCandidates(inquiry: Inquiry, { outcome, answer = {} }: Resolution): (Candidate & { commands?: string[] })[] {
  if (outcome !== 'answered') return [];
  const { actions, source } = inquiry;
  const own = { source: source.id };
  if (!actions) return answered(inquiry, answer);
  if (actions.some(({ caution }) => caution) || !answer.decisions?.every(({ type }) => type === 'approve')) return [];
  const [first, ...others] = actions;
  // In a rule a star stands for any text.
  if (!first || first.name.includes('*') || others.some(({ name }) => name !== first.name)) return [];
  const when = { ...own, tool: first.name };
  const whole: Candidate = { reach: 'tool', about: first.name, when, then: 'approve' };
  // A rule for every line of a shell would be one for everything.
  const all = actions.some(({ args }) => commandIn(args) !== undefined) ? [] : [whole];
  // What a person read in a diff need not stand in the arguments.
  if (others.length > 0 || first.diff) return all;
  const exact = canonical(first.args);
  if (exact.length > EXACT_MAX) return all;
  const same: Candidate = { ...whole, reach: 'args', when: { ...when, args: { '': { equals: first.args } } } };
  const commands = entriesIn(commandIn(first.args));
  const named = argsBeside(first.args);
  return commands && named
    ? [...all, same, { ...whole, reach: 'commands', when: { ...when, ...named }, commands }]
    : [...all, same];
}

function answered({ source, group, ...asked }: Inquiry, answer: NonNullable<Resolution['answer']>): Candidate[] {
  const [question, ...others] = asked.questions ?? [];
  const value = question && others.length === 0 ? answer.values?.[question.id] : answer.text;
  const kind = kindOf(asked);
  if (typeof value !== 'string' || value.trim() !== value || value === '' || value.length > ANSWER_MAX) return [];
  if (kind !== 'text' && kind !== 'questions') return [];
  const narrowed: When[] = group && !group.includes('*') ? [{ group }, {}] : [{}];
  return narrowed.map((more) => ({
    reach: 'answer',
    about: value,
    when: { source: source.id, kind, ...more },
    then: { answer: value },
  }));
}

function commandIn(args: Json): string | undefined {
  const { command } = (typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {}) as {
    command?: Json;
  };
  return typeof command === 'string' ? command : undefined;
}

// Only what an entry of a rule reads as the same words.
function entriesIn(line: string | undefined): string[] | undefined {
  const commands = line === undefined ? undefined : parseCommands(line);
  const texts = commands?.map((words) => words.join(' '));
  const same = texts?.every((text, at) => {
    const entry = readEntry(text);
    return 'words' in entry && !entry.open && canonical(entry.words) === canonical(commands![at]);
  });
  return same ? texts : undefined;
}

function argsBeside(args: Json): Pick<When, 'args'> | undefined {
  const others = Object.entries(args as Record<string, Json>).filter(
    ([name, value]) => !(Object.hasOwn(HARMLESS, name) && HARMLESS[name]?.(value)),
  );
  if (others.length > 20) return undefined;
  const same = others.map(([name, value]) => [pointer([name]), { equals: value }] as const);
  return same.length === 0 ? {} : { args: Object.fromEntries(same) };
}
