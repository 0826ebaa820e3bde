import { z } from 'zod';
import { JsonValue } from '../answer.ts';
import { idPattern } from '../ids.ts';
import { Option } from '../inquiry.ts';
import { line, num, Num, SourceId } from '../schemas/values.ts';
import { Handle } from '../wire.ts';
import { ClockTime, Days } from './quiet.ts';

/** Rules that one list may hold. */
export const RULES_MAX = 1000;

const STAR = 'in which "*" stands for any text';
const pattern = (max: number) => z.string().min(1).max(max);
const several = <T extends z.ZodType>(one: T, what: string) =>
  z.union([one, z.array(one).min(1).max(100)], { error: `must be ${what}, or a list of them` });
const whole = num(z.int().min(0));

const absolute = z
  .string()
  .max(1000)
  .regex(
    /^(\/(?!\.{0,2}(\/|$))[^/~\\\p{Cc}][^/\\\p{Cc}]*)+$/u,
    'is not an absolute path without "..", "." and "~", like /home/me/project',
  );

export const Comparison = z
  .strictObject({
    equals: JsonValue.describe('The same JSON, each number as it was written.'),
    oneOf: z.array(JsonValue).min(1).max(100).describe('The same JSON as one of these.'),
    matches: pattern(1000).describe(`A text that fits this pattern, ${STAR}.`),
    under: absolute.describe(
      'An absolute path that is this one or lies below it. Whether a relative one does, or one with "..", "~", "//", an escape or what a shell expands, cannot be told, unless it lies elsewhere when taken apart.',
    ),
    min: Num.describe('A number that is this much or more.'),
    max: Num.describe('A number that is this much or less.'),
    apart: z
      .array(z.enum(['description']))
      .min(1)
      .describe('With equals: members of the value that a caller words anew each time, and that may be any text.'),
  })
  .partial()
  .refine((comparison) => Object.keys(comparison).some((name) => name !== 'apart'), 'compares with nothing')
  .meta({
    id: 'Comparison',
    description:
      'What one argument must be; of several comparisons each must hold. Of a value of another JSON type, or that is the same only in another spelling, it cannot be told. Cannot tell fits in a rule that asks, denies or rejects, and in no other.',
  });
export type Comparison = z.infer<typeof Comparison>;

export const QuestionOfRule = z
  .strictObject({
    prompt: z
      .string()
      .max(10_000)
      .refine((text) => text.trim() !== '', 'is empty')
      .describe(
        'What is asked, word for word: the title where it is not made of the rest, the introduction, and of the question its header and prompt; those that are there, with an empty line between two.',
      ),
    options: z
      .array(Option)
      .min(1)
      .max(50)
      .optional()
      .describe('The options of its choice, all of them exactly and in this order; absent: it asks for a text.'),
  })
  .meta({
    id: 'QuestionOfRule',
    description:
      'One question, in its words and with its options. In a rule that approves or answers it is all that is asked: no further question, no form, no choice of several, no links beside it. In any other one such question among several will do, in another spelling too.',
  });
export type QuestionOfRule = z.infer<typeof QuestionOfRule>;

const JSON_POINTER = /^(\/([^~/]|~[01])*)*$/;

export const When = z
  .strictObject({
    source: several(SourceId, 'the id of a source').describe('Which sources ask, by id.'),
    agent: several(pattern(200), 'a pattern').describe(`What the source calls its agent: patterns ${STAR}.`),
    dialect: several(z.string().min(1).max(50), 'the name of a dialect').describe(
      'Through which dialects it was asked.',
    ),
    gate: several(z.string().min(1).max(39), 'the name of a gate').describe(
      'At which gates of this hub a call is held.',
    ),
    tool: several(pattern(200), 'a pattern').describe(`Which tools are called: patterns ${STAR}.`),
    args: z
      .record(z.string().max(500).regex(JSON_POINTER, 'is not a JSON Pointer like /path (RFC 6901)'), Comparison)
      .refine((args) => Object.keys(args).length <= 20, 'has more than 20 entries')
      .describe('What the arguments of the call are, by JSON Pointer; "" is all of them.'),
    shell: z
      .array(pattern(1000))
      .min(1)
      .max(200)
      .describe(
        'The argument /command is a shell line of which every command is one of these, word for word; a last " *" takes ' +
          'further words that are no options. Every other argument but description, timeout and run_in_background has to be ' +
          'named in args by a pointer of one step. It needs tool beside it. In a rule that does not approve, any one command ' +
          'that is one of these will do, by any path and in any case, a last " *" takes options too, and a line fits that is not understood or calls a ' +
          'program that is not known to leave its words unrun, like env, sh and python; without /command none does.',
      ),
    annotation: z
      .enum(['read-only', 'destructive', 'not destructive'])
      .describe('What the tool says of itself, known at a gate of this hub only.'),
    run: several(z.string().min(1).max(200), 'the id of a run').describe(
      'Which runs ask: context.runId, without it context.threadId, word for word.',
    ),
    group: several(pattern(200), 'a pattern').describe(`The group that its source gave it: patterns ${STAR}.`),
    kind: several(z.enum(['text', 'questions', 'document', 'actions', 'link']), 'a kind').describe('What is asked.'),
    question: QuestionOfRule,
    asked: z
      .strictObject({ min: whole.describe('At least so many.'), max: whole.describe('At most so many.') })
      .partial()
      .describe(
        'How many inquiries its run has asked before this one, those of before this condition existed not counted; without a run it never fits.',
      ),
    time: z
      .strictObject({
        from: ClockTime.describe('From this time of day on.'),
        to: ClockTime.describe('To before this time of day.'),
      })
      .refine(({ from, to }) => from !== to, 'ends when it begins; leave it out for the whole day')
      .describe(
        "From this time of day to before that one, past midnight too, in the time zone of the list's person. Without one " +
          'a rule approves nothing by its time, and any other asks.',
      ),
    days: Days.describe(
      "On these days, in the time zone of the list's person; a time past midnight counts from the day on which it began.",
    ),
  })
  .partial()
  .meta({
    id: 'When',
    description: 'To what a rule applies: each condition must hold; without any it applies to everything.',
  });
