import { z } from 'zod';
import { line, WebhookUrl, WebUrl } from './inquiry.ts';
import { SourceDecider } from './policies/decider.ts';
import { ChangePreferences, Preferences } from './preferences.ts';
import { SubscriptionState } from './push.ts';
import { type Told, unknownVariables, VARIABLES } from './texts/outcomes.ts';

/** Handles of people and groups share one namespace. */
export const Handle = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,38}$/, 'is not a handle: lower-case letters, digits, ".", "_" and "-", at most 39');
export const Name = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}]*$/u, 'holds a control character');
export const Locale = z.enum(['en', 'zh']);
export const Privacy = z.enum(['full', 'title', 'source', 'nothing']);

export const Person = z.object({
  id: z.string(),
  handle: z.string(),
  name: z.string(),
  owner: z.boolean(),
  locale: Locale.optional(),
  privacy: Privacy,
  createdAt: z.string(),
});
export type Person = z.infer<typeof Person>;

export const Device = z.object({
  id: z.string(),
  name: z.string(),
  userAgent: z.string(),
  createdAt: z.string(),
  seenAt: z.string(),
  expiresAt: z.string(),
  /** A page of it is connected now. */
  live: z.boolean(),
  /** It is the device that asks. */
  current: z.boolean(),
  /** How it stands with its notifications; absent: it has no subscription and does not ring. */
  subscription: SubscriptionState.shape.subscription,
});
export type Device = z.infer<typeof Device>;

/** What a device made that was revoked, or changed last: it stays, for its person to look through. */
export const LeftBehind = z.object({
  devices: z.array(z.object({ id: z.string(), name: z.string() })),
  people: z.array(z.object({ id: z.string(), handle: z.string() })),
  sources: z.array(z.object({ id: z.string(), name: z.string() })),
  gates: z.array(z.object({ name: z.string() })),
  /** Lists of rules: of the hub, or of a person. */
  policies: z.array(z.object({ of: z.enum(['hub', 'person']) })),
});
export type LeftBehind = z.infer<typeof LeftBehind>;

export const Me = z.object({ person: Person, device: Device, preferences: Preferences });
export type Me = z.infer<typeof Me>;
export const ChangeMe = z
  .strictObject({ handle: Handle, name: Name, locale: Locale, privacy: Privacy, preferences: ChangePreferences })
  .partial();
export const ChangeDevice = z.strictObject({ name: Name });

/** With a device's token: make a link for another device. Without: ask to sign in with the person's handle. */
export const NewEnrolment = z.strictObject({ handle: z.string().min(1).max(100), deviceName: Name }).partial();
/** `waiting`: no device is signed in, so that none can be asked; the link of the first one is where the hub was started. */
export const FirstEnrolment = z.object({ waiting: z.boolean() });
export type FirstEnrolment = z.infer<typeof FirstEnrolment>;
/**
 * Whether another device can open the hub at `address`: `ok`; `local`: it names the device that opens it; `plain`: no
 * https, so without notifications; `other`: the hub is started for `detail`; `unreachable`: `detail` says why.
 */
export const AddressCheck = z.object({
  address: z.string(),
  verdict: z.enum(['ok', 'local', 'plain', 'other', 'unreachable', 'unreadable']),
  detail: z.string().optional(),
});
export type AddressCheck = z.infer<typeof AddressCheck>;
/** Reply to a signed-in device: the secret stands in the link's fragment. */
export const EnrolmentLink = z.object({ enrolmentId: z.string(), link: z.string(), expiresAt: z.string() });
export type EnrolmentLink = z.infer<typeof EnrolmentLink>;
/** A device that asks to sign in; shown on every signed-in device of the person. */
export const AccessRequest = z.object({
  enrolmentId: z.string(),
  deviceName: z.string(),
  userAgent: z.string(),
  address: z.string(),
  expiresAt: z.string(),
});
export type AccessRequest = z.infer<typeof AccessRequest>;
/** Reply to an access request, the same for a handle nobody has. */
export const AccessRequested = z.object({ enrolmentId: z.string(), expiresAt: z.string() });
export type AccessRequested = z.infer<typeof AccessRequested>;
/** Reply to `allow`: the six digits to type on the new device. */
export const EnrolmentAllowed = z.object({ code: z.string(), expiresAt: z.string() });
/** `confirm` on the device that made the link: the number that the new device shows. */
export const ConfirmEnrolment = z.strictObject({ number: z.string().regex(/^\d{2}$/) });
/** Exactly one of: `secret` (a link), `enrolmentId` + `code` (an access request), `enrolmentId` + `claim` (waiting for `confirm`), `jwt`. */
export const RedeemEnrolment = z
  .strictObject({
    secret: z.string().max(200),
    enrolmentId: z.string().max(64),
    code: z.string().max(20),
    claim: z.string().max(200),
    jwt: z.string().max(16_384),
    deviceName: Name,
  })
  .partial();
