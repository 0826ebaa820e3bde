import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import { storeOnce } from '../../../platform/stored.ts';

export type VapidKeys = { publicKey: string; privateKey: JWK };
export type Vapid = Awaited<ReturnType<typeof createVapid>>;

const LIFE_SECONDS = 12 * 3_600;
/** Push services that share a signed token at once; untrusted endpoints may name any number of them. */
const CACHED = 200;

/** The hub's P-256 key pair, made once for all nodes: browsers refuse a second key for the same subscription. */
export async function loadVapidKeys(database: Database): Promise<VapidKeys> {
  const made = await generateKeyPair('ES256', { extractable: true });
  const fresh = await exportJWK(made.privateKey);
  const privateKey = JSON.parse(await storeOnce(database, 'vapid', JSON.stringify(fresh))) as JWK & {
    x: string;
    y: string;
  };
  const point = [Buffer.of(4), Buffer.from(privateKey.x, 'base64url'), Buffer.from(privateKey.y, 'base64url')];
  return { publicKey: Buffer.concat(point).toString('base64url'), privateKey };
}

/** Signs for push services as RFC 8292 says; `subject` is where they may reach the operator. */
export async function createVapid({ keys, subject, clock }: { keys: VapidKeys; subject: string; clock: Clock }) {
  const key = await importJWK(keys.privateKey, 'ES256');
  const tokens = new Map<string, { token: Promise<string>; until: number }>();

  function tokenFor(origin: string): Promise<string> {
    const now = clock.now();
    const cached = tokens.get(origin);
    // A kept one that seems to live longer than any was signed before the clock was set back.
    if (cached && cached.until > now && cached.until <= now + LIFE_SECONDS * 1000) return cached.token;
    const token = new SignJWT({ sub: subject })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .setAudience(origin)
      .setExpirationTime(Math.floor(now / 1000) + LIFE_SECONDS)
      .sign(key);
    if (tokens.size >= CACHED) tokens.clear();
    tokens.set(origin, { token, until: now + (LIFE_SECONDS - 3_600) * 1000 });
    return token;
  }

  return {
    /** The uncompressed point in base64url, as `PushManager.subscribe` takes it. */
    publicKey: keys.publicKey,
    /** The `Authorization` header for an endpoint: one token for each push service until it is about to run out. */
    async authorization(endpoint: string) {
      return `vapid t=${await tokenFor(new URL(endpoint).origin)}, k=${keys.publicKey}`;
    },
  };
}

/** Who push services may write to: the setting, else the hub's own https address, else a placeholder that they accept. */
export function vapidSubject(setting: string | undefined, publicUrl: string | undefined): string {
  if (setting !== undefined) return setting;
  const own = publicUrl?.startsWith('https:') && !isLocal(new URL(publicUrl).hostname);
  return own ? publicUrl! : 'mailto:beckon@example.com';
}

// Apple answers BadJwtToken to a subject on localhost.
function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname.startsWith('127.');
}
