import { Webhook } from 'standardwebhooks';
import { traceHeaders } from '../trace.ts';

type Signed = { id: string; at: number; body: string; secrets: string[] };

/** The headers of a message of Standard Webhooks 1.0, with a signature by each secret. */
export function signedHeaders({ id, at, body, secrets }: Signed) {
  return {
    'content-type': 'application/json',
    'user-agent': 'beckon',
    ...traceHeaders(),
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body)).join(' '),
  };
}

/** The `challenge` in what an endpoint replied; empty where there is none. */
export function readChallenge(text = ''): string {
  try {
    const { challenge } = (JSON.parse(text) ?? {}) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}
