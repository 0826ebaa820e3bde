import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LaunchOptions } from '@playwright/test';

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const args = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The program that this variable names, else the first of these on the path. */
export function findProgram(variable: string, names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return process.env[variable] || paths.find((path) => existsSync(path));
}

/** The whole Chromium of this machine. */
export const findChromium = (): string | undefined => findProgram('BECKON_TEST_CHROMIUM', CHROMIUM);

/** The whole Chromium, else the one Playwright installed: the shell ends a service worker that sets a badge, and calls of the page fail with it. */
export function wholeChromium(): LaunchOptions {
  const executablePath = findChromium();
  return { args, ...(executablePath ? { executablePath } : { channel: 'chromium' }) };
}

/** Chromium without windows, in which a page takes half of the time; else the whole one, else the shell Playwright installed. */
export function quickChromium(): LaunchOptions {
  const executablePath = findProgram('BECKON_TEST_CHROMIUM_SHELL', ['chromium-headless-shell']) ?? findChromium();
  return { args, ...(executablePath ? { executablePath } : {}) };
}
