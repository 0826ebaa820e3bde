import { defineConfig } from '@playwright/test';
import { quickChromium } from './chromium.ts';

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
    // Where a test needs the worker, its file allows it, in the whole browser: each costs a process and a second copy of the page.
    serviceWorkers: 'block',
    launchOptions: quickChromium(),
  },
});