/** 200: the device is in. Its token is shown this once. */
export const Enrolled = z.object({ deviceId: z.string(), accessToken: z.string(), person: Person });
export type Enrolled = z.infer<typeof Enrolled>;
/** 202: show `number`; ask again with `claim` until 200. */
export const Claimed = z.object({
  enrolmentId: z.string(),
  claim: z.string(),
  number: z.string(),
  expiresAt: z.string(),
});
export type Claimed = z.infer<typeof Claimed>;
/** One link or access request, for a device that asks how far it came. `numbers` only to the device that made the link, while it must pick one. */
export const EnrolmentState = AccessRequest.extend({
  kind: z.enum(['link', 'knock']),
  state: z.enum(['open', 'claimed', 'confirmed', 'allowed', 'used', 'refused', 'expired']),
  allowedOn: z.string().optional(),
  numbers: z.array(z.string()).optional(),
});
export type EnrolmentState = z.infer<typeof EnrolmentState>;

const outcomeText = (name: Told) =>
  z
    .string()
    .min(1)
    .max(2000)
    .superRefine((text, context) => {
      const unknown = unknownVariables(name, text);
      const inBraces = (names: readonly string[]) => names.map((one) => `{${one}}`).join(', ');
      if (unknown.length > 0) context.addIssue(`names ${inBraces(unknown)}; it can name ${inBraces(VARIABLES[name])}`);
    });

/** What an agent is told in place of the hub's own words; a member may name its `VARIABLES` in braces. */
export const OutcomeTexts = z
  .strictObject({
    declined: outcomeText('declined'),
    expired: outcomeText('expired'),
    withdrawn: outcomeText('withdrawn'),
    /** A rule hands the decision back. */
    youDecide: outcomeText('youDecide'),
    /** Follows what a rule decided. */
    byRule: outcomeText('byRule'),
    /** Follows what a decider decided. */
    byDecider: outcomeText('byDecider'),
  })
  .partial();
export type OutcomeTexts = z.infer<typeof OutcomeTexts>;

export const Source = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string(),
  /** Handles it may ask. */
  mayAsk: z.array(z.string()),
  webhookUrl: z.string().optional(),
  /** Its webhooks wait since then, because its owner paused them. */
  webhooksPausedAt: z.string().optional(),
  locale: Locale.optional(),
  texts: OutcomeTexts.optional(),
  /** What a decider may do for it; absent: nothing. */
  decider: SourceDecider.optional(),
  /** Seconds that its client, the hub and a device waited, where the client gave up first, again and again; `at`: last. */
  timeouts: z.object({ client: z.number(), hub: z.number(), device: z.number(), at: z.string() }).optional(),
  /** It may ask for YOLO for its own calls. */
  mayAskYolo: z.boolean().optional(),
  createdAt: z.string(),
  usedAt: z.string().optional(),
});
export type Source = z.infer<typeof Source>;
export const NewSource = z.strictObject({
  name: Name,
  mayAsk: z.array(Handle).max(100).optional(),
  webhookUrl: WebhookUrl.optional(),
  locale: Locale.optional(),
  texts: OutcomeTexts.optional(),
});
/** What the owner sends to change a source: null takes a member away, an absent one stays. */
export const ChangeSource = z
  .strictObject({
    /** Where webhooks go from now on; what was enqueued before goes where it was to go. */
    webhookUrl: WebhookUrl.nullable(),
    /** Webhooks wait until this is false again, and then have a whole day. */
    webhooksPaused: z.boolean(),
    locale: Locale.nullable(),
    texts: OutcomeTexts.nullable(),
    decider: SourceDecider.nullable(),
    mayAskYolo: z.boolean(),
  })
  .partial();
