import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose';
import { Agent } from 'undici';
import { z } from 'zod';
import { toFaults } from '#shared/faults.ts';
import { AppError } from '#shared/problem.ts';
import { explain, readIssuer } from '../../devices/enrolments/jwt.ts';
import type { Clock } from '../../platform/clock.ts';
import { readText, send } from '../../platform/outbound/send.ts';

/** What a realm signs with; none of these takes a public key for a shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const KEYS_BYTES = 262_144;
const CONNECT_MS = 5_000;

const seen = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\p{C}]*$/u, 'holds characters that nobody sees');

/** Of the same realm other tokens are for the issuer too: a registration token has another "typ", an access token more audiences. */
const Payload = z.object({
  typ: z.literal('Bearer'),
  aud: z.union([z.string(), z.tuple([z.string()])]),
  jti: seen(200),
  azp: seen(255),
  sub: seen(255),
  exp: z.number(),
});

/** One authentication request, as its realm signed it. */
export type Signed = { issuer: string; id: string; client: string; subject: string; expiresAt: number };

/** Checks the tokens that come with authentication requests by the keys of the realms that the operator named. */
export function createTokenVerifier(issuers: readonly string[], clock: Clock) {
  const agent = new Agent({ connect: { timeout: CONNECT_MS } });
  const realms = new Map(issuers.map((issuer) => [issuer, keysOf(issuer, agent)]));
  return {
    /** What the token says; throws 401 `jwt.refused` with the reason. */
    async verify(token: string): Promise<Signed> {
      const issuer = readIssuer(token) ?? '';
      const keys = realms.get(issuer);
      if (!keys) throw refused('It is not a JWT of one of KEYCLOAK_ISSUERS.');
      const options = { issuer, audience: issuer, algorithms: ALGORITHMS, currentDate: new Date(clock.now()) };
      const { payload } = await jwtVerify(token, keys, options).catch((error: unknown) => {
        throw refused(explain(error));
      });
      const { data, error } = Payload.safeParse(payload);
      if (!data) throw refused(`Its "${toFaults(error)[0]?.path.slice(1)}" is missing or not what this hub expects.`);
      const { jti: id, azp: client, sub: subject, exp } = data;
      return { issuer, id, client, subject, expiresAt: exp * 1000 };
    },
    close: (): Promise<void> => agent.destroy(),
  };
}

/** 401 with why nobody is asked. */
export function refused(reason: string): AppError {
  return new AppError(401, 'jwt.refused', `Nobody is asked for this JWT. ${reason}`);
}

/** The keys of a realm, at most 256 KiB of them and without redirects. An unknown one makes the hub ask again twice a minute. */
function keysOf(issuer: string, agent: Agent) {
  return createRemoteJWKSet(new URL(`${issuer}/protocol/openid-connect/certs`), {
    async [customFetch](url, { headers, signal }) {
      const options = { method: 'GET', headers: Object.fromEntries(headers), dispatcher: agent, signal } as const;
      const reply = await send(url, options);
      const text = await readText(reply, KEYS_BYTES);
      if (reply.statusCode !== 200 || text === undefined) throw new Error(`keys of ${issuer} cannot be read`);
      return new Response(text);
    },
  });
}
