import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { defineConfig } from '@playwright/test';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

// Without one of these Playwright takes the Chromium that it installed itself.
const installed = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((path) => existsSync(path));
const chromium = process.env['BECKON_TEST_CHROMIUM'] || installed;

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  // Pictures for people to look at: `SHOTS=1 npm run e2e -- shots`.
  testIgnore: process.env['SHOTS'] ? [] : ['shots.e2e.ts'],
  outputDir: '../test-results/e2e',
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 90_000,
  expect: { timeout: 20_000, toPass: { timeout: 20_000 } },
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    actionTimeout: 20_000,
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
