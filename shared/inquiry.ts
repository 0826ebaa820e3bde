import { z } from 'zod';
import { AnswerContent, Decision, JsonValue, LateAnswer, Resolution } from './answer.ts';
import { idPattern } from './ids.ts';
import { ASKS, INQUIRIES } from './reference/examples.ts';
import { Context } from './schemas/context.ts';
import { Approvals, Hands } from './schemas/approvals.ts';
import { Escalate, Escalated } from './schemas/escalate.ts';
import {
  Assurance,
  Handles,
  instant,
  JsonObject,
  line,
  markdown,
  named,
  num,
  ValidFor,
  WebhookUrl,
  WebUrl,
} from './schemas/values.ts';

export const Option = z
  .strictObject({
    value: z.string().min(1).max(500).describe('What you get back when it is chosen.'),
    label: z.string().min(1).max(500).describe('What the person reads.'),
    description: z.string().max(2000).optional().describe('What choosing it means.'),
    preview: markdown.optional().describe('A longer text in Markdown, shown when asked for.'),
  })
  .meta({ id: 'Option', description: 'One of several answers.' });
export type Option = z.infer<typeof Option>;

const asked = {
  id: z.string().min(1).max(100).describe('Your name for the question; the answer comes back under it.'),
  header: line(140).optional().describe('A short heading.'),
  prompt: markdown.refine((text) => text.trim() !== '', 'is empty').describe('The question, in Markdown.'),
  required: z.boolean().optional().describe('True: it cannot be skipped.'),
};
const type = <Word extends string>(word: Word) =>
  z
    .literal(word)
    .describe(
      'text: free words. choice: one of the options. multi: several of them. form: fields described by schema.',
    );
const choices = {
  options: z.array(Option).min(1).max(50).describe('For choice and multi.'),
  allowOther: z.boolean().optional().describe('True: the person may write an answer of their own.'),
  min: num(z.int().min(0)).optional().describe('For multi: choose at least so many.'),
  max: num(z.int().min(1)).optional().describe('For multi: choose at most so many.'),
};

export const Question = z
  .discriminatedUnion('type', [
    z.strictObject({
      ...asked,
      type: type('text'),
      multiline: z.boolean().optional().describe('For text: room for several lines.'),
      secret: z.boolean().optional().describe('For text: a password or key; it appears in no list, history or log.'),
    }),
    z.strictObject({ ...asked, ...choices, type: type('choice') }),
    z.strictObject({ ...asked, ...choices, type: type('multi') }),
    z.strictObject({
      ...asked,
      type: type('form'),
      schema: JsonObject.describe('For form: a JSON Schema of an object with plain fields.'),
    }),
  ])
  .meta({ id: 'Question', description: 'One question of an inquiry.' });
export type Question = z.infer<typeof Question>;

export const ActionOption = z
  .strictObject({
    id: z.string().min(1).max(100).describe('Your name for the button; the decision names it as optionId.'),
    label: z.string().min(1).max(200).describe('What the button says.'),
    type: z.enum(['approve', 'reject']).describe('What pressing it decides.'),
    remember: z
      .string()
      .max(500)
      .optional()
      .describe('What you will remember if it is chosen, in words the person reads.'),
    stop: z.boolean().optional().describe('True: you stop altogether if it is chosen.'),
    data: JsonValue.optional().describe('Anything of your own; it comes back unread.'),
  })
  .meta({ id: 'ActionOption', description: 'A button of the sender’s own, in place of plain approve and reject.' });
export type ActionOption = z.infer<typeof ActionOption>;

/** The decisions that a person may take. */
export const Allowed = z
  .array(z.enum(['approve', 'edit', 'reject', 'respond']))
  .min(1)
  .max(4)
  .describe(
    'Which decisions you can follow: approve, edit (with other arguments), reject, respond (words in its place).',
  );

const FileDiff = z
  .strictObject({
    path: z.string().min(1).max(1000).describe('The path of the file.'),
    oldText: z.string().describe('Its text now; empty for a new file.'),
    newText: z.string().describe('Its text afterwards; empty where it is removed.'),
  })
  .meta({ id: 'FileDiff', description: 'What becomes of one file.' });

