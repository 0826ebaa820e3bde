import { expect, type Page } from '@playwright/test';
import type { Enrolled } from '#shared/schemas/enrolments.ts';
import type { Me } from '#shared/wire.ts';
import { must } from '../hub/call.ts';
import { press, button } from './press.ts';

/** Opens a one-time link, names the device and begins; the page is at the inbox then. */
export async function enrollByLink(page: Page, link: string, deviceName: string): Promise<void> {
  const start = performance.now();
  await beginByLink(page, link, deviceName);
  await arrives(page);
  performance.measure('test: sign a browser in', { start });
}

/** The same without the pages of signing in: what they leave on a device is there when the page is opened. */
export async function enterByLink(page: Page, link: string, deviceName: string): Promise<void> {
  const start = performance.now();
  const { origin, hash } = new URL(link);
  const body = { secret: hash.slice(1), deviceName };
  const { accessToken } = await must<Enrolled>({ url: origin }, 'POST /v1/enrolments/redeem', { body });
  const me = await must<Me>({ url: origin }, 'GET /v1/people/me', { token: accessToken });
  await page.context().addInitScript(keep(origin, { token: accessToken, me }));
  await page.goto(origin);
  await arrives(page);
  performance.measure('test: sign a browser in', { start });
}

// The page opens the same database after this, and so finds all of it. On a later visit the database is there already.
const keep = (origin: string, stored: Record<string, unknown>) => `if (location.origin === '${origin}') {
  const opening = indexedDB.open('beckon');
  opening.onupgradeneeded = () => {
    const store = opening.result.createObjectStore('device');
    for (const [key, value] of Object.entries(${JSON.stringify(stored)})) store.put(value, key);
  };
  opening.onsuccess = () => opening.result.close();
}`;

/** The same of the first device of a hub, which also asks for the person's name. */
export async function enrollFirst(page: Page, link: string, deviceName: string, personName: string): Promise<void> {
  await beginByLink(page, link, deviceName);
  await page.getByRole('textbox', { name: 'Your name' }).fill(personName);
  await button(page, 'Continue').click();
  await arrives(page);
}

/** Opens a link that a signed-in device made; returns the two digits to be picked there. */
export async function showNumber(page: Page, link: string, deviceName: string): Promise<string> {
  await beginByLink(page, link, deviceName);
  const number = page.getByRole('img', { name: /^The number \d\d$/ });
  return (await number.getAttribute('aria-label'))?.slice(-2) ?? '';
}

/** Makes a link on the Devices page. */
export async function makeLink(page: Page): Promise<string> {
  await goTo(page, 'Devices');
  await button(page, 'Add a device').click();
  return (await page.getByRole('link', { name: /\/enroll#/ }).getAttribute('href')) ?? '';
}

/** Picks the number that the new device shows. */
export async function pickNumber(page: Page, deviceName: string, number: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `Which number does ${deviceName} show?` });
  await press(dialog.getByRole('button', { name: `It shows ${number}` }), admission(page, deviceName));
}

/** Asks to sign in with a user name; the page then waits for six digits. */
export async function requestAccess(page: Page, origin: string, handle: string, deviceName: string): Promise<void> {
  await page.goto(origin);
  await page.getByRole('textbox', { name: 'User name' }).fill(handle);
  await page.getByRole('textbox', { name: 'This device' }).fill(deviceName);
  await button(page, 'Sign in with another device').click();
  await expect(page.getByRole('heading', { name: 'Enter the six digits.' })).toBeVisible();
}

/** Allows an access request; returns the six digits to be typed there. */
export async function approveSignIn(page: Page, deviceName: string): Promise<string> {
  const asks = page.getByRole('dialog', { name: `Approve the sign-in of ${deviceName}?` });
  const digits = page.getByRole('dialog', { name: `Enter these on ${deviceName}.` }).getByRole('img', { name: /^Six/ });
  const slip = page.getByRole('region', { name: 'Sign-in request' }).filter({ hasText: deviceName });
  await expect(asks.or(slip)).toBeVisible();
  if (await slip.isVisible()) await press(slip.getByRole('button', { name: 'Review' }), asks);
  await press(button(asks, 'Approve'), digits);
  return (await digits.getAttribute('aria-label'))?.replace(/\D/g, '') ?? '';
}

/** Types the six digits; the page is at the inbox then. */
export async function typeDigits(page: Page, digits: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Six digits 1/6' }).pressSequentially(digits);
  await arrives(page);
}

/** The sentence that says a device was let in. */
export function admission(page: Page, deviceName: string) {
  return page.getByRole('status').filter({ hasText: `${deviceName} signed in at` });
}

/** Goes to one of the five places. */
export async function goTo(
  page: Page,
  place: 'Inbox' | 'History' | 'Automation' | 'Devices' | 'Connect' | 'Settings',
): Promise<void> {
  const go = (nav: string, name: string) =>
    page.getByRole('navigation', { name: nav }).getByRole('link', { name, exact: true }).click();
  await go('Places', place === 'Devices' ? 'Settings' : place);
  if (place === 'Devices') await go('Settings', place);
}

async function beginByLink(page: Page, link: string, deviceName: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('textbox', { name: 'This device' }).fill(deviceName);
  await button(page, 'Sign in').click();
}

async function arrives(page: Page): Promise<void> {
  await expect(page.getByRole('navigation', { name: 'Places' })).toBeVisible();
}
