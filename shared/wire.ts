import { z } from 'zod';
import { Approvals } from './schemas/approvals.ts';
import { Escalate } from './schemas/escalate.ts';
import { Handles, line, named, ValidFor, WebhookUrl, WebUrl } from './schemas/values.ts';
import { SourceDecider } from './policies/decider.ts';
import { ChangePreferences, Preferences } from './preferences.ts';
import { SubscriptionState } from './push.ts';
import { type OutcomeTextName, unknownVariables, VARIABLES } from './texts/outcomes.ts';

export const Handle = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,38}$/, 'is not a handle: lower-case letters, digits, ".", "_" and "-", at most 39')
  .describe('Handles of people and groups share one namespace.');
export const Name = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}]*$/u, 'holds a control character');
export const Locale = z.enum(['en', 'zh']);
export const Privacy = z.enum(['full', 'title', 'source', 'nothing']);

export const Person = z
  .object({
    id: z.string().describe('Its id.'),
    handle: z.string().describe('What they are asked by.'),
    name: z.string().describe('What people call them.'),
    owner: z.boolean().describe('True: they own this hub.'),
    locale: Locale.optional().describe('The language of their page and notifications; absent: the browser’s.'),
    privacy: Privacy.describe('What a lock screen may show of inquiries that do not say it themselves.'),
    createdAt: z.string().describe('When it was made.'),
  })
  .meta({ id: 'Person', description: 'Somebody who can be asked.' });
export type Person = z.infer<typeof Person>;

export const Device = z
  .object({
    id: z.string().describe('Its id.'),
    name: z.string().describe('What its person calls it.'),
    userAgent: z.string().describe('The browser of the device, as it names itself.'),
    createdAt: z.string().describe('When it was let in.'),
    seenAt: z.string().describe('When it was last used.'),
    expiresAt: z.string().describe('When its token stops counting if it is not used.'),
    live: z.boolean().describe('A page of it is connected now.'),
    current: z.boolean().describe('It is the device that asks.'),
    subscription: SubscriptionState.shape.subscription.describe(
      'How it stands with its notifications; absent: it has no subscription and does not ring.',
    ),
  })
  .meta({ id: 'Device', description: 'A device that is signed in as a person.' });
export type Device = z.infer<typeof Device>;

export const LeftBehind = z
  .object({
    devices: z.array(named('device')).describe('Devices it let in.'),
    people: z
      .array(z.object({ id: z.string().describe('Its id.'), handle: z.string().describe('The handle of the person.') }))
      .describe('People it invited.'),
    sources: z.array(named('source')).describe('Sources it made.'),
    gates: z.array(z.object({ name: z.string().describe('What it is called.') })).describe('Gates it made or changed.'),
    policies: z
      .array(z.object({ of: z.enum(['hub', 'person']).describe('Whose list it is.') }))
      .describe('Lists of rules: of the hub, or of a person.'),
  })
  .meta({
    id: 'LeftBehind',
    description: 'What a device made that was revoked, or changed last: it stays, for its person to look through.',
  });
export type LeftBehind = z.infer<typeof LeftBehind>;

export const Me = z
  .object({
    person: Person.describe('Who I am.'),
    device: Device.describe('This device.'),
    preferences: Preferences.describe('How they want to be asked.'),
    hubTimeZone: z.string().describe('Where times of day are counted for who chose no `timeZone`.'),
  })
  .meta({ id: 'Me', description: 'Who calls: the person, their preferences and this device.' });
export type Me = z.infer<typeof Me>;
export const ChangeMe = z
  .strictObject({
    handle: Handle.describe('A new handle.'),
    name: Name.describe('A new name.'),
    locale: Locale.describe('Another language.'),
    privacy: Privacy.describe('What a lock screen may show of inquiries that do not say it themselves.'),
    preferences: ChangePreferences.describe('What changes of them.'),
  })
  .partial()
  .meta({ id: 'ChangeMe', description: 'What I change of myself; what is absent stays.' });
export const ChangeDevice = z
  .strictObject({ name: Name.describe('The new name.') })
  .meta({ id: 'ChangeDevice', description: 'Another name for a device.' });

const outcomeText = (name: OutcomeTextName) =>
  z
    .string()
    .min(1)
    .max(2000)
    .superRefine((text, context) => {
      const unknown = unknownVariables(name, text);
      const inBraces = (names: readonly string[]) => names.map((one) => `{${one}}`).join(', ');
      if (unknown.length > 0) context.addIssue(`names ${inBraces(unknown)}; it can name ${inBraces(VARIABLES[name])}`);
    });