export const Action = z
  .strictObject({
    id: z.string().min(1).max(200).optional().describe('Your own id of the call; it comes back unread.'),
    name: line(200).describe('The tool.'),
    args: JsonValue.describe('Its exact arguments.'),
    description: markdown.optional().describe('What it does and why you want it, in Markdown.'),
    argsSchema: JsonObject.optional().describe('JSON Schema of the arguments, for those who edit them.'),
    allowed: Allowed,
    options: z
      .array(ActionOption)
      .min(1)
      .max(20)
      .optional()
      .describe('Buttons of your own instead of plain approve and reject.'),
    diff: z.array(FileDiff).max(100).optional().describe('Files it changes, with their old and new text.'),
    caution: z.boolean().optional().describe('True: hard to undo; the person confirms twice.'),
  })
  .meta({ id: 'Action', description: 'A tool call that needs approval.' });
export type Action = z.infer<typeof Action>;

export const Link = z
  .strictObject({
    url: WebUrl.describe('The address of the page.'),
    completes: z
      .enum(['self', 'external'])
      .describe('self: the person says when it is done. external: you withdraw it when you know it is done.'),
  })
  .meta({ id: 'Link', description: 'A page where the person does something, for instance signs in.' });

/** What is asked, and all that the digest covers. */
const askedParts = {
  title: line(140)
    .optional()
    .describe('One line for the lock screen, at most 140 characters. Default: the first line of the prompt.'),
  prompt: markdown
    .optional()
    .describe(
      'What you ask, in Markdown. Alone it is one question with a free answer; beside questions, document, actions or link it is the introduction.',
    ),
  questions: z
    .array(Question)
    .min(1)
    .max(20)
    .optional()
    .describe('Up to 20 questions, answered one by one. Not together with document, actions or link.'),
  document: z
    .strictObject({ markdown: markdown.describe('The text, in Markdown.') })
    .optional()
    .describe('A text to be corrected: the person edits it in place and sends it back.'),
  actions: z
    .array(Action)
    .min(1)
    .max(20)
    .optional()
    .describe('Tool calls that need approval, decided one by one in this order.'),
  link: Link.optional(),
};

const transport = {
  suggested: AnswerContent.optional().describe('The answer you propose, in the form of an answer; one tap sends it.'),
  onExpire: z
    .enum(['expire', 'suggested', 'decider'])
    .optional()
    .describe(
      'When nobody answers in time: expire (default) tells you so; suggested returns your suggestion, marked as such; decider lets the decider of your source decide.',
    ),
  validFor: ValidFor.optional(),
  assurance: Assurance.optional(),
  approvals: Approvals.optional(),
  escalate: Escalate.optional(),
  urgency: z.enum(['low', 'normal', 'high']).optional().describe('high only if waiting does harm.'),
  privacy: z
    .enum(['full', 'title', 'source', 'nothing'])
    .optional()
    .describe('How much a lock screen may show. A person’s own setting counts where it shows less.'),
  group: z.string().min(1).max(200).optional().describe('The same text on several inquiries shows them as one card.'),
  key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Makes the call repeatable: the same key with the same question is the same inquiry.'),
  supersedes: z.string().regex(idPattern('inq')).optional().describe('The inquiryId that this one replaces.'),
  context: Context.optional(),
  rules: z.literal('none').optional().describe('none: people are asked, whatever rules say.'),
  correlation: JsonValue.optional().describe('Anything of your own; it comes back unread.'),
  callback: z
    .strictObject({ url: WebhookUrl.describe('The address, which must be public.') })
    .optional()
    .describe('Where the webhooks of this inquiry go, beside that of the source.'),
};

/** What a source sends. Rules that span several members are in `askFaults`. */
export const Ask = z
  .strictObject({
    to: Handles.optional().describe('Handles of the people or groups to ask. Leave it out to ask the owner.'),
    ...askedParts,
    ...transport,
    deadline: instant
      .optional()
      .describe('Seconds until you can no longer use an answer, or an instant. Default: a day; at most 30 days.'),
    latest: instant
      .optional()
      .describe(
        'Seconds or an instant that no extension passes. Default: the deadline for calls that wait, else 15 minutes after it.',
      ),
  })
  .meta({
    id: 'Ask',
    description: 'What you ask of a person: a prompt, or one of questions, document, actions and link, or both.',
    examples: ASKS,
  });
