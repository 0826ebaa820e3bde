import type { Page } from '@playwright/test';
import type { Inquiry } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { startHub } from './hub/hub.ts';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { asInstalledApp, IPHONE, openHttps, showTest } from './page/newcomer.ts';
import { press, button } from './page/press.ts';
import { expect, firstLink, originOf, test } from './page/scene.ts';
import {
  enrollByLink,
  enrollFirst,
  goTo,
  approveSignIn,
  pickNumber,
  requestAccess,
  showNumber,
  typeDigits,
} from './page/sign-in.ts';

const head = (page: Page) => page.getByRole('heading', { level: 1 });
const step = (page: Page, title: string | RegExp) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name: title }) });

test('the page of a hub that nobody is signed in to says where the link is, and that no device can be asked', async ({
  openBrowser,
}) => {
  const hub = await startHub();
  try {
    const [stranger, laptop] = await Promise.all([openBrowser(originOf(hub)), openBrowser(originOf(hub))]);
    await stranger.goto(originOf(hub));
    await expect(head(stranger)).toHaveText('Set up Beckon.');
    await expect(stranger.getByRole('main')).toContainText('in the terminal where the hub was started');
    await expect(stranger.getByRole('main')).toContainText('there is no device that could be asked');
    await expect(stranger.getByRole('textbox')).toHaveCount(0);
    expect(await faultsOf(stranger)).toEqual([]);

    await laptop.goto(await firstLink(hub));
    await button(laptop, 'Sign in').click();
    await expect(laptop.getByRole('textbox', { name: 'Your name' })).toBeFocused();
    await laptop.reload();
    await laptop.getByRole('textbox', { name: 'Your name' }).fill('Mara');
    await button(laptop, 'Continue').click();
    await expect(head(laptop)).toHaveText('1 of 5 done.');
    await expect(head(stranger)).toHaveText('Sign in to Beckon.');
    await laptop.reload();
    await expect(head(laptop)).toHaveText('1 of 5 done.');
  } finally {
    await hub.remove();
  }
});