export const OutcomeTexts = z
  .strictObject({
    declined: outcomeText('declined').describe('Where a person declined.'),
    expired: outcomeText('expired').describe('Where nobody answered in time.'),
    withdrawn: outcomeText('withdrawn').describe('Where it was withdrawn.'),
    youDecide: outcomeText('youDecide').describe('Where a rule hands the decision back to the agent.'),
    byRule: outcomeText('byRule').describe('Follows what a rule decided.'),
    byDecider: outcomeText('byDecider').describe('Follows what a decider decided.'),
  })
  .partial()
  .meta({
    id: 'OutcomeTexts',
    description: "What an agent is told in place of the hub's own words; a member may name its `VARIABLES` in braces.",
  });
export type OutcomeTexts = z.infer<typeof OutcomeTexts>;

export const Source = z
  .object({
    id: z.string().describe('Its id.'),
    name: z.string().describe('What it is called.'),
    owner: z.string().describe('The handle of the owner.'),
    mayAsk: z.array(z.string()).describe('Handles it may ask.'),
    webhookUrl: z.string().optional().describe('Where its webhooks are posted.'),
    webhooksPausedAt: z.string().optional().describe('Its webhooks wait since then, because its owner paused them.'),
    locale: Locale.optional().describe('The language of the texts its agent gets.'),
    texts: OutcomeTexts.optional().describe(
      'What its agent is told when nobody decided, in place of the hub’s own words.',
    ),
    decider: SourceDecider.optional().describe('What a decider may do for it; absent: nothing.'),
    validFor: ValidFor.optional().describe(
      'Seconds for which a call of it may be run after it was approved; absent: a day, or 7 days where no call waits.',
    ),
    escalate: Escalate.optional().describe('Whom it asks too while nobody answers, where its ask does not say it.'),
    approvals: Approvals.optional().describe(
      'How many people have to approve each call of it, or more where its ask says more.',
    ),
    timeouts: z
      .object({
        client: z.number().describe('What the client waited.'),
        hub: z.number().describe('What the hub waited.'),
        device: z.number().describe('What the device waited.'),
        at: z.string().describe('When it was seen last.'),
      })
      .optional()
      .describe(
        'Seconds that its client, the hub and a device waited, where the client gave up first, again and again; `at`: last.',
      ),
    mayAskYolo: z.boolean().optional().describe('It may ask for YOLO for its own calls.'),
    webhookKey: z
      .string()
      .optional()
      .describe('whpk_…, the public key by which a receiver without the secret verifies its webhooks: pin it.'),
    mayProvision: z.boolean().optional().describe('It is a provisioner of the Agent Approval Protocol.'),
    createdAt: z.string().describe('When it was made.'),
    usedAt: z.string().optional().describe('When its key was last used.'),
  })
  .meta({ id: 'Source', description: 'Who asks: an agent platform, with what it may do.' });
export type Source = z.infer<typeof Source>;
export const NewSource = z
  .strictObject({
    name: Name.describe('What people read as the asker.'),
    mayAsk: z.array(Handle).max(100).optional().describe('Handles of people and groups it may ask; absent: the owner.'),
    webhookUrl: WebhookUrl.optional().describe('Where its webhooks are posted.'),
    locale: Locale.optional().describe('The language of the texts its agent gets.'),
    texts: OutcomeTexts.optional().describe(
      'What its agent is told when nobody decided, in place of the hub’s own words.',
    ),
  })
  .meta({ id: 'NewSource', description: 'What the owner sends to make a source.' });
export const ChangeSource = z
  .strictObject({
    webhookUrl: WebhookUrl.nullable().describe(
      'Where webhooks go from now on; what was enqueued before goes where it was to go.',
    ),
    webhooksPaused: z.boolean().describe('Webhooks wait until this is false again, and then have a whole day.'),
    locale: Locale.nullable().describe('The language of the texts its agent gets.'),
    texts: OutcomeTexts.nullable().describe(
      'What its agent is told when nobody decided, in place of the hub’s own words.',
    ),
    decider: SourceDecider.nullable().describe('What a decider may do for it.'),
    validFor: ValidFor.nullable().describe('Seconds for which a call of it may be run after it was approved.'),
    escalate: Escalate.nullable().describe(
      'Whom it asks too while nobody answers, where its ask does not say it; a step that an ask has no use for is left out.',
    ),
    approvals: Approvals.nullable().describe(
      'How many people have to approve each call of it; an ask that reaches fewer is refused.',
    ),
    mayAskYolo: z.boolean().describe('True: it may ask for YOLO for its own calls.'),
    mayProvision: z
      .boolean()
      .describe(
        'True: it makes instances of the Agent Approval Protocol, which may ask whom it may ask, and asks nothing by it.',
      ),
  })
  .partial()
  .meta({
    id: 'ChangeSource',
    description: 'What the owner sends to change a source: null takes a member away, an absent one stays.',
  });
