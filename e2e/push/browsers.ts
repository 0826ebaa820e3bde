import puppeteer, { type Browser } from 'puppeteer-core';
import { findChromium, findProgram } from '../chromium.ts';
import type { Desktop } from './desktop.ts';

const START_MS = 120_000;

/** A Chromium with a profile of its own that shows its notifications on `desktop`. */
export async function launchChromium(desktop: Desktop, flags: readonly string[]): Promise<Browser> {
  return puppeteer.launch({
    browser: 'chrome',
    executablePath: installed('Chromium', findChromium()),
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
    executablePath: installed('Firefox', findProgram('BECKON_TEST_FIREFOX', ['firefox-esr', 'firefox'])),
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

function installed(name: string, path: string | undefined): string {
  if (!path) throw new Error(`${name} is not installed: "npm test" installs it`);
  return path;
}