test('a newcomer gets from localhost to a phone, its installed app and a first question, each step proved by the hub', async ({
  openBrowser,
}) => {
  test.setTimeout(240_000);
  const https = await openHttps('beckon.test');
  let hub = await startHub(https.settings);
  const laptop = await openBrowser(originOf(hub));
  try {
    await enrollFirst(laptop, await firstLink(hub), 'MacBook', 'Mara');
    const agent = step(laptop, /Connect an agent|is connected/);
    await expect(laptop.getByRole('listitem').and(laptop.locator('[aria-current="step"]'))).toHaveText(
      /Connect an agent/,
    );
    await expect(agent.locator('pre')).toHaveText(/connect claude$/m);
    await expect(agent).toContainText('Listening…');
    expect(await faultsOf(laptop)).toEqual([]);
    const second = step(laptop, /Add your phone|is added/);
    await second.getByRole('button', { name: 'Add your phone' }).click();
    await expect(laptop.getByRole('button', { expanded: true })).toHaveText(/Add your phone/);
    await expect(second).toContainText(`This page came by ${originOf(hub)}, which opens only on this computer.`);
    await expect(second.locator('svg.qr')).toHaveCount(0);
    expect(await faultsOf(laptop)).toEqual([]);
    await checkAddress(laptop, 'localhost:4275', 'https://localhost:4275 opens only on this computer.');
    // A hub of the tests is found by the port that its own address names.
    const { port } = new URL(hub.url);
    const address = `https://beckon.test:${port}`;
    await checkAddress(laptop, address, `Start it again with PUBLIC_URL=${address}`);

    // As the page said.
    await hub.stop();
    hub = await startHub({ ...https.settings, DATA_DIR: hub.dataDir, PORT: port, PUBLIC_URL: address });
    await checkAddress(laptop, `beckon.test:${port}`, `The hub did not answer at ${address} (status 502`);
    https.leadTo(hub);
    await button(laptop, 'Check address').click();
    await expect(second).toContainText('Waiting for the phone.');
    const link = await second.getByRole('link', { name: /^https:\/\/beckon\.test:\d+\/enroll#/ }).getAttribute('href');

    const safari = await openBrowser(originOf(hub), IPHONE);
    await pickNumber(laptop, 'iPhone', await showNumber(safari, here(hub, link), 'iPhone'));
    await expect(second).toContainText('iPhone is added');
    await expect(head(laptop)).toHaveText('2 of 5 done.');
    await expect(head(safari)).toHaveText('1 of 3 done.');
    await expect(step(safari, 'Add Beckon to the Home Screen').getByRole('listitem')).toHaveText([
      /^Tap\s+in the browser’s bar\.$/,
      /^Choose\s+Add to Home Screen\.$/,
      'Open Beckon from there.',
    ]);
    expect(await faultsOf(safari)).toEqual([]);

    const app = await openBrowser(originOf(hub), IPHONE);
    await asInstalledApp(app);
    await requestAccess(app, originOf(hub), 'owner', 'Beckon app');
    const digits = await approveSignIn(safari, 'Beckon app');
    // The phone dropped the app while the digits were read in Safari.
    await app.reload();
    await expect(head(app)).toHaveText('Enter the six digits.');
    await typeDigits(app, digits);
    await expect(head(app)).toHaveText('2 of 5 done.');
    await expect(head(safari)).toHaveText('2 of 3 done.');

    await showTest(hub, app);
    await expect(head(safari)).toHaveText('3 of 3 done.');
    await expect(head(laptop)).toHaveText('2 of 5 done.');
    await showTest(hub, laptop);
    await expect(head(laptop)).toHaveText('3 of 5 done.');
    await expect(step(laptop, 'Notifications work')).toHaveCount(1);

    await agent.getByRole('radio', { name: 'JSON to paste' }).check();
    await press(button(laptop, 'New key'), laptop.getByRole('button', { name: 'Copy the key' }));
    const key = /bks_[\w-]+/.exec((await agent.textContent()) ?? '')?.[0] ?? '';
    await expect(agent.locator('pre').first()).toContainText(`"Authorization": "Bearer ${key}"`);
    const inquiry = new InquiryPage(laptop);
    await button(laptop, 'Send a test question').click();
    await inquiry.decide('Yes');
    await laptop.goto(originOf(hub));
    await expect(head(laptop)).toHaveText('4 of 5 done.');
    await expect(agent).toContainText('Test question arrived: This is a test. Can you read it?');
    await expect(agent).toContainText('Listening…');
    expect(await agent.textContent()).not.toContain(key);
    await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: { prompt: 'Can you read this?' } });
    await inquiry.open('Can you read this?');
    await inquiry.answer.fill('Yes');
    await inquiry.decide('Send');
    await laptop.goto(`${originOf(hub)}/steps`);
    await expect(head(laptop)).toHaveText('5 of 5 done.');
    await expect(agent).toContainText('Claude Code is connected');
    await laptop.getByRole('button', { name: 'Close' }).click();
    await expect(head(laptop)).toHaveText(/Nothing waits for you/);
    await laptop.reload();
    await expect(head(laptop)).toHaveText(/Nothing waits for you/);
    await goTo(laptop, 'Settings');
    await expect(
      laptop.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Devices' }),
    ).toBeVisible();
    await expect(laptop.getByRole('link', { name: 'First steps' })).toHaveCount(0);
  } finally {
    await hub.remove();
    https.close();
  }
});

test('a hub that was started for an address without https says so wherever it is opened, and draws a code only when it is wanted', async ({
  openBrowser,
}) => {
  let hub = await startHub();
  await hub.stop();
  const { port } = new URL(hub.url);
  const address = `http://192.0.2.7:${port}`;
  hub = await startHub({ DATA_DIR: hub.dataDir, PORT: port, PUBLIC_URL: address });
  try {
    const laptop = await openBrowser(originOf(hub));
    await enrollFirst(laptop, await firstLink(hub), 'MacBook', 'Mara');
    const second = step(laptop, 'Add your phone');
    await second.getByRole('button', { name: 'Add your phone' }).click();
    await expect(second.getByRole('heading', { name: 'Phones need https' })).toBeVisible();
    await expect(second).toContainText(`This page came by ${address}. Without https a phone shows no notifications`);
    await expect(second.getByText('With Tailscale')).toBeVisible();
    await expect(second.getByText('With a domain')).toBeVisible();
    await expect(second.locator('svg.qr')).toHaveCount(0);
    expect(await faultsOf(laptop)).toEqual([]);
    await checkAddress(laptop, 'localhost:4275', 'https://localhost:4275 opens only on this computer.');
    await second.getByRole('button', { name: `Use ${address}` }).click();
    await expect(second.getByRole('link', { name: `${address}/enroll#` })).toBeVisible();
    await expect(second.locator('svg.qr')).toBeVisible();
    await goTo(laptop, 'Devices');
    await button(laptop, 'Add a device').click();
    const added = laptop.getByRole('region', { name: 'Add a device' });
    await expect(added.getByRole('heading', { name: 'Phones need https' })).toBeVisible();
  } finally {
    await hub.remove();
  }
});

