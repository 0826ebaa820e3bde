import { z } from 'zod';
import { AnswerContent } from '../answer.ts';
import { idPattern } from '../ids.ts';
import type { Ask, Asked } from '../inquiry.ts';
import { line, num, orNull, WebUrl } from '../schemas/values.ts';

/** Deciders that one hub may have. */
export const DECIDERS_MAX = 20;

export const DeciderId = z.string().regex(idPattern('dcd'), 'is not the id of a decider');
const whole = (min: number, max: number) => num(z.int().min(min).max(max));

const withoutPassword = (text: string) => !URL.canParse(text) || !/^https?:\/\/[^/]*@/.test(new URL(text).href);

const changeable = {
  name: line(80)
    .refine((text) => text.trim() !== '', 'is empty')
    .describe('What people read where it proposes or has decided; no two deciders share it.'),
  url: WebUrl.refine(withoutPassword, 'holds a user name or password: give a key instead').describe(
    'Of "chat": where its API begins, as its clients write it, https://api.example.com/v1; of "mcp": the MCP server.',
  ),
  model: z.string().trim().min(1).max(200).describe('Of "chat": which model is asked.'),
  tool: z.string().trim().min(1).max(200).describe('Of "mcp": which tool is called.'),
  instructions: z.string().trim().min(1).max(20_000).describe('How it is to decide, in the words of the owner.'),
  key: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, 'is not a key: printable ASCII without spaces')
    .describe('Its key, sent as "Authorization: Bearer"; stored sealed, and never read again.'),
  holdSeconds: whole(0, 300).describe('So long its decision is shown before it counts; 20 where none is given.'),
  timeoutSeconds: whole(5, 120).describe('So long it has for one answer, all tries together; 30 where none is given.'),
  off: z.boolean().describe('True: it is turned off and asked about nothing, as if it were not there.'),
};
const { name, url, instructions, ...optional } = changeable;

const Kind = z
  .enum(['chat', 'mcp'])
  .describe('"chat" is a chat endpoint as OpenAI’s, "mcp" a tool of an MCP server over HTTP.');

export const NewDecider = z
  .strictObject({
    kind: Kind.describe('What kind it is.'),
    name,
    url,
    instructions,
    ...z.object(optional).partial().shape,
  })
  .meta({ id: 'NewDecider', description: 'What the owner sends to make a decider.' });
export type NewDecider = z.infer<typeof NewDecider>;

export const ChangeDecider = z
  .strictObject({
    ...z.object(changeable).partial().shape,
    key: orNull(changeable.key),
  })
  .meta({
    id: 'ChangeDecider',
    description:
      'What the owner sends to change one: an absent member stays; without a key the stored one does, null takes it away.',
  });
export type ChangeDecider = z.infer<typeof ChangeDecider>;

export const Decider = z
  .object({
    id: z.string().describe('Its id.'),
    kind: Kind.describe('What kind it is.'),
    name: z.string().describe('What people read where it decides.'),
    url: z.string().describe('Where it is asked.'),
    model: z.string().optional().describe('Which model is asked.'),
    tool: z.string().optional().describe('Which tool is called.'),
    instructions: z.string().describe('How it is to decide, in the words of the owner.'),
    hasKey: z.boolean().describe('Whether a key is stored.'),
    holdSeconds: z.int().describe('So long its decision is shown before it counts.'),
    timeoutSeconds: z.int().describe('So long it has for one answer.'),
    off: z.boolean().optional().describe('True: it is turned off and asked about nothing; absent: it is on.'),
    changedAt: z.string().describe('When it was changed last.'),
  })
  .meta({ id: 'Decider', description: 'A decider as the owner reads it.' });
export type Decider = z.infer<typeof Decider>;

/** A decider as every device reads it. */
export const DeciderName = Decider.pick({ id: true, name: true, holdSeconds: true, off: true });
export type DeciderName = z.infer<typeof DeciderName>;

