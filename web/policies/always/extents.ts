import { readArgsText } from '../../live/inquiries.ts';
import { ownChoices } from '#shared/fit.ts';
import type { Action, ActionOption, Inquiry } from '#shared/inquiry.ts';
import { type Json, parseExact } from '#shared/json.ts';
import { freeName } from '#shared/policies/names.ts';
import type { Preview } from '#shared/policies/preview.ts';
import type { Comparison, Rule, When } from '#shared/policies/rule.ts';
import { splitSegments } from '../../inquiry/calls/command.ts';
import { decide } from '../../inquiry/calls/deciding.ts';
import type { Reply } from '../../inquiry/reply/state.ts';

/** How far an "always" reaches, the narrowest first. */
export type Extent = 'commands' | 'alike' | 'args' | 'tool' | 'run';
export type End = 'tonight' | 'hour' | 'week';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
const NIGHT = 22;

/**
 * How calls like these could be approved from now on; nothing where a rule never approves: calls with caution, those
 * that others are asked about too, and those that may not simply be approved.
 */
export function listExtents(inquiry: Inquiry, handle: string | undefined): Map<Extent, When> {
  const { actions = [], source, to, rules, context } = inquiry;
  const found = new Map<Extent, When>();
  if (actions.length === 0 || rules === 'none' || to.length !== 1 || to[0] !== handle) return found;
  if (!actions.every(isPlainlyApproved)) return found;
  // What a person read in a diff need not stand in the arguments.
  const args = actions.length === 1 && !actions[0]?.diff ? exactArgs(inquiry) : undefined;
  const own = { source: source.id };
  const names = [...new Set(actions.map(({ name }) => name))];
  const [tool = '', ...others] = names;
  // In a rule a star stands for any text.
  if (!names.some((name) => name.includes('*'))) {
    const commands = commandsIn(args);
    const offered: [Extent, When][] = [
      ...(commands ? [['commands', { ...own, tool, ...commands }] as [Extent, When]] : []),
      ...(args === undefined ? [] : [['args', { ...own, tool, args: { '': sameAs(args) } }] as [Extent, When]]),
    ];
    // Each of several commands would be approved alone, and in any order.
    if ((commands?.shell?.length ?? 0) > 1) offered.reverse();
    for (const [one, when] of offered) found.set(one, when);
    found.set('tool', { ...own, tool: others.length === 0 ? tool : names });
  }
  const run = context?.runId ?? context?.threadId;
  if (run) found.set('run', { ...own, run, kind: 'actions' });
  return found;
}

/** Whether such calls can be approved by a rule at all. */
export function offersAlways(inquiry: Inquiry, handle: string | undefined): boolean {
  return inquiry.assurance !== 'passkey' && listExtents(inquiry, handle).size > 0;
}

/** When it ends; the night begins at 22:00, and once it is near it lasts until 04:00. */
export function endAt(end: End, now: number): string {
  if (end === 'hour') return new Date(now + HOUR).toISOString();
  if (end === 'week') return new Date(now + WEEK).toISOString();
  const evening = new Date(now).setHours(NIGHT, 0, 0, 0);
  const morning = new Date(evening + 6 * HOUR).setHours(4, 0, 0, 0);
  return new Date(evening - now >= HOUR ? evening : morning).toISOString();
}

/** The rule, under a name that none of these has. */
export function ruleFor(when: When, until: string, source: string, taken: readonly Rule[]): Rule {
  const { shell, tool, run = [] } = when;
  const what = shell ?? (tool === undefined ? [run].flat().map((id) => `run ${id}`) : [tool].flat());
  return { name: freeName(`${source}: ${what.join(', ')}`, taken), when, then: 'approve', until };
}

/**
 * The list with this rule before the others that approve, after all that ask or reject, and without what said the same
 * and has ended: what somebody excluded stays excluded.
 */
export function withFirst(rules: readonly Rule[], rule: Rule, now: number): Rule[] {
  const isOver = ({ when, then, until }: Rule) =>
    until !== undefined &&
    Date.parse(until) <= now &&
    JSON.stringify([when, then]) === JSON.stringify([rule.when, rule.then]);
  const left = rules.filter((one) => !isOver(one));
  return left.toSpliced(left.findLastIndex(({ then }) => excludes(then)) + 1, 0, rule);
}

function excludes(then: Rule['then']): boolean {
  return typeof then === 'object' ? 'ask' in then || 'reject' in then : then === 'ask' || then === 'ask-quietly';
}

/** The reply that approves each call as the rule will: with none of the sender's own choices that stick. */
export function approvedPlainly({ actions = [] }: Inquiry, reply: Reply): Reply {
  return actions.reduce((all, action, at) => {
    const option = plainChoice(action);
    return decide(all, at, { type: 'approve', ...(option ? { optionId: option.id } : {}) });
  }, reply);
}

/** How often this person approved what the rule fits, within the last week. */
export function approvedAlike({ items }: Preview, handle: string | undefined, now: number): number {
  return items.filter(
    ({ would, did, differs, openedAt }) =>
      would !== undefined &&
      !differs &&
      did.by.kind === 'person' &&
      did.by.handle === handle &&
      now - Date.parse(openedAt) < WEEK,
  ).length;
}

function isPlainlyApproved(action: Action): boolean {
  if (action.caution) return false;
  return action.options ? plainChoice(action) !== undefined : action.allowed.includes('approve');
}

function plainChoice(action: Action): ActionOption | undefined {
  return ownChoices(action, 'approve').find(({ remember, stop }) => !remember && !stop);
}

function exactArgs(inquiry: Inquiry): Json | undefined {
  try {
    return parseExact(readArgsText(inquiry, 0)) as Json;
  } catch {
    return undefined;
  }
}

/** The same arguments; what an agent says about a command is worded anew each time. */
function sameAs(args: Json): Comparison {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return { equals: args };
  const { description, ...rest } = args;
  const isCommand = typeof rest['command'] === 'string' && typeof description === 'string';
  return isCommand ? { equals: rest, apart: ['description'] } : { equals: args };
}

const HARMLESS = ['command', 'description', 'timeout', 'run_in_background'];
const ENTRY_MAX = 1000;
const LEADS = ['$', '&&', '||', ';', '|'];
// Words that every shell reads as they are written.
const PLAIN = /^[\w./:@%+,=-]+$/;

// The hub reads a command by itself: what is offered here and is none there, it refuses.
function commandsIn(args: Json | undefined): Pick<When, 'shell' | 'args'> | undefined {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return undefined;
  const { command } = args;
  const segments = typeof command === 'string' ? (splitSegments(command) ?? []) : [];
  const shell = [...new Set(segments.map(({ words }) => words.join(' ')))];
  const plain = segments.every(
    ({ lead, words: [program = '', ...words] }) =>
      LEADS.includes(lead) && /^[\w./][\w./-]*$/.test(program) && words.every((word) => PLAIN.test(word)),
  );
  if (shell.length === 0 || !plain || shell.some((text) => text.length > ENTRY_MAX)) return undefined;
  const others = Object.entries(args).filter(([name]) => !HARMLESS.includes(name));
  if (others.length > 20) return undefined;
  const pointer = (name: string) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const same = others.map(([name, value]) => [pointer(name), { equals: value }] as const);
  return { shell, ...(same.length === 0 ? {} : { args: Object.fromEntries(same) }) };
}
