import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { wholeChromium } from '../../e2e/chromium.ts';
import { enrollByLink } from '../../e2e/page/sign-in.ts';

const { executablePath = chromium.executablePath(), ...options } = wholeChromium();

export type Profile = { executablePath: string; profile: string };
/** A Chromium with a profile that stays, in which the page is signed in. */
export type Signed = {
  context: BrowserContext;
  /** Ends it and leaves what another program needs to start the same. */
  leave(): Promise<Profile>;
  close(): Promise<void>;
};

/** Starts the browser that the tests use, at a phone's size, and lets it in by the link. */
export async function openSigned(link: string): Promise<Signed> {
  const profile = mkdtempSync(join(tmpdir(), 'beckon-scores-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    ...options,
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
  });
  await enrollByLink(context.pages()[0] ?? (await context.newPage()), link, 'Phone');
  return {
    context,
    async leave() {
      await context.close();
      return { executablePath, profile };
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