export const SourceDecider = z
  .strictObject({
    id: DeciderId.describe('The id of the decider.'),
    suggests: z.boolean().describe('Every question of the source gets a proposal.'),
    actions: z
      .boolean()
      .describe('A decider may decide about tool calls of the source; without it, only answer questions.'),
    agentMayAsk: z.boolean().describe('The source may ask for a decision itself: the MCP tool decide_for_human.'),
    afterDecline: z
      .boolean()
      .optional()
      .describe('It may ask so after a person declined, too: about questions, never about calls. Absent: no.'),
  })
  .meta({ id: 'SourceDecider', description: 'What a decider may do for one source.' });
export type SourceDecider = z.infer<typeof SourceDecider>;

export const Why = z
  .enum(['suggested', 'asked', 'instead of declining', 'deadline', 'rule', 'yolo'])
  .describe('Why a decider was asked.');
export type Why = z.infer<typeof Why>;

export const Proposal = z
  .object({
    id: z.string().describe('Its id.'),
    inquiryId: z.string().describe('The id of the inquiry.'),
    decider: z
      .object({ id: z.string().describe('Its id.'), name: z.string().describe('What it is called.') })
      .describe('Who proposes.'),
    why: Why.describe('Why it was asked.'),
    state: z
      .enum(['waiting', 'ready', 'failed', 'stopped'])
      .describe('It is being asked, it has answered, it gave no answer that fits, a person kept it from deciding.'),
    at: z.string().describe('Since when it stands here.'),
    answer: AnswerContent.optional().describe('What it would answer.'),
    decidesAt: z.string().optional().describe('When it counts unless a person overrules it; absent: it only suggests.'),
    askedBy: z.string().optional().describe('The name of the device on which somebody asked for it.'),
    askedByHandle: z.string().optional().describe('Their user name.'),
    problem: z.string().optional().describe('Why there is no answer: one sentence.'),
  })
  .meta({ id: 'Proposal', description: 'What a decider proposes for one inquiry; an inquiry has at most one.' });
export type Proposal = z.infer<typeof Proposal>;

export const Run = z
  .object({
    answer: AnswerContent.optional().describe('Fits the inquiry.'),
    problem: z.string().optional().describe('Why there is no answer: one sentence that says what to do.'),
    sent: z.string().describe('What was sent last, without the key.'),
    received: z.string().describe('What came back last, cut where it is long.'),
    ms: z.int().describe('How long it took, in milliseconds.'),
    tokensIn: z.int().optional().describe('Tokens it read, as it says.'),
    tokensOut: z.int().optional().describe('Tokens it wrote, as it says.'),
  })
  .meta({ id: 'Run', description: 'One time that a decider was asked.' });
export type Run = z.infer<typeof Run>;

export const DeciderRun = Run.extend({
  id: z.string().describe('Its id.'),
  decider: Proposal.shape.decider.describe('Who was asked.'),
  why: z.enum([...Why.options, 'agent']).describe('"agent": its source asked, with decide_for_human.'),
  at: z.string().describe('When it was.'),
}).meta({ id: 'DeciderRun', description: 'A run as it is kept.' });
export type DeciderRun = z.infer<typeof DeciderRun>;

/**
 * What in an inquiry no decider may decide, however it is asked; undefined where one may. `actions`: the owner lets one
 * decide about tool calls of this source.
 */
export function undecidable(
  asked: Asked & Pick<Ask, 'assurance' | 'approvals'>,
  { actions }: { actions: boolean },
): 'secret' | 'passkey' | 'hands' | 'caution' | 'link' | 'choices' | 'actions' | undefined {
  if (asked.questions?.some((question) => question.type === 'text' && question.secret)) return 'secret';
  if (asked.assurance === 'passkey') return 'passkey';
  if (asked.approvals) return 'hands';
  if (asked.actions?.some(({ caution }) => caution)) return 'caution';
  if (asked.link) return 'link';
  if (asked.actions?.some(({ allowed }) => allowed.every((type) => type === 'edit'))) return 'choices';
  return asked.actions && !actions ? 'actions' : undefined;
}

export const TestDecider = z
  .strictObject({
    prompt: z
      .string()
      .trim()
      .min(1)
      .max(20_000)
      .optional()
      .describe('A question that takes a text; absent: the hub’s own.'),
  })
  .meta({ id: 'TestDecider', description: "An example question for a decider: with nothing in it, the hub's own." });
export type TestDecider = z.infer<typeof TestDecider>;
