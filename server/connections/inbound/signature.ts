import type { IncomingHttpHeaders } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { AppError } from '#shared/problem.ts';

/**
 * The id of a message that was signed with this secret within five minutes, by Standard Webhooks. Throws 401 for any
 * other. The bytes are those that came, not what they were read as.
 */
export function signedId(secret: string, headers: IncomingHttpHeaders, body: Buffer): string {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    const detail =
      "This address takes signed messages alone: sign the body by Standard Webhooks with the connection's secret, at most 5 minutes ago.";
    throw new AppError(401, 'signature.refused', detail);
  }
  const id = headers['webhook-id'] as string;
  // What is signed is "id.timestamp.body": with a dot in the id it could be split in another place.
  if (id.includes('.'))
    throw new AppError(
      401,
      'signature.refused',
      'This webhook-id holds a dot, with which nobody can tell where it ends.',
    );
  return id;
}
