import { z } from 'zod';
import { OwnHeaders } from '../gate.ts';
import { JsonObject, Num, WebhookUrl } from '../inquiry.ts';
import { Handle, Locale, Name, OutcomeTexts } from '../wire.ts';
import { Contact, Trouble } from './contact.ts';

export const ConnectionKind = z.enum(['chatcompletions', 'langgraph', 'inbound']);
export type ConnectionKind = z.infer<typeof ConnectionKind>;

export const InterruptAnswer = z
  .enum(['text', 'confirm'])
  .describe('For "langgraph": what an interrupt with an object and no responseSchema is answered with.');

const seconds = Num.pipe(z.number().min(5).max(2_592_000));

const SECRET = /^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const changeable = {
  name: Name,
  /** Where the platform's API begins, as its clients write it: https://api.example.com/v1. */
  baseUrl: WebhookUrl.refine((url) => !/[?#]/.test(url), 'ends with a query: leave out everything from "?" or "#" on'),
  /** Where answers are posted. */
  answerUrl: WebhookUrl,
  /** The body of an answer: "{inquiryId}" and "{response}" in its texts stand for what is answered. */
  answer: JsonObject,
  /** Handles of those who are asked; absent: the owner. */
  to: z.array(Handle).min(1).max(100),
  /** Seconds that a question of the platform waits for a person. */
  deadline: seconds,
  /** Seconds after which the platform itself gives up, as its owner knows it. */
  platformLimit: seconds,
  /** The hub's own key at the platform, for what the hub asks it itself. What a client sends passes unchanged. */
  apiKey: z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'is not a key: printable ASCII without spaces'),
  /** Further headers of the hub's own requests. */
  headers: OwnHeaders,
  /** What messages to an inbound connection's address are signed with (Standard Webhooks); none is taken without. */
  inboundSecret: z.string().regex(SECRET, 'is not a secret: "whsec_" and 24 to 64 bytes in base64'),
  interruptAnswer: InterruptAnswer,
  enabled: z.boolean(),
  locale: Locale,
  texts: OutcomeTexts,
};

/** What the owner sends to make a connection. */
export const NewConnection = z.strictObject(changeable).partial().extend({ name: Name, kind: ConnectionKind });
export type NewConnection = z.infer<typeof NewConnection>;

/** What the owner sends to change one: null takes a member away, an absent one stays. */
export const ChangeConnection = z.strictObject({
  ...z.strictObject(changeable).partial().shape,
  baseUrl: changeable.baseUrl.nullish(),
  answerUrl: changeable.answerUrl.nullish(),
  answer: changeable.answer.nullish(),
  platformLimit: changeable.platformLimit.nullish(),
  apiKey: changeable.apiKey.nullish(),
  inboundSecret: changeable.inboundSecret.nullish(),
  interruptAnswer: changeable.interruptAnswer.nullish(),
  locale: changeable.locale.nullish(),
  texts: changeable.texts.nullish(),
});
export type ChangeConnection = z.infer<typeof ChangeConnection>;

/** A connection as the owner reads it: no secret, and headers by name only. */
export const Connection = z.object({
  id: z.string(),
  kind: ConnectionKind,
  name: z.string(),
  baseUrl: z.string().optional(),
  answerUrl: z.string().optional(),
  answer: z.record(z.string(), z.unknown()).optional(),
  to: z.array(z.string()),
  deadline: z.number(),
  platformLimit: z.number().optional(),
  hasApiKey: z.boolean(),
  headerNames: z.array(z.string()),
  hasInboundSecret: z.boolean(),
  interruptAnswer: InterruptAnswer.optional(),
  enabled: z.boolean(),
  locale: Locale.optional(),
  texts: OutcomeTexts.optional(),
  createdAt: z.string(),
  changedAt: z.string(),
  usedAt: z.string().optional(),
  lastContact: Contact.pick({ at: true, status: true }).optional(),
  lastError: z.object({ at: z.string(), problem: Trouble }).optional(),
});
export type Connection = z.infer<typeof Connection>;

/** `url` holds the connection's token and is shown this once. */
export const NewConnectionReply = z.object({ connection: Connection, url: z.string(), webhookSecret: z.string() });
export type NewConnectionReply = z.infer<typeof NewConnectionReply>;
export const NewAddress = z.object({ connection: Connection, url: z.string() });
