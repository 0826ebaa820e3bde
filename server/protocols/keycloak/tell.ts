import type { Inquiry } from '#shared/inquiry.ts';
import type { TellIssuer } from '../../deliveries/dispatch.ts';
import type { Database } from '../../platform/database.ts';
import type { Sent } from '../../platform/outbound/post.ts';
import { unseal } from '../../platform/secrets/secrets.ts';
import { toStatus, type Kept } from './request.ts';

const CALLBACK = '/protocol/openid-connect/ext/ciba/auth/callback';

/** A realm stores a request only after it was answered 201: what comes sooner is refused with 403 and changes nothing. */
const STORING_MS = 20_000;

/** What no realm can have heard. */
const NOT_HEARD = ['connection refused', 'name not found'];

const DOUBT = 'perhaps it arrived: a second answer would undo the first';

/** Where a realm is told how an authentication request ended. */
export const callbackOf = (issuer: string): string => issuer + CALLBACK;

type Parts = { database: Database; sealingKey: Buffer };

/**
 * Tells a realm how its request ended, at most once over crashes and nodes: that it is tried stands in the row before the
 * try, and a try whose end nobody knows is the last. Keycloak drops the request at a second answer.
 */
export function tellKeycloak(parts: () => Parts, issuers: readonly string[]): TellIssuer {
  return async ({ issuer, isRemoved, ...row }, post, at) => {
    const { database, sealingKey } = parts();
    const { data } = JSON.parse(row.body) as { data: Inquiry };
    const { keycloak, expiresAt } = data.correlation as Kept;
    if (at >= expiresAt) return { error: 'its token has run out', final: true };
    // Perhaps another node knows it.
    if (!issuers.includes(issuer)) return { error: 'refused: not one of KEYCLOAK_ISSUERS' };
    if (!(await mark(database, row.id, at))) return { error: DOUBT, final: true };
    const headers = {
      authorization: `Bearer ${unseal(sealingKey, keycloak)}`,
      'content-type': 'application/json',
      'user-agent': 'beckon',
    };
    const body = JSON.stringify({ status: isRemoved ? 'UNAUTHORIZED' : toStatus(data) });
    const sent = await post({ url: callbackOf(issuer), headers, body, trust: 'owner' });
    if (!mayTryAgain(sent, at - Date.parse(data.openedAt))) return { ...sent, final: true };
    await database.transaction((trx) =>
      trx.updateTable('deliveries').set({ tried_at: null }).where('id', '=', row.id).execute(),
    );
    return sent;
  };
}

/** Whether nothing can have come of a try. */
export function mayTryAgain({ status, error }: Sent, sinceAskedMs: number): boolean {
  return error === undefined ? status === 403 && sinceAskedMs < STORING_MS : NOT_HEARD.includes(error);
}

/** True once: for whoever tries. */
function mark(database: Database, id: string, at: number): Promise<boolean> {
  return database.transaction(async (trx) => {
    const marked = await trx
      .updateTable('deliveries')
      .set({ tried_at: at })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .where('tried_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    return marked !== undefined;
  });
}
