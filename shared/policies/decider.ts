import { z } from 'zod';
import { AnswerContent } from '../answer.ts';
import { idPattern } from '../ids.ts';
import { line, Num, WebUrl, type Asked } from '../inquiry.ts';

/** Deciders that one hub may have. */
export const DECIDERS_MAX = 20;

export const DeciderId = z.string().regex(idPattern('dcd'), 'is not the id of a decider');
const whole = (min: number, max: number) => Num.pipe(z.int().min(min).max(max));

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
};
const { name, url, instructions, ...optional } = changeable;

const Kind = z
  .enum(['chat', 'mcp'])
  .describe('"chat" is a chat endpoint as OpenAI’s, "mcp" a tool of an MCP server over HTTP.');

/** What the owner sends to make a decider. */
export const NewDecider = z.strictObject({
  kind: Kind,
  name,
  url,
  instructions,
  ...z.object(optional).partial().shape,
});
export type NewDecider = z.infer<typeof NewDecider>;

/** What the owner sends to change one: an absent member stays; without a key the stored one does, null takes it away. */
export const ChangeDecider = z.strictObject({
  ...z.object(changeable).partial().shape,
  key: changeable.key.nullish(),
});
export type ChangeDecider = z.infer<typeof ChangeDecider>;

/** A decider as the owner reads it. */
export const Decider = z.object({
  id: z.string(),
  kind: Kind,
  name: z.string(),
  url: z.string(),
  model: z.string().optional(),
  tool: z.string().optional(),
  instructions: z.string(),
  hasKey: z.boolean().describe('Whether a key is stored.'),
  holdSeconds: z.int(),
  timeoutSeconds: z.int(),
  changedAt: z.string(),
});
export type Decider = z.infer<typeof Decider>;

/** A decider as every device reads it. */
export const DeciderName = Decider.pick({ id: true, name: true, holdSeconds: true });
export type DeciderName = z.infer<typeof DeciderName>;

/** What a decider may do for one source. */
export const SourceDecider = z.strictObject({
  id: DeciderId,
  suggests: z.boolean().describe('Every question of the source gets a proposal.'),
  actions: z
    .boolean()
    .describe('A decider may decide about tool calls of the source; without it, only answer questions.'),
  agentMayAsk: z.boolean().describe('The source may ask for a decision itself: the MCP tool decide_for_human.'),
});
export type SourceDecider = z.infer<typeof SourceDecider>;

/** Why a decider was asked. */
export const Why = z.enum(['suggested', 'asked', 'instead of declining', 'deadline', 'rule', 'yolo']);
export type Why = z.infer<typeof Why>;

/** What a decider proposes for one inquiry; an inquiry has at most one. */
export const Proposal = z.object({
  id: z.string(),
  inquiryId: z.string(),
  decider: z.object({ id: z.string(), name: z.string() }),
  why: Why,
  state: z
    .enum(['waiting', 'ready', 'failed', 'stopped'])
    .describe('It is being asked, it has answered, it gave no answer that fits, a person kept it from deciding.'),
  at: z.string().describe('Since when it stands here.'),
  answer: AnswerContent.optional(),
  decidesAt: z.string().optional().describe('When it counts unless a person overrules it; absent: it only suggests.'),
  askedBy: z.string().optional().describe('The name of the device on which somebody asked for it.'),
  askedByHandle: z.string().optional().describe('Their user name.'),
  problem: z.string().optional().describe('Why there is no answer: one sentence.'),
});
export type Proposal = z.infer<typeof Proposal>;

/** One time that a decider was asked. */
export const Run = z.object({
  answer: AnswerContent.optional().describe('Fits the inquiry.'),
  problem: z.string().optional().describe('Why there is no answer: one sentence that says what to do.'),
  sent: z.string().describe('What was sent last, without the key.'),
  received: z.string().describe('What came back last, cut where it is long.'),
  ms: z.int(),
  tokensIn: z.int().optional(),
  tokensOut: z.int().optional(),
});
export type Run = z.infer<typeof Run>;

/** A run as it is kept. */
export const DeciderRun = Run.extend({
  id: z.string(),
  decider: Proposal.shape.decider,
  why: z.enum([...Why.options, 'agent']).describe('"agent": its source asked, with decide_for_human.'),
  at: z.string(),
});
export type DeciderRun = z.infer<typeof DeciderRun>;

/**
 * What in an inquiry no decider may decide, however it is asked; undefined where one may. `actions`: the owner lets one
 * decide about tool calls of this source.
 */
export function undecidable(
  asked: Asked,
  { actions }: { actions: boolean },
): 'secret' | 'caution' | 'link' | 'choices' | 'actions' | undefined {
  if (asked.questions?.some((question) => question.type === 'text' && question.secret)) return 'secret';
  if (asked.actions?.some(({ caution }) => caution)) return 'caution';
  if (asked.link) return 'link';
  if (asked.actions?.some(({ allowed }) => allowed.every((type) => type === 'edit'))) return 'choices';
  return asked.actions && !actions ? 'actions' : undefined;
}

/** An example question for a decider: with nothing in it, the hub's own. */
export const TestDecider = z.strictObject({
  prompt: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .optional()
    .describe('A question that takes a text; absent: the hub’s own.'),
});
export type TestDecider = z.infer<typeof TestDecider>;