export type Ask = z.infer<typeof Ask>;

/** The members of an ask that its digest covers. */
export type Asked = Pick<Ask, 'title' | 'prompt' | 'questions' | 'document' | 'actions' | 'link'>;

export const Reach = z
  .object({
    told: z.int().describe('Devices that were told of it.'),
    accepted: z.int().describe('Devices whose page took it, or whose push service did.'),
    shown: z.int().describe('Devices that showed it.'),
    opened: z.int().describe('Devices on which somebody opened it.'),
  })
  .meta({ id: 'Reach', description: 'How many devices an inquiry reached, and how far.' });
export type Reach = z.infer<typeof Reach>;

/** An inquiry as every side reads it. */
export const Inquiry = z
  .object({
    ...askedParts,
    ...transport,
    id: z.string().describe('Its id.'),
    state: z
      .enum(['open', 'answered', 'declined', 'expired', 'withdrawn'])
      .describe('open: it waits. Otherwise how it ended, as resolution.outcome says too.'),
    to: z.array(z.string()).describe('Handles of those who are asked; escalations add to them.'),
    escalated: Escalated.optional(),
    approved: Hands.optional(),
    standing: z
      .array(Decision)
      .optional()
      .describe(
        'To devices only: what those have approved, call by call. Send the same to be the next; an edit of your own starts anew.',
      ),
    title: z.string().describe('The one line it is shown under.'),
    source: named('source').describe('Who asks.'),
    dialect: z
      .object({
        name: z.string().describe('Its name in the address: /v1/ask/{name}.'),
        label: z.string().describe('Its name, to show.'),
      })
      .optional()
      .describe('Through which framework it was asked.'),
    digest: z.string().describe('SHA-256 over what is asked. Who answers actions sends it back.'),
    revision: z.int().describe('Goes up with each change: the deadline moved, it was resolved.'),
    openedAt: z.string().describe('When it was asked.'),
    deadlineAt: z.string().describe('When it expires.'),
    latestAt: z.string().describe('What no extension of the deadline passes.'),
    resolution: Resolution.optional().describe('How it ended; absent: it waits.'),
    collectedAt: z
      .string()
      .optional()
      .describe('With an approval that has an end: when its source first had it; absent: it has not been read.'),
    late: z.array(LateAnswer).optional().describe('Answers that came after it expired or was withdrawn.'),
    reach: Reach,
    assuredBy: z.literal('owner').optional().describe('The owner wants the passkey, and not the ask alone.'),
    quiet: z.boolean().optional().describe('True: a rule wants nobody notified; it only stands in the inbox.'),
    yolo: z.boolean().optional().describe('True: approved, it starts YOLO for the calls of its source.'),
    rule: z
      .looseObject({ name: z.string().describe('The name of the rule.') })
      .optional()
      .describe('To devices only: the rule that settled it, as it was worded then.'),
    lost: z
      .array(LateAnswer)
      .optional()
      .describe('To devices only: answers that lost the race; they stand in the history.'),
    askerGoneAt: z.string().optional().describe('To devices only: since when whoever asked is gone; it may come back.'),
    relayed: z.boolean().optional().describe('True: asked in a relayed stream; devices close it while that is lost.'),
    notPickedUp: z.boolean().optional().describe('To devices only: the call that asked has not picked the answer up.'),
    earlier: z
      .object({ inquiryId: z.string().describe('The id of the earlier inquiry.'), resolution: Resolution })
      .optional()
      .describe('To devices only: an answer to the same question, at most an hour old, that nobody picked up.'),
    notTaken: z.boolean().optional().describe('To devices only: the platform that asked had another answer already.'),
    dismissed: z.boolean().optional().describe('To devices only: this device hid it.'),
    laterAt: z.string().optional().describe('To devices only: this person set it apart until then.'),
    people: z.array(z.string()).optional().describe('To devices only: who is asked, where they are several.'),
    argsText: z.array(z.string()).optional().describe('To devices only: exact arguments that doubles would change.'),
  })
  .meta({
    id: 'Inquiry',
    description: 'Something asked that waits for an answer, or that has ended.',
    examples: INQUIRIES,
  });
export type Inquiry = z.infer<typeof Inquiry>;
