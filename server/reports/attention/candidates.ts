import { hash } from 'node:crypto';
import type { Resolution } from '#shared/answer.ts';
import { pointer } from '#shared/faults.ts';
import { kindOf } from '#shared/fit.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { canonical, type Json } from '#shared/json.ts';
import { alikeOf, filled, numberedParts } from '#shared/policies/alike.ts';
import type { Rule, When } from '#shared/policies/rule.ts';
import { questionsIn } from '../../automation/rules/by-rule.ts';
import { HARMLESS } from '../../automation/rules/rules.ts';
import { parseCommands } from '../../automation/rules/shell/commands.ts';
import { readEntry } from '../../automation/rules/shell/entry.ts';

/** Of decisions that agree, so many make a rule. */
export const AGREE = 5;
export type Candidate = { about: string } & Pick<Rule, 'when' | 'then'>;

const TRIED_MAX = 30;
const EXACT_MAX = 4_000;
const ANSWER_MAX = 2_000;
const COMMANDS_MAX = 50;

/** Of one that is about commands, which of them were decided how often. */
type Found = { candidate: Candidate; count: number; commands: Map<string, number> | undefined };

/** Collects what several decisions have in common, and says what rules would say the same. */
export function createCandidates() {
  const found = new Map<string, Found>();
  return {
    add(inquiry: Inquiry, did: Resolution): void {
      for (const { commands, ...candidate } of toCandidates(inquiry, did)) {
        const key = hash('sha256', canonical([candidate.when, candidate.then]));
        const known = found.get(key) ?? { candidate, count: 0, commands: commands && new Map<string, number>() };
        known.count += 1;
        for (const text of new Set(commands)) known.commands?.set(text, (known.commands.get(text) ?? 0) + 1);
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
function withCommands(candidate: Candidate, commands: Found['commands']): Candidate[] {
  if (!commands) return [candidate];
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
      return words.flatMap((word, at) => {
        // Of any other number nobody knows that it comes again.
        const [, whole] = /^\d+(\/\d+)$/.exec(word) ?? [];
        return whole && at > 0 ? [{ words, key: `${at} ${words.with(at, whole).join(' ')}` }] : [];
      });
    }),
    ({ key }) => key,
  );
  return [...groups.values()].flatMap((group) => {
    const alike = group.length < 3 ? undefined : alikeOf(group.map(({ words }) => words));
    const times = group.reduce((sum, { words }) => sum + (commands.get(words.join(' ')) ?? 0), 0);
    return alike && times >= AGREE && numberedParts(alike.values) ? [filled(alike)] : [];
  });
}

type Offered = Candidate & { commands?: string[] };

function toCandidates(inquiry: Inquiry, { outcome, answer = {} }: Resolution): Offered[] {
  if (outcome !== 'answered') return [];
  const { actions, source } = inquiry;
  if (!actions) return answered(inquiry, answer);
  if (actions.some(({ caution }) => caution) || !answer.decisions?.every(({ type }) => type === 'approve')) return [];
  const [first, ...others] = actions;
  // In a rule a star stands for any text. What a person read in a diff need not stand in the arguments.
  if (!first || first.name.includes('*') || actions.some(({ diff }) => diff)) return [];
  const exact = canonical([first.name, first.args]);
  if (exact.length > EXACT_MAX || others.some(({ name, args }) => canonical([name, args]) !== exact)) return [];
  const when = { source: source.id, tool: first.name };
  const one = { about: first.name, then: 'approve' as const };
  const same = { ...one, when: { ...when, args: { '': { equals: first.args } } } };
  const commands = entriesIn(commandIn(first.args));
  const named = argsBeside(first.args);
  // Of two that save as much the first is offered.
  return commands && named ? [{ ...one, when: { ...when, ...named }, commands }, same] : [same];
}

function answered(inquiry: Inquiry, answer: NonNullable<Resolution['answer']>): Offered[] {
  const [asked, ...others] = questionsIn(inquiry);
  if (!asked?.whole || others.length > 0) return [];
  const { question } = asked;
  const [only] = inquiry.questions ?? [];
  const value = only ? answer.values?.[only.id] : answer.text;
  if (typeof value !== 'string' || value.trim() !== value || value === '' || value.length > ANSWER_MAX) return [];
  if (canonical(question).length > EXACT_MAX) return [];
  const when = { source: inquiry.source.id, kind: kindOf(inquiry), question };
  return [{ about: question.prompt, when, then: { answer: value } }];
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