export type ChangeSource = z.infer<typeof ChangeSource>;
export const NewSourceReply = z.object({ source: Source, key: z.string(), webhookSecret: z.string() });
export type NewSourceReply = z.infer<typeof NewSourceReply>;

export const NewPerson = z.strictObject({ handle: Handle, name: Name.optional(), locale: Locale.optional() });
export const NewPersonReply = z.object({ person: Person, link: z.string(), expiresAt: z.string() });
export type NewPersonReply = z.infer<typeof NewPersonReply>;
export const PersonLink = z.object({ link: z.string(), expiresAt: z.string() });

export const Group = z.object({ id: z.string(), handle: z.string(), name: z.string(), members: z.array(z.string()) });
export type Group = z.infer<typeof Group>;
export const NewGroup = z.strictObject({ handle: Handle, name: Name.optional(), members: z.array(Handle).max(100) });
export const ChangeGroup = z.strictObject({ name: Name.optional(), members: z.array(Handle).max(100).optional() });

export const Attempt = z.object({
  at: z.string(),
  status: z.int().optional(),
  error: z.string().optional(),
  ms: z.int(),
});
/** The Web Push of one inquiry to one device: what became of it, with its tries of the last 7 days. */
export const PushDelivery = z.object({
  state: z.enum(['pending', 'sent', 'digest', 'withdrawn', 'dropped', 'failed']),
  attempts: z.array(Attempt.extend({ kind: z.enum(['ask', 'withdraw']) })),
});
export type PushDelivery = z.infer<typeof PushDelivery>;

/** Who of the devices was told of one inquiry, and how far it came. */
export const DeviceDelivery = z.object({
  device: z.object({ id: z.string(), name: z.string() }),
  person: z.string(),
  toldAt: z.string().optional(),
  acceptedAt: z.string().optional(),
  shownAt: z.string().optional(),
  openedAt: z.string().optional(),
  dismissedAt: z.string().optional(),
  push: PushDelivery.optional(),
});
export type DeviceDelivery = z.infer<typeof DeviceDelivery>;

/** A webhook of a source, with its attempts. */
export const WebhookDelivery = z.object({
  id: z.string(),
  type: z.string(),
  sourceId: z.string().optional(),
  inquiryId: z.string(),
  /** What was asked; absent for an owner who was not asked. */
  title: z.string().optional(),
  url: z.string(),
  state: z.enum(['pending', 'delivered', 'gone', 'failed']),
  createdAt: z.string(),
  dueAt: z.string().optional(),
  attemptCount: z.int(),
  attempts: z.array(Attempt),
  /** The bytes that each attempt sends, only where one delivery is read; absent for an owner who was not asked. */
  body: z.string().optional(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const Deliveries = z.object({ items: z.array(DeviceDelivery), webhooks: z.array(WebhookDelivery).optional() });
export type Deliveries = z.infer<typeof Deliveries>;

export const NewNotice = z.strictObject({
  to: z.array(z.string().min(1).max(100)).min(1).max(100).optional(),
  title: line(140),
  body: z.string().max(16_384).optional(),
  link: WebUrl.optional(),
  urgency: z.enum(['low', 'normal', 'high']).default('normal'),
  privacy: Privacy.default('title'),
  key: z.string().min(1).max(200).optional(),
});

export const Notice = NewNotice.pick({ title: true, body: true, link: true }).extend({
  id: z.string(),
  urgency: NewNotice.shape.urgency.unwrap(),
  privacy: Privacy,
  source: z.object({ id: z.string(), name: z.string() }),
  at: z.string(),
  readAt: z.string().optional(),
});
export type Notice = z.infer<typeof Notice>;

/** One page of a list; `nextCursor` absent: the last page. */
export const page = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().optional() });
