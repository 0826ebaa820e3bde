import type { Json } from '#shared/json.ts';
import { isRaw } from '#shared/json.ts';
import type { Kind } from '#shared/fit.ts';
import type { QuestionOfRule, When } from '#shared/policies/rule.ts';
import { folded, foldedPattern } from './folded.ts';
import { firstCommand, readEntry } from './shell/entry.ts';

/** What a tool says of itself, as far as rules look at it. */
export type Annotations = { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined };

/** What rules look at of one inquiry. */
export type Asking = {
  sourceId: string;
  kind: Kind;
  /** The calls it asks about, in order; none where it asks something else. */
  calls: { name: string; args: Json }[];
  agent?: string | undefined;
  subagent?: string | undefined;
  dialect?: string | undefined;
  group?: string | undefined;
  /** The run that asks, else its thread. */
  run?: string | undefined;
  /** The gate of this hub that holds the call, and what its tool says of itself. */
  gate?: { name: string; annotations?: Annotations | undefined } | undefined;
  /** The questions that it asks in words, called only where a rule looks at them. */
  questions?: (() => readonly InWords[]) | undefined;
  /** How many inquiries its run has asked before, called only where all else fits; undefined: it names no run. */
  asked?: (() => number | undefined) | undefined;
  now: number;
};
export type Call = Asking['calls'][number];
/** One question that is asked; `whole`: nothing else is asked or shown beside it, and one text or option answers it. */
export type InWords = { question: QuestionOfRule; whole: boolean };

export type TextOf = (asking: Asking, call: Call | undefined) => string | undefined;

const NAMED = ['source', 'gate', 'dialect', 'run', 'kind'] as const;
const PATTERNS = ['tool', 'agent', 'group'] as const;
/** The texts that rules look at, by the condition that does; one for an agent looks at its sub-agent too. */
export const TEXTS: Record<(typeof NAMED | typeof PATTERNS)[number] | 'subagent', TextOf> = {
  source: ({ sourceId }) => sourceId,
  gate: ({ gate }) => gate?.name,
  dialect: ({ dialect }) => dialect,
  run: ({ run }) => run,
  kind: ({ kind }) => kind,
  tool: (_asking, call) => call?.name,
  agent: ({ agent }) => agent,
  subagent: ({ subagent }) => subagent,
  group: ({ group }) => group,
};

/** A look at the text with this name: whether it begins with one of these. */
type Look = { of: string; textOf: TextOf; begins: string[] };
/** What a rule needs: that one of these looks finds something. */
type Beginning = Look[];

// What is longer is looked up by its beginning, as each length is a look-up of its own.
const LONGEST = 100;

/**
 * Looks up the places of the rules that may fit what is asked, in their order. Of a thousand rules nearly all are left
 * out without a look at them: most of what trying one takes is waiting for memory. `grants`: nothing fits the rule of
 * which a condition cannot be told.
 */
export function mayFit(rules: { when: When; grants: boolean }[]): (asking: Asking, call: Call | undefined) => number[] {
  const needed = rules.map(({ when, grants }) => toBeginnings(when, grants));
  const uses = new Map<string, number>();
  const usesOf = (one: Beginning) => one.flatMap(({ of, begins }) => begins.map((begin) => `${of} ${begin}`));
  for (const use of needed.flat().flatMap(usesOf)) uses.set(use, (uses.get(use) ?? 0) + 1);
  const shared = (one: Beginning) =>
    usesOf(one).reduce((sum, use) => sum + (uses.get(use) ?? 0), 0) / usesOf(one).length;
  const always: number[] = [];
  const texts = new Map<string, { textOf: TextOf; places: Map<string, number[]> }>();
  for (const [at, beginnings] of needed.entries()) {
    // The one that tells it best from the other rules.
    const [rarest] = beginnings.toSorted((a, b) => shared(a) - shared(b));
    if (!rarest) {
      always.push(at);
      continue;
    }
    for (const { of, textOf, begins } of rarest) {
      const { places } = texts.get(of) ?? { places: new Map<string, number[]>() };
      for (const begin of begins) {
        const known = places.get(begin);
        if (known) known.push(at);
        else places.set(begin, [at]);
      }
      texts.set(of, { textOf, places });
    }
  }
  const looked = [...texts.values()].map(({ textOf, places }) => ({
    textOf,
    places,
    lengths: [...new Set([...places.keys()].map(({ length }) => length))],
  }));
  return (asking, call) => {
    const found = looked.flatMap(({ textOf, places, lengths }) => {
      const text = textOf(asking, call);
      return text === undefined ? [] : lengths.flatMap((length) => places.get(text.slice(0, length)) ?? []);
    });
    return found.length === 0 ? always : [...new Set([...always, ...found])].toSorted((a, b) => a - b);
  };
}

