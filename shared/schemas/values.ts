import { z } from 'zod';
import { idPattern } from '../ids.ts';
import { isRaw, plain } from '../json.ts';

const asNumber = (value: unknown) => (isRaw(value) ? plain(value) : value);

/** A JSON object, kept verbatim. */
export const JsonObject = z.preprocess(asNumber, z.record(z.string(), z.unknown()));

/** A number of this schema that may have arrived as its source text ("60.0"). */
export const num = <T extends z.ZodNumber>(schema: T) => z.preprocess(asNumber, schema);
export const Num = num(z.number());

/** The id of a source. */
export const SourceId = z.string().regex(idPattern('src'), 'is not the id of a source');

/** Handles of people or groups to ask or to tell. */
export const Handles = z.array(z.string().min(1).max(100)).min(1).max(100);

/** What others see of something that has a name. */
export const named = (what: string) =>
  z.object({
    id: z.string().describe(`The id of the ${what}.`),
    name: z.string().describe(`The name of the ${what}.`),
  });

/** Plain text on one line. */
export const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, 'holds a control character');
const bytes = (max: number) => (text: string) => new TextEncoder().encode(text).length <= max;
/** The same, or null to take it away, or absent to leave it as it is. */
export const orNull = <T extends z.ZodType>(schema: T) => schema.nullish().describe(schema.description ?? '');
/** Markdown. */
export const markdown = z.string().refine(bytes(65_536), 'is longer than 64 KiB');
/** The address of a page. */
export const WebUrl = z.url({ protocol: /^https?$/ }).max(2048);
/** Where webhooks go. */
export const WebhookUrl = WebUrl.refine(
  (url) => !URL.canParse(url) || !/^https?:\/\/[^/]*@/.test(new URL(url).href),
  'holds a user name or password; put a token into its path or query instead, or check the signature of the webhooks',
);
const INSTANT = 'must be seconds from now or an instant like 2027-01-31T12:00:00Z';
/** Seconds from now, or an instant. */
export const instant = z.preprocess(
  asNumber,
  z.union([z.number().positive(), z.iso.datetime({ offset: true, error: INSTANT })], { error: INSTANT }),
);

export const Assurance = z
  .enum(['tap', 'passkey'])
  .describe(
    'passkey: only what a person signed with a passkey, or a printed code, is a yes; a no needs none. Default: tap, unless the owner wants more.',
  );
export const ValidFor = num(z.int().min(1).max(2_592_000)).describe(
  'Seconds for which an approved or edited call may be run after it was answered, at most 30 days. Default: that of the source, else a day, or 7 days where no call waits for the answer.',
);
