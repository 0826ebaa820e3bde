import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { enrollByLink } from '../../e2e/page/door.ts';
import settings from '../../e2e/playwright.config.ts';
import { until } from '../../e2e/hub/until.ts';

/** A Chromium of its own with a signed-in page, and the port that other tools reach it by. */
export type Signed = { context: BrowserContext; port: string; close(): Promise<void> };

/** Starts the browser that the tests use, at a phone's size, and lets it in by the link. */
export async function openSigned(link: string): Promise<Signed> {
  const profile = mkdtempSync(join(tmpdir(), 'beckon-scores-'));
  const { executablePath, args = [] } = settings.use?.launchOptions ?? {};
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath ? { executablePath } : {}),
    args: [...args, '--remote-debugging-port=0'],
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await enrollByLink(page, link, 'Phone');
  const told = await until('the port of the browser', () => readPort(join(profile, 'DevToolsActivePort')));
  return {
    context,
    port: told,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

function readPort(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').split('\n')[0];
  } catch {
    return undefined;
  }
}