export type When = z.infer<typeof When>;

const words = z.string().trim().min(1).max(2000);

export const Then = z
  .union(
    [
      z.enum(['approve', 'suggested', 'you-decide', 'unanswered', 'random', 'ask', 'ask-quietly']),
      z.strictObject({ reject: words.describe('Rejects the call, or declines the question, with these words.') }),
      z.strictObject({ answer: words.describe('A text, or the value or label of an option.') }),
      z.strictObject({ ask: z.array(Handle).min(1).max(100).describe('Asks these people instead.') }),
      z.strictObject({
        decider: z
          .string()
          .regex(idPattern('dcd'), 'is not the id of a decider')
          .describe('Lets this decider decide, by its id; people are woken only where it does not.'),
      }),
    ],
    {
      error:
        'must be "approve", "suggested", "you-decide", "unanswered", "random", "ask" or "ask-quietly", or have one member: ' +
        '"reject" or "answer" with words, "ask" with handles, or "decider" with an id',
    },
  )
  .meta({
    id: 'Then',
    description:
      'What becomes of an inquiry to which a rule applies. What does not fit what is asked leaves it to people.',
  });
export type Then = z.infer<typeof Then>;

type Unchecked = { when: When; then: Then };

export const Rule = z
  .strictObject({
    name: line(80).describe('What people read where it decided; no two rules of a list share it.'),
    when: When.describe('To what it applies.'),
    then: Then.describe('What becomes of it.'),
    until: z.iso.datetime({ offset: true }).optional().describe('From this instant on it does nothing.'),
    off: z.literal(true).optional().describe('It is turned off and does nothing; absent: it is on.'),
  })
  .superRefine(({ when, then }: Unchecked, context) => {
    for (const [member, message] of faultsOfThen(when, then))
      context.addIssue({ code: 'custom', path: member, message, input: undefined });
  })
  .meta({ id: 'Rule', description: 'One line of a policy.' });
export type Rule = z.infer<typeof Rule>;

export const Rules = z
  .array(Rule)
  .max(RULES_MAX)
  .superRefine((rules, context) => {
    const names = rules.map(({ name }) => name);
    for (const [at, name] of names.entries())
      if (names.indexOf(name) < at)
        context.addIssue({ code: 'custom', path: [at, 'name'], message: 'stands here twice', input: name });
  })
  .describe('The rules of one list, the first that fits counts.');

export const Policies = z
  .object({
    version: whole.describe('Which version of the list it is; 0: there is none yet.'),
    rules: z.array(Rule).describe('The rules, the first that fits counts.'),
  })
  .meta({ id: 'Policies', description: 'A list of rules; its version says which one.' });
export type Policies = z.infer<typeof Policies>;

export const PutPolicies = z
  .strictObject({
    version: whole.describe('The version that was read; 409 where the list has another one by now.'),
    rules: Rules.describe('All rules, in the order in which they are looked at: the first that fits ends the search.'),
  })
  .meta({ id: 'PutPolicies', description: 'A new list in place of the one with this version; 0: there is none yet.' });
export type PutPolicies = z.infer<typeof PutPolicies>;

/** The conditions of which only a call of a tool has anything. */
const OF_CALLS = ['tool', 'args', 'shell', 'annotation'] as const;

function faultsOfThen(when: When, then: Then): [path: string[], message: string][] {
  if (then === 'approve' && !narrows(when))
    return [[['when'], 'approves everything: name a source, a gate, a dialect, a tool, arguments or commands']];
  if (when.shell && !narrowing(when.tool)) return [[['when', 'shell'], NEEDS_TOOL]];
  if (then !== 'random') return [];
  const one = typeof when.source === 'string' || when.source?.length === 1;
  const calls = OF_CALLS.some((member) => when[member] !== undefined) || [when.kind].flat().includes('actions');
  return [
    ...(one
      ? []
      : [[['when', 'source'], 'must name one source: "random" is for one source only'] as [string[], string]]),
    ...(calls ? [[['then'], 'may not be "random" for actions: chance approves nothing'] as [string[], string]] : []),
  ];
}

function narrows({ source, gate, dialect, shell, tool, args }: When): boolean {
  return (
    [source, gate, dialect, shell].some((names) => names !== undefined) ||
    Object.keys(args ?? {}).length > 0 ||
    narrowing(tool)
  );
}

export const NEEDS_TOOL = 'needs tool beside it: other tools may run a command of that name in their own way';

/** Whether this names some tools, and not all. */
export function narrowing(tool: When['tool']): boolean {
  return [tool ?? []].flat().some((one) => !/^\*+$/.test(one));
}
