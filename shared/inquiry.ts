import { z } from 'zod';
import { AnswerContent, JsonValue, LateAnswer, Resolution } from './answer.ts';
import { idPattern } from './ids.ts';
import { isRaw, plain } from './json.ts';

const asNumber = (value: unknown) => (isRaw(value) ? plain(value) : value);

/** A JSON object, kept verbatim. */
export const JsonObject = z.preprocess(asNumber, z.record(z.string(), z.unknown()));

/** A number that may have arrived as its source text ("60.0"). */
export const Num = z.preprocess(asNumber, z.number());

/** The id of a source. */
export const SourceId = z.string().regex(idPattern('src'), 'is not the id of a source');

/** Plain text on one line. */
export const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, 'holds a control character');
const bytes = (max: number) => (text: string) => new TextEncoder().encode(text).length <= max;
const markdown = z.string().refine(bytes(65_536), 'is longer than 64 KiB');
/** The address of a page. */
export const WebUrl = z.url({ protocol: /^https?$/ }).max(2048);
/** Where webhooks go. */
export const WebhookUrl = WebUrl.refine(
  (url) => !URL.canParse(url) || !/^https?:\/\/[^/]*@/.test(new URL(url).href),
  'holds a user name or password; put a token into its path or query instead, or check the signature of the webhooks',
);
const INSTANT = 'must be seconds from now or an instant like 2027-01-31T12:00:00Z';
const instant = z.union([Num.pipe(z.number().positive()), z.iso.datetime({ offset: true, error: INSTANT })], {
  error: INSTANT,
});

export const Option = z.strictObject({
  value: z.string().min(1).max(500),
  label: z.string().min(1).max(500),
  description: z.string().max(2000).optional(),
  preview: markdown.optional(),
});
export type Option = z.infer<typeof Option>;

const asked = {
  id: z.string().min(1).max(100),
  header: line(140).optional(),
  prompt: markdown.refine((text) => text.trim() !== '', 'is empty'),
  required: z.boolean().optional(),
};
const choices = {
  options: z.array(Option).min(1).max(50),
  allowOther: z.boolean().optional(),
  min: Num.pipe(z.int().min(0)).optional(),
  max: Num.pipe(z.int().min(1)).optional(),
};

export const Question = z.discriminatedUnion('type', [
  z.strictObject({
    ...asked,
    type: z.literal('text'),
    multiline: z.boolean().optional(),
    secret: z.boolean().optional(),
  }),
  z.strictObject({ ...asked, ...choices, type: z.literal('choice') }),
  z.strictObject({ ...asked, ...choices, type: z.literal('multi') }),
  z.strictObject({ ...asked, type: z.literal('form'), schema: JsonObject }),
]);
export type Question = z.infer<typeof Question>;

export const ActionOption = z.strictObject({
  id: z.string().min(1).max(100),
  label: z.string().min(1).max(200),
  type: z.enum(['approve', 'reject']),
  remember: z.string().max(500).optional(),
  stop: z.boolean().optional(),
  data: JsonValue.optional(),
});
export type ActionOption = z.infer<typeof ActionOption>;

/** The decisions that a person may take. */
export const Allowed = z
  .array(z.enum(['approve', 'edit', 'reject', 'respond']))
  .min(1)
  .max(4);

export const Action = z.strictObject({
  id: z.string().min(1).max(200).optional(),
  name: line(200),
  args: JsonValue,
  description: markdown.optional(),
  argsSchema: JsonObject.optional(),
  allowed: Allowed,
  options: z.array(ActionOption).min(1).max(20).optional(),
  diff: z
    .array(z.strictObject({ path: z.string().min(1).max(1000), oldText: z.string(), newText: z.string() }))
    .max(100)
    .optional(),
  caution: z.boolean().optional(),
});
export type Action = z.infer<typeof Action>;

export const Link = z.strictObject({ url: WebUrl, completes: z.enum(['self', 'external']) });

export const Context = z.strictObject({
  agent: z.string().max(200).optional(),
  threadId: z.string().max(200).optional(),
  runId: z.string().max(200).optional(),
  cwd: z.string().max(1000).optional(),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'is not a language tag (BCP 47)')
    .optional(),
  links: z
    .array(z.strictObject({ label: line(200), url: WebUrl }))
    .max(20)
    .optional(),
});

/** What is asked, and all that the digest covers. */
const askedParts = {
  title: line(140).optional(),
  prompt: markdown.optional(),
  questions: z.array(Question).min(1).max(20).optional(),
  document: z.strictObject({ markdown }).optional(),
  actions: z.array(Action).min(1).max(20).optional(),
  link: Link.optional(),
};

const transport = {
  suggested: AnswerContent.optional(),
  onExpire: z.enum(['expire', 'suggested', 'decider']).optional(),
  urgency: z.enum(['low', 'normal', 'high']).optional(),
  privacy: z.enum(['full', 'title', 'source', 'nothing']).optional(),
  group: z.string().min(1).max(200).optional(),
  key: z.string().min(1).max(200).optional(),
  supersedes: z.string().regex(idPattern('inq')).optional(),
  context: Context.optional(),
  /** "none": people are asked, whatever rules say. */
  rules: z.literal('none').optional(),
  correlation: JsonValue.optional(),
  callback: z.strictObject({ url: WebhookUrl }).optional(),
};

/** What a source sends. Rules that span several members are in `askFaults`. */
export const Ask = z.strictObject({
  to: z.array(z.string().min(1).max(100)).min(1).max(100).optional(),
  ...askedParts,
  ...transport,
  deadline: instant.optional(),
  latest: instant.optional(),
});
export type Ask = z.infer<typeof Ask>;

/** The members of an ask that its digest covers. */
export type Asked = Pick<Ask, 'title' | 'prompt' | 'questions' | 'document' | 'actions' | 'link'>;

export const Reach = z.object({ told: z.int(), accepted: z.int(), shown: z.int(), opened: z.int() });
export type Reach = z.infer<typeof Reach>;

/** An inquiry as every side reads it. */
export const Inquiry = z.object({
  ...askedParts,
  ...transport,
  id: z.string(),
  to: z.array(z.string()),
  title: z.string(),
  source: z.object({ id: z.string(), name: z.string() }),
  /** Through which framework it was asked. */
  dialect: z.object({ name: z.string(), label: z.string() }).optional(),
  digest: z.string(),
  revision: z.int(),
  openedAt: z.string(),
  deadlineAt: z.string(),
  latestAt: z.string(),
  resolution: Resolution.optional(),
  late: z.array(LateAnswer).optional(),
  reach: Reach,
  /** A rule wants nobody woken by it: it only stands in the inbox. */
  quiet: z.boolean().optional(),
  /** Approved, it starts YOLO for the calls of its source. */
  yolo: z.boolean().optional(),
  /** To devices only: the rule that settled it, as it was worded then. */
  rule: z.looseObject({ name: z.string() }).optional(),
  /** To devices only: answers that lost the race; they stand in the history. */
  lost: z.array(LateAnswer).optional(),
  /** To devices only: the platform that asked had another answer already. */
  notTaken: z.boolean().optional(),
  /** To devices only: this device hid it. */
  dismissed: z.boolean().optional(),
  /** To devices only: the exact JSON text of each action's arguments, where a double would change a number. */
  argsText: z.array(z.string()).optional(),
});
export type Inquiry = z.infer<typeof Inquiry>;
