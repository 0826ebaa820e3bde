import { isIP } from 'node:net';
import type { Database } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';

/** For which host passkeys are made here, and on which pages; or why there can be none, and what to do. */
export type Relying = { rpId: string; origin: string; cannot?: undefined } | { cannot: string; rpId?: undefined };

/**
 * What browsers take passkeys for, of the address that people open: a name over https, or localhost. A new host makes
 * those of the old one of no use.
 */
export function relyingOn(publicUrl: string): Relying {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const local = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return {
      cannot: `Browsers make no passkey for an address without a name, and this hub is at ${origin}. Set PUBLIC_URL to an https address with a name, for instance with Tailscale or a domain.`,
    };
  if (!local && !hostname.includes('.'))
    return {
      cannot: `Browsers make no passkey for a name without a dot, and this hub is at ${origin}. Set PUBLIC_URL to its full name with https.`,
    };
  if (protocol !== 'https:' && !local)
    return {
      cannot: `Browsers make passkeys over https alone, and this hub is at ${origin}. Put https before it and set PUBLIC_URL to that address.`,
    };
  return { rpId: hostname, origin };
}

/** Says at the start that passkeys of another host are of no use any more, if there are any, and what to do. */
export async function warnOfMoved(database: Database, { rpId = '' }: Relying, log: Log): Promise<void> {
  const rows = await database.read
    .selectFrom('passkeys')
    .select(['rp_id', ({ fn }) => fn.countAll().as('count')])
    .where('rp_id', '!=', rpId)
    .groupBy('rp_id')
    .execute();
  for (const { rp_id: host, count } of rows)
    log.warn(
      { host, count: Number(count) },
      `passkeys were made for ${host} and cannot be used at the PUBLIC_URL of now: set it back, or let their people use a printed code to add new ones`,
    );
}
