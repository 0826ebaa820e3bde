// Verifies receipts of a Beckon hub without the hub. For browsers and Node 20 or newer; needs nothing else.

const TYPE = 'beckon-receipt+jwt';
const ALGORITHMS = {
  EdDSA: [{ name: 'Ed25519' }, { name: 'Ed25519' }],
  ES256: [
    { name: 'ECDSA', namedCurve: 'P-256' },
    { name: 'ECDSA', hash: 'SHA-256' },
  ],
};

/**
 * The claims of a receipt by which exactly this call may run now; throws for any other, whatever is wrong with it. `keys`: the
 * hub's key set, `/.well-known/jwks.json`, kept since. `args`: the exact JSON text of the arguments, or their value where a
 * double changes no number in it.
 */
export async function verifyReceipt(receipt, { keys, issuer, tool, args, audience, now }) {
  const claims = await signedClaims(receipt, keys).catch(() => undefined);
  const { iss, aud, exp, authorization_details: calls } = claims ?? {};
  const digest = await digestCall(tool, typeof args === 'string' ? args : JSON.stringify(args));
  const fits = Array.isArray(calls) && calls.some(({ type, run }) => type === 'beckon_call' && run === digest);
  if (!fits || iss !== issuer || aud !== audience || !(exp * 1000 > (now ?? Date.now())))
    throw new Error('This receipt does not let this call run now.');
  return claims;
}

/** SHA-256 of a call, in lower-case hex, over `{"arguments":…,"tool":…}` with members sorted and numbers as written. */
export async function digestCall(tool, argsText) {
  const text = `{"arguments":${canonical(argsText)},"tool":${JSON.stringify(tool)}}`;
  const bytes = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A JSON text without white space, each object's members sorted by code unit, strings as `JSON.stringify` writes them. */
export function canonical(text) {
  JSON.parse(text); // Throws where it is none.
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[-+.\w]+|[{}[\],:]/g) ?? [];
  let at = 0;
  const list = (end, item) => {
    const items = [];
    while (tokens[at] !== end) {
      items.push(item());
      if (tokens[at] === ',') at++;
    }
    at++;
    return items;
  };
  const value = () => {
    const token = tokens[at++];
    if (token === '[') return `[${list(']', value).join()}]`;
    if (token !== '{') return token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token;
    const members = list('}', () => {
      const name = JSON.parse(tokens[at]);
      at += 2;
      return [name, value()];
    });
    if (new Set(members.map(([name]) => name)).size < members.length) throw new SyntaxError('A member stands twice.');
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${inner}`).join()}}`;
  };
  return value();
}

async function signedClaims(receipt, { keys }) {
  const [header, payload, signature, ...more] = receipt.split('.');
  const { alg, kid, typ, crit } = JSON.parse(new TextDecoder().decode(bytesOf(header)));
  const key = keys.find((one) => one.kid === kid && one.alg === alg);
  if (more.length > 0 || typ !== TYPE || crit !== undefined || !Object.hasOwn(ALGORITHMS, alg)) return undefined;
  const [imported, checked] = ALGORITHMS[alg];
  const { subtle } = globalThis.crypto;
  const { kty, crv, x, y } = key;
  const known = await subtle.importKey('jwk', { kty, crv, x, y }, imported, false, ['verify']);
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  if (!(await subtle.verify(checked, known, bytesOf(signature), signed))) return undefined;
  return JSON.parse(new TextDecoder().decode(bytesOf(payload)));
}

/** What base64url holds; throws for a text that is not the one spelling of its bytes. */
function bytesOf(base64url) {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  if (btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') !== base64url)
    throw new SyntaxError('This is not base64url.');
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