type Needed = (Omit<Look, 'begins'> & { begins: unknown })[];

/** What has to begin how where these conditions hold, or, in a rule that grants nothing, where they cannot be told. */
function toBeginnings({ args = {}, shell, ...when }: When, grants: boolean): Beginning[] {
  const { tool } = when;
  const all: Needed[] = [
    ...NAMED.map((of) => [{ of, textOf: TEXTS[of], begins: when[of] }]),
    ...PATTERNS.flatMap((of) => {
      const looks = both(of, TEXTS[of], when[of]);
      if (of === 'agent') return either(looks, both('subagent', TEXTS.subagent, when.agent));
      return of === 'tool' && tool !== undefined && !grants ? orFolded(looks, tool) : looks;
    }),
    ...(grants ? ofArguments(args, shell) : []),
  ];
  return all.flatMap((looks) => {
    const cut = looks.map(({ begins, ...one }) => ({
      ...one,
      begins: [begins].flat().map((begin) => (typeof begin === 'string' ? begin.slice(0, LONGEST) : '')),
    }));
    return cut.some(({ begins }) => begins.includes('')) ? [] : [cut];
  });
}

function ofArguments(args: NonNullable<When['args']>, shell: When['shell']): Needed[] {
  const entries = shell?.map((text) => readEntry(text));
  return [
    ...Object.entries(args).flatMap(([pointer, { equals, oneOf = [equals], matches, under }]): Needed[] => {
      const path = parsePointer(pointer);
      const textOf: TextOf = (_asking, call) => textIn(call, path);
      if (under === undefined && matches !== undefined) return both(pointer, textOf, matches);
      return [[{ of: pointer, textOf, begins: under ?? oneOf }]];
    }),
    [
      {
        of: 'shell',
        textOf: (_asking, call) => joinWords(firstCommand(textIn(call, ['command']) ?? '')),
        begins: entries?.flatMap((entry) => ('words' in entry ? (joinWords(entry.words) ?? '') : [])),
      },
    ],
  ];
}

/** What a text that fits one of these patterns begins with, and what it ends with: read from its end, that is a beginning too. */
function both(of: string, textOf: TextOf, given: string | string[] | undefined): Needed[] {
  const patterns = given === undefined ? undefined : [given].flat();
  const backward: TextOf = (asking, call) => reversed(textOf(asking, call)?.slice(-LONGEST));
  return [
    [{ of, textOf, begins: patterns?.map((pattern) => pattern.split('*')[0] ?? '') }],
    [
      {
        of: `${of} end`,
        textOf: backward,
        begins: patterns?.map((pattern) => reversed(pattern.split('*').at(-1)) ?? ''),
      },
    ],
  ];
}

/** The same for a name that may be another spelling of one that fits. */
function orFolded(looks: Needed[], tool: string | string[]): Needed[] {
  const textOf: TextOf = (_asking, call) => call && folded(call.name);
  return either(looks, both('tool folded', textOf, [tool].flat().map(foldedPattern)));
}

function either(looks: Needed[], others: Needed[]): Needed[] {
  return looks.map((look, at) => [...look, ...(others[at] ?? [])]);
}

function reversed(text: string | undefined): string | undefined {
  return text?.split('').toReversed().join('');
}

function joinWords(words: string[] | undefined): string | undefined {
  return words?.join('\0');
}

function textIn(call: Call | undefined, path: string[]): string | undefined {
  const value = call && valueAt(call.args, path);
  return typeof value === 'string' ? value : undefined;
}

/** The steps of a JSON Pointer. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What lies there within a value; undefined where nothing does. */
export function valueAt(value: unknown, path: string[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || isRaw(found) || !Object.hasOwn(found, step)) return undefined;
    if (Array.isArray(found) && !/^(0|[1-9]\d*)$/.test(step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}
