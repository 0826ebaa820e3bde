import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { defineConfig } from '@playwright/test';

// In the shell, Chromium without windows, a page takes half of the time.
const SHELL = ['chromium-headless-shell'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

// Without one of these Playwright takes the shell that it installed itself.
const { BECKON_TEST_CHROMIUM_SHELL: shell, BECKON_TEST_CHROMIUM: browser } = process.env;
const chromium = shell || onPath(SHELL) || browser || onPath(NAMES);

function onPath(names: string[]): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  // Pictures for people to look at: `SHOTS=1 npm run e2e -- shots`.
  testIgnore: process.env['SHOTS'] ? [] : ['shots.e2e.ts'],
  outputDir: '../test-results/e2e',
  // Half of the time of a test is waiting for its page: two keep one processor busy.
  workers: 4,
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
    // Where a test needs the worker, its file allows it: each costs a process and a second copy of the page.
    serviceWorkers: 'block',
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
