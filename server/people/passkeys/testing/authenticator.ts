import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** What a test changes of an honest assertion. */
export type Lie = {
  /** Says that nobody showed a finger, face or PIN. */
  verified?: boolean;
  present?: boolean;
  counter?: number;
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  userHandle?: string;
  /** Signs with another key. */
  key?: KeyObject;
};

/** A passkey in software that signs as a real one does, and lies where a test wants it. */
export type Authenticator = {
  id: string;
  make(options: { challenge: string }, lie?: Lie): Record<string, unknown>;
  sign(options: { challenge: string }, lie?: Lie): Record<string, unknown>;
};

const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

/** An ES256 passkey for pages of `origin`; `synced` as those that are copied to other devices say. */
export function createAuthenticator(origin: string, { synced = true } = {}): Authenticator {
  const host = new URL(origin).hostname;
  const id = randomBytes(16);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  let counter = 0;

  function data(lie: Lie, attested: Buffer | undefined): Buffer {
    const { verified = true, present = true, rpId = host } = lie;
    counter = lie.counter ?? (synced ? 0 : counter + 1);
    const flags = (present ? 1 : 0) | (verified ? 4 : 0) | (synced ? 24 : 0) | (attested ? 64 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha(rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
  }
  const client = (type: string, challenge: string, lie: Lie): Buffer =>
    Buffer.from(
      JSON.stringify({ type: lie.type ?? type, challenge: lie.challenge ?? challenge, origin: lie.origin ?? origin }),
    );
  const envelope = { id: b64(id), rawId: b64(id), type: 'public-key', clientExtensionResults: {} };

  return {
    id: b64(id),
    make({ challenge }, lie = {}) {
      const length = Buffer.from([0, id.length]);
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const authData = data(lie, Buffer.concat([Buffer.alloc(16), length, id, key]));
      // {"fmt": "none", "attStmt": {}, "authData": bytes} as CBOR.
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([authData.length]),
        authData,
      ]);
      const clientDataJSON = b64(client('webauthn.create', challenge, lie));
      const response = { clientDataJSON, attestationObject: b64(attestation), transports: ['internal'] };
      return { ...envelope, response };
    },
    sign({ challenge }, lie = {}) {
      const authenticatorData = data(lie, undefined);
      const clientData = client('webauthn.get', challenge, lie);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha(clientData)]), lie.key ?? privateKey);
      const userHandle = lie.userHandle === undefined ? {} : { userHandle: lie.userHandle };
      const response = { clientDataJSON: b64(clientData), authenticatorData: b64(authenticatorData) };
      return { ...envelope, response: { ...response, signature: b64(signature), ...userHandle } };
    },
  };
}

/** A key that is not that of any passkey. */
export function strangeKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}
