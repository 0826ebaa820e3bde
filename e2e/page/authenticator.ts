import type { CDPSession, Page } from '@playwright/test';

/** A passkey device that Chromium simulates for one page. */
export class VirtualAuthenticator {
  readonly #devtools: CDPSession;
  readonly #id: string;

  private constructor(devtools: CDPSession, id: string) {
    this.#devtools = devtools;
    this.#id = id;
  }

  static async on(page: Page, { synced = true } = {}): Promise<VirtualAuthenticator> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable', { enableUI: false });
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
        defaultBackupEligibility: synced,
        defaultBackupState: synced,
      },
    });
    return new VirtualAuthenticator(devtools, authenticatorId);
  }

  /** Whether whoever holds the device shows their finger, face or PIN. */
  verifies(isUserVerified: boolean): Promise<unknown> {
    return this.#devtools.send('WebAuthn.setUserVerified', { authenticatorId: this.#id, isUserVerified });
  }

  /** What it signs lies about this. */
  lies(bits: { isBogusSignature?: boolean; isBadUV?: boolean; isBadUP?: boolean }): Promise<unknown> {
    return this.#devtools.send('WebAuthn.setResponseOverrideBits', { authenticatorId: this.#id, ...bits });
  }

  /** Sets how often its passkeys say they were used. */
  async count(signCount: number): Promise<void> {
    const { credentials } = await this.#devtools.send('WebAuthn.getCredentials', { authenticatorId: this.#id });
    for (const credential of credentials) {
      await this.#devtools.send('WebAuthn.removeCredential', {
        authenticatorId: this.#id,
        credentialId: credential.credentialId,
      });
      await this.#devtools.send('WebAuthn.addCredential', {
        authenticatorId: this.#id,
        credential: { ...credential, signCount },
      });
    }
  }
}

/** Has the page's browser sign these options, as JSON. */
export function signOn(page: Page, options: object): Promise<Record<string, unknown>> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as PublicKeyCredentialRequestOptionsJSON);
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
    return { ...credential.toJSON() };
  }, options);
}

/** Has the page's browser make a passkey with these options, as JSON. */
export function makeOn(page: Page, options: object): Promise<Record<string, unknown>> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as PublicKeyCredentialCreationOptionsJSON);
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    return { ...credential.toJSON() };
  }, options);
}
