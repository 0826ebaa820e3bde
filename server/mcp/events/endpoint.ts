import type { ToSubscriber } from '../../deliveries/dispatch.ts';
import { readChallenge, signedHeaders } from '../../platform/secrets/signed.ts';
import type { Database } from '../../platform/database.ts';
import type { Post } from '../../platform/outbound/post.ts';
import { newToken, sameText, unseal } from '../../platform/secrets/secrets.ts';

const TIMEOUT_MS = 5_000;
const READ_BYTES = 4_096;

/** How a body of ours reaches an endpoint. `isListed`: the operator named its host, which may be private. */
export type Outside = { post: Post; isListed: (url: string) => boolean };
/** The categories of SEP-3415: no word of what an endpoint replied. */
export type Category = 'connection_refused' | 'timeout' | 'tls_error' | 'http_4xx' | 'http_5xx' | 'challenge_failed';

const ofSubscription = (id: string) => ({ 'x-mcp-subscription-id': id });

/** How an event is sent to its subscription's endpoint; in a grace after its secret changed it is signed with both. */
export function toSubscriber(database: Database, sealingKey: Buffer, isListed: Outside['isListed']): ToSubscriber {
  return async ({ subscription_id, url, body }, at) => {
    const row = await database.read
      .selectFrom('event_subscriptions')
      .select(['id', 'secret', 'old_secret', 'old_until'])
      .where('id', '=', subscription_id)
      .where('expires_at', '>', at)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const old = row.old_secret !== null && (row.old_until ?? 0) > at ? [row.old_secret] : [];
    const secrets = [row.secret, ...old].map((sealed) => unseal(sealingKey, sealed));
    // Receivers take an event for another one where the two ids differ.
    const { eventId } = JSON.parse(body) as { eventId: string };
    return {
      headers: { ...signedHeaders({ id: eventId, at, body, secrets }), ...ofSubscription(row.id) },
      trust: isListed(url) ? 'owner' : 'untrusted',
    };
  };
}

type Endpoint = { id: string; url: string; secret: string };

/** Asks an endpoint whether it wants events; undefined: it does. */
export async function verify(outside: Outside, endpoint: Endpoint, at: number): Promise<Category | undefined> {
  const challenge = newToken('');
  const sent = await postControl(outside, endpoint, { type: 'verification', challenge }, at);
  const failed = categoryOf(sent);
  if (failed) return failed;
  return sameText(readChallenge(sent.text), challenge) ? undefined : 'challenge_failed';
}

/** Tells an endpoint once that nothing more comes; whether it hears of it is not looked at. */
export function terminate(outside: Outside, endpoint: Endpoint, error: object, at: number) {
  return postControl(outside, endpoint, { type: 'terminated', error }, at);
}

function postControl(
  { post, isListed }: Outside,
  endpoint: Endpoint,
  message: { type: string; [member: string]: unknown },
  at: number,
) {
  const { url, secret } = endpoint;
  const body = JSON.stringify(message);
  const id = newToken(`msg_${message.type}_`);
  return post({
    url,
    headers: { ...signedHeaders({ id, at, body, secrets: [secret] }), ...ofSubscription(endpoint.id) },
    body,
    trust: isListed(url) ? 'owner' : 'untrusted',
    timeoutMs: TIMEOUT_MS,
    readBytes: READ_BYTES,
  });
}

/** What an attempt came to, in the few words that a client may read; undefined: the endpoint took it. */
export function categoryOf({ status, error }: { status?: number | null; error?: string | null }): Category | undefined {
  if (error === 'timeout') return 'timeout';
  if (error?.startsWith('certificate refused')) return 'tls_error';
  if (status === undefined || status === null) return 'connection_refused';
  if (status >= 500) return 'http_5xx';
  return status >= 300 ? 'http_4xx' : error ? 'connection_refused' : undefined;
}