export type ChangeSource = z.infer<typeof ChangeSource>;
export const NewSourceReply = z
  .object({
    source: Source.describe('The source.'),
    key: z.string().describe('Its key, bks_…; shown this once.'),
    webhookSecret: z.string().describe('What its webhooks are signed with; shown this once.'),
  })
  .meta({ id: 'NewSourceReply', description: 'A new source with its key.' });
export type NewSourceReply = z.infer<typeof NewSourceReply>;

export const NewPerson = z
  .strictObject({
    handle: Handle.describe('What they are asked by.'),
    name: Name.optional().describe('What people call them; absent: the handle.'),
    locale: Locale.optional().describe('The language of their page.'),
  })
  .meta({ id: 'NewPerson', description: 'Somebody new.' });
export const NewPersonReply = z
  .object({
    person: Person.describe('The person.'),
    link: z.string().describe('Give it to them: the first device that opens it is theirs.'),
    expiresAt: z.string().describe('When it runs out.'),
  })
  .meta({ id: 'NewPersonReply', description: 'Somebody new with the link that lets their first device in.' });
export type NewPersonReply = z.infer<typeof NewPersonReply>;
export const PersonLink = NewPersonReply.omit({ person: true }).meta({
  id: 'PersonLink',
  description: 'A link that lets a device of a person in.',
});

export const Group = z
  .object({
    id: z.string().describe('Its id.'),
    handle: z.string().describe('What it is asked by.'),
    name: z.string().describe('What it is called.'),
    members: z.array(z.string()).describe('The handles of its members.'),
  })
  .meta({ id: 'Group', description: 'Several people who are asked together.' });
export type Group = z.infer<typeof Group>;
export const NewGroup = z
  .strictObject({
    handle: Handle.describe('What it is asked by.'),
    name: Name.optional().describe('What people call it; absent: the handle.'),
    members: z.array(Handle).max(100).describe('The handles of all its members.'),
  })
  .meta({ id: 'NewGroup', description: 'A group to make.' });
export const ChangeGroup = NewGroup.omit({ handle: true })
  .partial()
  .meta({ id: 'ChangeGroup', description: 'What changes of a group; what is absent stays.' });

export const NewNotice = z
  .strictObject({
    to: Handles.optional().describe('Handles of people or groups. Leave it out for the owner.'),
    title: line(140).describe('One line, at most 140 characters.'),
    body: z.string().max(16_384).optional().describe('More, in Markdown.'),
    link: WebUrl.optional().describe('A page to open.'),
    urgency: z.enum(['low', 'normal', 'high']).default('normal').describe('high only if it must be read now.'),
    privacy: Privacy.default('title').describe('How much a lock screen may show.'),
    key: z.string().min(1).max(200).optional().describe('Makes the call repeatable: the same key is the same notice.'),
  })
  .meta({ id: 'NewNotice', description: 'A one-way message to send.' });

export const Notice = NewNotice.pick({ title: true, body: true, link: true })
  .extend({
    id: z.string().describe('Its id.'),
    urgency: NewNotice.shape.urgency.unwrap().describe('high: it must be read now.'),
    privacy: Privacy.describe('How much a lock screen may show.'),
    source: named('source').describe('Who sent it.'),
    at: z.string().describe('When it came.'),
    readAt: z.string().optional().describe('When it was read.'),
  })
  .meta({ id: 'Notice', description: 'A one-way message.' });
export type Notice = z.infer<typeof Notice>;

/** One page of a list; `nextCursor` absent: the last page. */
export const page = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item).describe('The entries.'),
    nextCursor: z.string().optional().describe('Where the next page begins; absent: this is the last one.'),
  });

/** A list that is always whole. */
export const list = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item).describe('The entries.') });
