import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import type { Desktop } from './desktop.ts';

const START_MS = 120_000;

/** A Chromium with a profile of its own that shows its notifications on `desktop`. */
export async function launchChromium(desktop: Desktop, flags: readonly string[]): Promise<Browser> {
  return puppeteer.launch({
    browser: 'chrome',
    executablePath: program('BECKON_TEST_CHROMIUM', [
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
    ]),
    headless: true,
    timeout: START_MS,
    protocolTimeout: START_MS,
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: desktop.address },
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', ...flags],
  });
}

/** A Firefox with a profile of its own that shows its notifications on `desktop` and has its push service at `pushUrl`. */
export async function launchFirefox(desktop: Desktop, pushUrl: string): Promise<Browser> {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: program('BECKON_TEST_FIREFOX', ['firefox-esr', 'firefox']),
    headless: true,
    timeout: START_MS,
    protocolTimeout: START_MS,
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: desktop.address },
    extraPrefsFirefox: {
      // Else the remote agent switches the push service off.
      'remote.prefs.recommended': false,
      'dom.push.connection.enabled': true,
      'dom.push.serverURL': pushUrl,
      'dom.push.testing.allowInsecureServerURL': true,
      'dom.push.retryBaseInterval': 500,
      'alerts.useSystemBackend': true,
      'browser.shell.checkDefaultBrowser': false,
      'datareporting.policy.dataSubmissionEnabled': false,
    },
  });
}

function program(variable: string, names: string[]): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const found = process.env[variable] || paths.find((path) => existsSync(path));
  if (!found) throw new Error(`none of ${names.join(', ')} is installed: "npm test" installs it`);
  return found;
}
