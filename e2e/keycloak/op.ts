import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT, type CryptoKey } from 'jose';
import * as client from 'openid-client';
import { packagesOf } from '../hub/packages.ts';

const REALM = '/realms/main';
const CERTS = `${REALM}/protocol/openid-connect/certs`;
const CALLBACK = `${REALM}/protocol/openid-connect/ext/ciba/auth/callback`;
const KEY = { kid: 'realm-key', alg: 'RS256', use: 'sig' };
const TILL = {
  client_id: 'till',
  client_secret: 'a secret of the till',
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['urn:openid:params:grant-type:ciba'],
  response_types: [],
  redirect_uris: [],
  backchannel_token_delivery_mode: 'poll',
};

type Request = { jti: string; params: Record<string, string> };
/** What is used here of oidc-provider, which brings no types. */
type Provider = {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  backchannelResult(request: string, result: unknown): Promise<void>;
  Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
};
type Peer = {
  default: new (issuer: string, configuration: object) => Provider;
  errors: { AccessDenied: new () => Error };
};
type Realm = { issuer: string; privateKey: CryptoKey; publicKey: CryptoKey };

export type Op = Awaited<ReturnType<typeof openOp>>;

/**
 * An OpenID provider that asks people as Keycloak does: the hub is its authentication channel, its keys and its callback
 * endpoint stand where those of a realm stand. `callbacks`: what that was sent.
 */
export async function openOp() {
  const packages = await packagesOf(import.meta.dirname);
  const file = pathToFileURL(join(packages, 'node_modules/oidc-provider/lib/index.js')).href;
  const { default: OidcProvider, errors } = (await import(file)) as Peer;
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${REALM}`;
  const realm = { issuer, ...(await generateKeyPair('RS256', { extractable: true })) };
  let hub = '';
  const trigger = (_: unknown, request: Request, { accountId }: { accountId: string }) =>
    askHub(hub, realm, request, accountId);
  const provider = new OidcProvider(issuer, await configuration(realm, trigger));
  const callbacks: string[] = [];
  const take = async (request: IncomingMessage): Promise<void> => {
    const { status } = JSON.parse(await text(request)) as { status: string };
    callbacks.push(status);
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const { payload } = await jwtVerify(token, realm.publicKey, { issuer, audience: issuer });
    const grant = new provider.Grant({ clientId: payload['azp'], accountId: payload.sub });
    grant.addOIDCScope('openid');
    const result = status === 'SUCCEED' ? await grant.save() : new errors.AccessDenied();
    await provider.backchannelResult(payload.jti ?? '', result);
  };
  const publicJwk = JSON.stringify({ keys: [{ ...(await exportJWK(realm.publicKey)), ...KEY }] });
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage & { originalUrl?: string }, response: ServerResponse) => {
    if (request.url === CERTS) return void response.end(publicJwk);
    if (request.url === CALLBACK)
      return void take(request).then(
        () => response.end(),
        () => response.writeHead(403).end(),
      );
    request.originalUrl = request.url ?? '';
    request.url = request.originalUrl.replace(REALM, '');
    return answer(request, response);
  });
  return {
    issuer,
    callbacks,
    /** Names the authentication channel. */
    useHub: (url: string) => void (hub = url),
    begin: (more?: Record<string, string>) => begin(issuer, more),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function configuration({ privateKey }: Realm, triggerAuthenticationDevice: unknown): Promise<object> {
  return {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), ...KEY }] },
    clients: [TILL],
    // As Keycloak, which keeps a request for as long as its policy says, whatever its token does.
    ttl: { BackchannelAuthenticationRequest: 120 },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    features: {
      devInteractions: { enabled: false },
      ciba: {
        enabled: true,
        deliveryModes: ['poll'],
        processLoginHint: (_: unknown, hint: string) => hint,
        verifyUserCode() {},
        validateRequestContext() {},
        triggerAuthenticationDevice,
      },
    },
  };
}

/** As HttpAuthenticationChannelProvider of Keycloak sends it. */
async function askHub(
  hub: string,
  { issuer, privateKey }: Realm,
  { jti, params }: Request,
  user: string,
): Promise<void> {
  const iat = Math.floor(Date.now() / 1000);
  const exp = iat + Number(params['requested_expiry'] ?? 120);
  const token = await new SignJWT({ iss: issuer, aud: issuer, jti, azp: 'till', sub: user, iat, exp, typ: 'Bearer' })
    .setProtectedHeader({ alg: KEY.alg, typ: 'JWT', kid: KEY.kid })
    .sign(privateKey);
  const { binding_message, scope } = params;
  const { status } = await fetch(`${hub}/keycloak/v1/authentication`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ binding_message, login_hint: user, is_consent_required: false, scope }),
  });
  if (status !== 201) throw new Error(`unexpected response from authentication device: ${status}`);
}

/** The till asks that Anna is signed in; `tokens` polls until that was decided. */
async function begin(issuer: string, more: Record<string, string> = {}) {
  const auth = client.ClientSecretPost(TILL.client_secret);
  const till = await client.discovery(new URL(issuer), TILL.client_id, {}, auth, {
    execute: [client.allowInsecureRequests],
  });
  const asked = { scope: 'openid', login_hint: 'anna', binding_message: 'W4SCT', ...more };
  const response = await client.initiateBackchannelAuthentication(till, asked);
  return { tokens: () => client.pollBackchannelAuthenticationGrant(till, { ...response, interval: 0.1 }) };
}
