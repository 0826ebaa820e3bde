import { z } from 'zod';
import { OwnHeaders } from '../policies/gate.ts';
import { JsonObject, num, orNull, WebhookUrl } from '../schemas/values.ts';
import { Handle, Locale, Name, OutcomeTexts } from '../wire.ts';
import { Contact, Trouble } from './contact.ts';

export const ConnectionKind = z.enum(['chatcompletions', 'langgraph', 'inbound']);
export type ConnectionKind = z.infer<typeof ConnectionKind>;

export const InterruptAnswer = z
  .enum(['text', 'confirm'])
  .describe('For "langgraph": what an interrupt with an object and no responseSchema is answered with.');

const seconds = num(z.number().min(5).max(2_592_000));

const SECRET = /^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const changeable = {
  name: Name.describe('What people read as the asker.'),
  baseUrl: WebhookUrl.refine(
    (url) => !/[?#]/.test(url),
    'ends with a query: leave out everything from "?" or "#" on',
  ).describe("Where the platform's API begins, as its clients write it: https://api.example.com/v1."),
  answerUrl: WebhookUrl.describe('Where answers are posted.'),
  answer: JsonObject.describe(
    'The body of an answer: "{inquiryId}" and "{response}" in its texts stand for what is answered.',
  ),
  to: z.array(Handle).min(1).max(100).describe('Handles of those who are asked; absent: the owner.'),
  deadline: seconds.describe('Seconds that a question of the platform waits for a person.'),
  platformLimit: seconds.describe('Seconds after which the platform itself gives up, as its owner knows it.'),
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, 'is not a key: printable ASCII without spaces')
    .describe(
      "The hub's own key at the platform, for what the hub asks it itself. What a client sends passes unchanged.",
    ),
  headers: OwnHeaders.describe("Further headers of the hub's own requests."),
  inboundSecret: z
    .string()
    .regex(SECRET, 'is not a secret: "whsec_" and 24 to 64 bytes in base64')
    .describe(
      "What messages to an inbound connection's address are signed with (Standard Webhooks); none is taken without.",
    ),
  interruptAnswer: InterruptAnswer,
  enabled: z.boolean().describe('False: its address takes nothing.'),
  locale: Locale.describe('The language of the texts it gets.'),
  texts: OutcomeTexts.describe('What its agent is told when nobody decided, in place of the hub’s own words.'),
};

export const NewConnection = z
  .strictObject(changeable)
  .partial()
  .extend({
    name: Name.describe('What people read as the asker.'),
    kind: ConnectionKind.describe('What the platform speaks.'),
  })
  .meta({ id: 'NewConnection', description: 'What the owner sends to make a connection.' });
export type NewConnection = z.infer<typeof NewConnection>;

export const ChangeConnection = z
  .strictObject({
    ...z.strictObject(changeable).partial().shape,
    baseUrl: orNull(changeable.baseUrl),
    answerUrl: orNull(changeable.answerUrl),
    answer: orNull(changeable.answer),
    platformLimit: orNull(changeable.platformLimit),
    apiKey: orNull(changeable.apiKey),
    inboundSecret: orNull(changeable.inboundSecret),
    interruptAnswer: orNull(changeable.interruptAnswer),
    locale: orNull(changeable.locale),
    texts: orNull(changeable.texts),
  })
  .meta({
    id: 'ChangeConnection',
    description: 'What the owner sends to change one: null takes a member away, an absent one stays.',
  });
export type ChangeConnection = z.infer<typeof ChangeConnection>;

export const Connection = z
  .object({
    id: z.string().describe('Its id.'),
    kind: ConnectionKind.describe('What the platform speaks.'),
    name: z.string().describe('What it is called.'),
    baseUrl: z.string().optional().describe('Where the platform’s API begins.'),
    answerUrl: z.string().optional().describe('Where answers are posted.'),
    answer: z.record(z.string(), z.unknown()).optional().describe('The body of an answer.'),
    to: z.array(z.string()).describe('Handles of those who are asked.'),
    deadline: z.number().describe('Seconds that a question of the platform waits for a person.'),
    platformLimit: z
      .number()
      .optional()
      .describe('Seconds after which the platform itself gives up, as its owner knows it.'),
    hasApiKey: z.boolean().describe('Whether a key for the platform is stored.'),
    headerNames: z.array(z.string()).describe('The names of the stored headers; their values are never read again.'),
    hasInboundSecret: z.boolean().describe('Whether a secret for messages to its address is stored.'),
    interruptAnswer: InterruptAnswer.optional(),
    enabled: z.boolean().describe('False: its address takes nothing.'),
    locale: Locale.optional().describe('The language of texts: en or zh.'),
    texts: OutcomeTexts.optional().describe(
      'What its agent is told when nobody decided, in place of the hub’s own words.',
    ),
    createdAt: z.string().describe('When it was made.'),
    changedAt: z.string().describe('When it was changed last.'),
    usedAt: z.string().optional().describe('When the platform last called.'),
    lastContact: Contact.pick({ at: true, status: true }).optional().describe('The last contact with the platform.'),
    lastError: z
      .object({ at: z.string().describe('When it was.'), problem: Trouble.describe('What went wrong.') })
      .optional()
      .describe('The last contact that went wrong.'),
  })
  .meta({ id: 'Connection', description: 'A connection as the owner reads it: no secret, and headers by name only.' });
export type Connection = z.infer<typeof Connection>;

export const NewConnectionReply = z
  .object({
    connection: Connection.describe('The connection.'),
    url: z.string().describe('The address for the platform, with its token; shown this once.'),
    webhookSecret: z.string().describe('What its webhooks are signed with; shown this once.'),
  })
  .meta({ id: 'NewConnectionReply', description: "`url` holds the connection's token and is shown this once." });
export type NewConnectionReply = z.infer<typeof NewConnectionReply>;
export const NewAddress = z
  .object({
    connection: Connection.describe('The connection.'),
    url: z.string().describe('The new address, with its token; shown this once.'),
  })
  .meta({ id: 'NewAddress', description: 'A connection with its new address.' });
