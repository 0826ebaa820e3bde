import { z } from 'zod';
import { AppError } from '#shared/problem.ts';
import { Name } from '#shared/wire.ts';
import { visible } from '#shared/visible.ts';

export const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';

/** What RFC 8628 and RFC 6749 (5.2) have for a refusal. */
const ERRORS = [
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
  'invalid_request',
  'invalid_grant',
  'unsupported_grant_type',
  'server_error',
  'temporarily_unavailable',
] as const;
export type GrantErrorCode = (typeof ERRORS)[number];

// Whoever asks is unknown: what turns text around or cannot be seen is no part of its name.
const ShownName = Name.refine((name) => visible(name, true) === name, 'holds a character that cannot be seen');

export const NewGrant = z
  .object({
    client_id: ShownName.describe('What calls itself so, e.g. beckon; none has to be registered.'),
    client_name: ShownName.optional().describe('What the source is to be called; its client_id where it is absent.'),
    host_name: ShownName.optional().describe('The machine that it runs on.'),
    scope: z.string().optional().describe('Not looked at: a key of a source may ask, and nothing else.'),
  })
  .meta({ id: 'NewDeviceAuthorization', description: 'RFC 8628, 3.1; other members are ignored.' });

export const Grant = z
  .object({
    device_code: z.string().describe('What the key is collected with.'),
    user_code: z.string().describe('Show it: whoever says yes compares it.'),
    verification_uri: z.string().describe('Where an owner who is signed in sees the request.'),
    verification_uri_complete: z.string().describe('The same with the code, for a QR code.'),
    expires_in: z.int().describe('For how many seconds it waits.'),
    interval: z.int().describe('How many seconds to leave between two tries.'),
  })
  .meta({ id: 'DeviceAuthorization', description: 'RFC 8628, 3.2.' });

export const Collect = z
  .object({
    grant_type: z.string().describe(`${GRANT_TYPE}, and no other.`),
    device_code: z.string().max(200).describe('From the reply that began it.'),
    client_id: z.string().max(200).describe('The same as then.'),
  })
  .meta({ id: 'CollectDeviceAuthorization', description: 'RFC 8628, 3.4; other members are ignored.' });

export const Collected = z
  .object({
    access_token: z.string().describe('The key of the new source, bks_…; shown this once.'),
    token_type: z.literal('Bearer').describe('How it is sent.'),
    source: z
      .object({ id: z.string().describe('Its id.'), name: z.string().describe('What it is called.') })
      .describe('The source whose key it is.'),
    webhook_secret: z.string().describe('What its webhooks are signed with; shown this once.'),
  })
  .meta({ id: 'CollectedDeviceAuthorization', description: 'RFC 6749, 5.1: the key does not run out.' });

export const GrantError = z
  .object({
    error: z.enum(ERRORS).describe('RFC 8628, 3.5.'),
    error_description: z.string().describe('The same as a sentence.'),
    code: z.string().optional().describe('The code that other calls have for it.'),
  })
  .meta({ id: 'DeviceAuthorizationError', description: 'RFC 6749, 5.2.' });

/** A refusal of the grant itself, in the words of RFC 8628. */
export class Refusal extends Error {
  readonly error: GrantErrorCode;

  constructor(error: GrantErrorCode, detail: string) {
    super(detail);
    this.error = error;
  }
}

/** Why there is no key, as the poll of RFC 8628 is told. */
export const UNTOLD: Record<'pending' | 'too_soon' | 'refused' | 'expired' | 'unknown', [GrantErrorCode, string]> = {
  pending: ['authorization_pending', 'Nobody has said yes or no yet.'],
  too_soon: ['slow_down', 'This was sooner than the interval, which is five seconds longer from now on.'],
  refused: ['access_denied', 'The owner of the hub said no.'],
  expired: ['expired_token', 'Nobody said yes in time; ask again.'],
  unknown: ['invalid_grant', 'This device_code is unknown here, was used, or belongs to another client_id.'],
};

/** The members of a form; one that is empty counts as absent, and one that is there twice is refused (RFC 6749, 3.1). */
export function readForm(body: string): Record<string, string> {
  const fields = [...new URLSearchParams(body)];
  const names = fields.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new AppError(400, 'request.malformed', 'A member of the form is there twice.');
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}

/** Any refusal of the hub in the form of RFC 6749, which has 400 for what the client got wrong. */
export function writeError(refused: Refusal | AppError): { status: number; body: z.infer<typeof GrantError> } {
  if (refused instanceof Refusal) return { status: 400, body: write(refused.error, refused.message) };
  const { status, code, message, faults = [] } = refused;
  const detail = faults.map(({ path, message: what }) => `${path.slice(1)} ${what}`.trim()).join('; ') || message;
  const error = status >= 500 ? (status === 500 ? 'server_error' : 'temporarily_unavailable') : 'invalid_request';
  return {
    status: status === 422 ? 400 : status,
    body: { ...write(status === 429 ? 'temporarily_unavailable' : error, detail), code },
  };
}

// RFC 6749 leaves these characters to a description.
function write(error: GrantErrorCode, detail: string): { error: GrantErrorCode; error_description: string } {
  const description = detail
    .replace(/["“”‘’]/g, "'")
    .replace(/…/g, '...')
    .replace(/[^\x20-\x7E]|\\/g, '?');
  return { error, error_description: description };
}
