import { z } from 'zod';
import { modesOf, type Mode } from './catalogue.ts';
import { EventRefusal } from './refusal.ts';

const MAX_URL = 2048;
/** RFC 4648 with its padding, as every verifier reads it; 24 to 64 bytes (Standard Webhooks). */
const SECRET = /^whsec_([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const Arguments = z.strictObject({
  inquiryId: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'is no id of an inquiry')
    .optional(),
});
const Named = z.object({ name: z.string().max(200), arguments: Arguments.default({}) });
const cursor = z.string().max(200).nullish();
/** Whatever it is, it is clamped: no suggestion is refused. */
const ms = z.number();

const Url = z
  .string()
  .max(MAX_URL)
  .regex(/^[\x21-\x7e]+$/, 'is no address')
  .refine((text) => URL.canParse(text), { error: 'is no address', abort: true })
  .refine((text) => {
    const { username, password, hash } = new URL(text);
    return username === '' && password === '' && hash === '';
  }, 'holds credentials or a fragment');
const Secret = z
  .string()
  .max(200)
  .regex(SECRET, 'is not whsec_ and base64')
  .refine((text) => {
    const { length } = Buffer.from(text.slice('whsec_'.length), 'base64');
    return length >= 24 && length <= 64;
  }, 'is not 24 to 64 bytes');

export const Subscribe = Named.extend({
  delivery: z.object({ mode: z.literal('webhook'), url: Url, secret: Secret }),
  cursor,
  maxAgeMs: ms.optional(),
  ttlMs: ms.nullish(),
});
export const Unsubscribe = Named.extend({ delivery: z.object({ url: Url }) });
export const Poll = Named.extend({ cursor, maxAgeMs: ms.optional(), maxEvents: z.number().optional() });
export const List = z.object({ cursor: z.null().optional() });

/** What a call brings; an event that is not there, or not told in this way, is refused as that before all else. */
export function readParams<T extends z.ZodType>(schema: T, params: unknown, mode?: Mode): z.output<T> {
  const { name, delivery } = (params ?? {}) as { name?: unknown; delivery?: { mode?: unknown } | null };
  if (mode !== undefined && typeof name === 'string') {
    const modes = modesOf(name);
    if (!modes) throw new EventRefusal('NotFound', 'There is no such event; events/list has all.', { kind: 'event' });
    const wanted = mode === 'webhook' ? (delivery?.mode ?? mode) : mode;
    if (typeof wanted === 'string' && !(modes as string[]).includes(wanted))
      throw new EventRefusal('Unsupported', `This event is not told by ${wanted.slice(0, 50)}.`, {
        feature: 'deliveryMode',
        value: wanted.slice(0, 50),
      });
  }
  const read = schema.safeParse(params ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new EventRefusal('InvalidParams', `Invalid params: ${issue?.path.join('.') || 'they'} ${issue?.message}.`);
}