test('an invited person gets two steps, puts them off, finds them again in Settings, and finishes on another device', async ({
  place,
  openBrowser,
}) => {
  const invite = { token: place.mara.token, body: { handle: 'jonas' } };
  const { link, person } = await must<{ link: string; person: { id: string } }>(place.hub, 'POST /v1/people', invite);
  const phone = await openBrowser(place.origin, { viewport: IPHONE.viewport });
  await phone.goto(link);
  await button(phone, 'Sign in').click();
  await phone.getByRole('textbox', { name: 'Your name' }).fill('Jonas');
  await button(phone, 'Continue').click();
  await expect(head(phone)).toHaveText('1 of 2 done.');
  await expect(phone.getByRole('heading', { level: 2 })).toHaveText([
    'Done: This device is signed in',
    /Turn on notifications/,
  ]);
  await phone.getByRole('button', { name: 'Finish later' }).click();
  await expect(head(phone)).toHaveText(/Nothing waits for you/);

  const again = await must<{ link: string }>(place.hub, `POST /v1/people/${person.id}/link`, {
    token: place.mara.token,
  });
  const laptop = await openBrowser(place.origin);
  await enrollByLink(laptop, again.link, 'Laptop');
  await expect(head(laptop)).toHaveText(/Nothing waits for you/);
  await goTo(laptop, 'Settings');
  await laptop.getByRole('link', { name: 'First steps' }).click();
  await expect(head(laptop)).toHaveText('1 of 2 done.');
  await showTest(place.hub, laptop);
  await expect(head(laptop)).toHaveText('2 of 2 done.');
});

test('a device that opened a link shows the same number after it was loaded again, and is told from one of the same name', async ({
  place,
  openBrowser,
  openDevice,
}) => {
  const laptop = await openDevice('MacBook');
  await goTo(laptop, 'Devices');
  await button(laptop, 'Add a device').click();
  const added = laptop.getByRole('region', { name: 'Add a device' });
  await expect(added.getByRole('heading', { name: 'Phones need https' })).toBeVisible();
  await expect(added.locator('svg.qr')).toHaveCount(0);
  const link = (await laptop.getByRole('link', { name: /\/enroll#/ }).getAttribute('href')) ?? '';
  const phone = await openBrowser(place.origin, IPHONE);
  const number = await showNumber(phone, link, 'MacBook');
  await phone.reload();
  await expect(phone.getByRole('img', { name: `The number ${number}` })).toBeVisible();
  await pickNumber(laptop, 'MacBook', number);
  await expect(phone.getByRole('navigation', { name: 'Places' })).toBeVisible();
  await expect(laptop.getByRole('button', { name: /^Rename MacBook/ })).toHaveCount(2);
  await expect(button(laptop, 'Rename MacBook (2)')).toBeVisible();
  expect(await faultsOf(laptop)).toEqual([]);
});

async function checkAddress(page: Page, address: string, says: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Then enter the new address' }).fill(address);
  await expect(async () => {
    await button(page, 'Check address').click();
    await expect(page.getByRole('alert').filter({ hasText: says })).toBeVisible({ timeout: 2000 });
  }).toPass();
}

// The link as a browser of the tests can open it, which has no such name.
function here(hub: { url: string }, link: string | null): string {
  return `${originOf(hub)}/enroll${new URL(link ?? '').hash}`;
}
