import { parseExact } from '#shared/json.ts';
import type { Rule, Then, When } from '#shared/policies/rule.ts';

/** Conditions that are names or patterns, one on each line of the form. */
export const LISTED = ['source', 'tool', 'shell', 'agent', 'dialect', 'gate', 'run', 'group'] as const;
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Does = Extract<Then, string> | 'reject' | 'answer' | 'ask-others' | 'decider';

/** What stands in the form of a rule, as text. */
export type Written = Record<(typeof LISTED)[number], string> & {
  name: string;
  args: string;
  kind: string;
  annotation: string;
  askedMin: string;
  askedMax: string;
  from: string;
  to: string;
  days: string[];
  does: Does;
  /** Of what is rejected or answered, whom it asks, or the id of who decides. */
  words: string;
  /** The question that the rule was about is taken out of it. */
  withoutQuestion?: boolean;
  /** As a field for a local date and time holds it; empty: without end. */
  until: string;
};

/** What becomes of it in most rules. */
export const FIRST: Does[] = ['ask', 'approve', 'reject', 'ask-others', 'ask-quietly'];

/** What a rule is about, as the form asks it. */
export type Asks = 'anything' | 'command' | 'tool' | 'text' | 'questions' | 'document' | 'link' | 'actions';

/** What the form shows of this: commands, tools, or one kind. */
export function asksOf({ shell, tool, kind }: Written): Asks {
  if (shell !== '') return 'command';
  if (tool !== '') return 'tool';
  return kind === '' ? 'anything' : (kind.split(' ')[0] as Asks);
}

/** The form of a new rule, or of one that exists. */
export function toWritten(rule: Rule | undefined): Written {
  const { name = '', when = {}, then = 'ask' as Then, until } = rule ?? {};
  const lines = LISTED.map((member) => [member, [when[member] ?? []].flat().join('\n')] as const);
  return {
    ...(Object.fromEntries(lines) as Record<(typeof LISTED)[number], string>),
    name,
    args: when.args === undefined ? '' : JSON.stringify(when.args),
    kind: [when.kind ?? []].flat().join(' '),
    annotation: when.annotation ?? '',
    askedMin: String(when.asked?.min ?? ''),
    askedMax: String(when.asked?.max ?? ''),
    from: when.time?.from ?? '',
    to: when.time?.to ?? '',
    days: when.days ?? [],
    ...doing(then),
    until: until === undefined ? '' : toLocal(until),
  };
}

/** The rule that the form says; undefined where the arguments are no JSON object. What it may not say, the hub refuses. */
export function ruleOfWritten(written: Written, before: Rule | undefined): Rule | undefined {
  const when: Record<string, unknown> = {};
  for (const member of LISTED) {
    const names = written[member].split('\n').filter((line) => line.trim() !== '');
    const one = names.length === 1 && member !== 'shell' && !Array.isArray(before?.when[member]);
    if (names.length > 0) when[member] = one ? names[0] : names;
  }
  const kinds = written.kind.split(' ').filter(Boolean);
  if (kinds.length > 0) when['kind'] = kinds.length === 1 && !Array.isArray(before?.when.kind) ? kinds[0] : kinds;
  // It is written by hand nowhere, and a draft from before it existed keeps it.
  if (before?.when.question && !written.withoutQuestion) when['question'] = before.when.question;
  if (written.args.trim() !== '') {
    const args = parseObject(written.args);
    if (!args) return undefined;
    when['args'] = args;
  }
  if (written.annotation !== '') when['annotation'] = written.annotation;
  const asked = { ...numbered('min', written.askedMin), ...numbered('max', written.askedMax) };
  if (Object.keys(asked).length > 0) when['asked'] = asked;
  if (written.from !== '' || written.to !== '') when['time'] = { from: written.from, to: written.to };
  if (written.days.length > 0) when['days'] = DAYS.filter((day) => written.days.includes(day));
  return {
    name: written.name.trim(),
    when: when as When,
    then: toThen(written),
    ...toEnd(written.until, before?.until),
  };
}

function doing(then: Then): Pick<Written, 'does' | 'words'> {
  if (typeof then === 'string') return { does: then, words: '' };
  if ('reject' in then) return { does: 'reject', words: then.reject };
  if ('answer' in then) return { does: 'answer', words: then.answer };
  if ('decider' in then) return { does: 'decider', words: then.decider };
  return { does: 'ask-others', words: then.ask.join(', ') };
}

function toThen({ does, words }: Written): Then {
  if (does === 'reject') return { reject: words };
  if (does === 'answer') return { answer: words };
  if (does === 'ask-others') return { ask: words.split(/[\s,，、]+/).filter(Boolean) };
  if (does === 'decider') return { decider: words };
  return does;
}

// A field for dates holds minutes: an end that nobody changed keeps its seconds.
function toEnd(until: string, before: string | undefined): Pick<Rule, 'until'> {
  if (until === '') return {};
  if (before !== undefined && toLocal(before) === until) return { until: before };
  const at = new Date(until);
  return { until: Number.isNaN(at.getTime()) ? until : at.toISOString() };
}

function toLocal(until: string): string {
  const at = new Date(until);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

function numbered(member: string, text: string): object {
  return text.trim() === '' ? {} : { [member]: Number(text) };
}

function parseObject(text: string): object | undefined {
  try {
    const value = parseExact(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
