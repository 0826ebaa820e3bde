import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';

/** One for all: making it takes longer than what is tested. */
const KEYS = generateKeyPair('RS256', { extractable: true });

/**
 * A realm as Keycloak has it: its keys, what its HTTP authentication channel sends, and the callback endpoint, which knows a
 * request only from `store` on, and drops one that is answered twice.
 */
export async function openRealm() {
  const { publicKey, privateKey } = await KEYS;
  const jwk = { ...(await exportJWK(publicKey)), kid: 'realm-key', use: 'sig', alg: 'RS256' };
  const requests = new Map<string, 'pending' | 'SUCCEED' | 'UNAUTHORIZED' | 'CANCELLED'>();
  const heard: string[] = [];
  const serve = {
    keys: (response: ServerResponse): unknown => response.end(JSON.stringify({ keys: [jwk] })),
    callback: (response: ServerResponse, take: () => number): unknown => response.writeHead(take()).end(),
  };
  const take = ({ headers: { authorization = '' } }: IncomingMessage, body: string): number => {
    const { status } = JSON.parse(body) as { status: 'SUCCEED' };
    const { jti = '' } = decodeJwt(authorization.replace('Bearer ', ''));
    const state = requests.get(jti);
    if (state === undefined) return 403;
    if (state !== 'pending') {
      requests.delete(jti);
      return 403;
    }
    requests.set(jti, status);
    return 200;
  };
  const server = createServer((request, response): void => {
    if (request.method === 'GET' && request.url?.endsWith('/protocol/openid-connect/certs'))
      return void serve.keys(response);
    if (!request.url?.endsWith('/protocol/openid-connect/ext/ciba/auth/callback'))
      return void response.writeHead(404).end();
    void text(request).then((body) => {
      heard.push((JSON.parse(body) as { status: string }).status);
      serve.callback(response, () => take(request, body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/main`;
  return {
    issuer,
    jwk,
    privateKey,
    requests,
    /** Every status that the callback endpoint was sent, in order. */
    heard,
    serve,
    /** From now on the request is known. */
    store: (id: string) => requests.set(id, 'pending'),
    /** What comes beside a request; `changed` members in place of the usual ones. */
    token(id: string, now: number, changed: Record<string, unknown> = {}, header: object = {}): Promise<string> {
      const [iat, usual] = [
        Math.floor(now / 1000),
        { iss: issuer, aud: issuer, sub: SUBJECT, azp: 'till', typ: 'Bearer' },
      ];
      return new SignJWT({ ...usual, jti: id, iat, exp: iat + 120, ...changed })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'realm-key', ...header })
        .sign(privateKey);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The id of a user, as Keycloak makes them. */
export const SUBJECT = '6f0b9f3e-5b0a-4d0c-9a53-0f8f4f7d2b11';

/** The body that Keycloak 26 sends, with a parameter of the client's own. */
export const SENT = {
  binding_message: 'W4SCT',
  login_hint: 'anna',
  is_consent_required: false,
  scope: 'openid profile openid till.refund',
  terminal: 'counter 3',
};
