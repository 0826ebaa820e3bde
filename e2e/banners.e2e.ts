import type { Locator, Page } from '@playwright/test';
import type { Action } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { InquiryPage } from './page/inquiry.ts';
import { goTo } from './page/sign-in.ts';
import { SIZES } from './page/sizes.ts';
import { expect, type Place, test } from './page/scene.ts';

const CALL: Action = {
  name: 'Bash',
  args: { command: 'npm run deploy -- --env staging --wait --verbose' },
  allowed: ['approve', 'edit', 'reject', 'respond'],
};
const PHONE = { viewport: SIZES.phone };
const OWN: Action = {
  ...CALL,
  allowed: ['approve', 'reject'],
  options: [
    { id: 'once', label: 'Approve this one deploy to staging', type: 'approve' },
    { id: 'run', label: 'Approve and do not ask again in this run', type: 'approve', remember: 'for this run' },
    { id: 'ever', label: 'Approve and never ask again for staging', type: 'approve', remember: 'always' },
    { id: 'no', label: 'Reject and tell the agent to stop', type: 'reject' },
  ],
};

for (const [bar, action, viewport] of [
  ['short', CALL, { width: 390, height: 844 }],
  ['long', OWN, { width: 320, height: 568 }],
  ['long', OWN, { width: 1280, height: 800 }],
] as const)
  test(`nothing that arrives lies over a ${bar} decision bar at ${viewport.width}×${viewport.height}, and it is put off without an answer`, async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Device', { viewport });
    const inquiry = new InquiryPage(page);
    const asked = await place.ask({ title: 'May I deploy?', actions: [action] });
    await page.goto(`${place.origin}/i/${asked.id}`);
    // Where the bar leaves little room the call is below.
    await expect(async () => {
      if (await inquiry.panel.locator('.below').isVisible()) await inquiry.panel.locator('.below').click();
      await expect(inquiry.panel.getByRole('button', { name: /^Approve/ }).last()).toBeEnabled({ timeout: 1000 });
    }).toPass();
    await isFree(page, 'alone');
    for (const [what, arrive] of Object.entries(ARRIVALS)) {
      const { banner, putOff } = await arrive(place, page);
      await expect(banner, what).toBeVisible();
      await isFree(page, what);
      await putOffWith(banner, putOff);
      await isFree(page, `${what}, put off`);
    }
    await page.context().setOffline(true);
    await expect(page.getByRole('status').filter({ hasText: /^Offline since/ })).toBeVisible();
    await isFree(page, 'offline');
    await page.context().setOffline(false);
    expect((await place.read(asked)).resolution).toBeUndefined();
  });

type Arrival = { banner: Locator; putOff: string };
const ARRIVALS: Record<string, (place: Place, page: Page) => Promise<Arrival>> = {
  async 'a notice'({ hub, source }, page) {
    const body = { title: 'The backup is done', body: 'All of it. '.repeat(40) };
    await must(hub, 'POST /v1/notices', { token: source.key, body });
    return { banner: page.getByRole('status').filter({ hasText: 'The backup is done' }), putOff: 'Dismiss' };
  },
  async 'an urgent question'(place, page) {
    await place.ask({ prompt: 'Roll back 2.4? '.repeat(20), urgency: 'high' });
    return { banner: page.getByRole('region', { name: 'Urgent question' }), putOff: 'Later' };
  },
  async 'a sign-in request'({ hub }, page) {
    await must(hub, 'POST /v1/enrolments', { body: { handle: 'mara', deviceName: 'iPad of a name that is long' } });
    return { banner: page.getByRole('region', { name: 'Sign-in request' }), putOff: 'Not now' };
  },
  async 'an urgent question behind a sign-in request'(place, page) {
    await must(place.hub, 'POST /v1/enrolments', { body: { handle: 'mara', deviceName: 'Another iPad' } });
    const request = page.getByRole('region', { name: 'Sign-in request' });
    await expect(request).toBeVisible();
    const urgent = page.getByRole('region', { name: 'Urgent question' });
    await place.ask({ prompt: 'Stop the train?', urgency: 'high' });
    await expect(
      page
        .getByRole('link', { name: /Stop the train/ })
        .or(request)
        .first(),
    ).toBeVisible();
    await expect(urgent).toHaveCount(0);
    await putOffWith(request, 'Not now');
    return { banner: urgent, putOff: 'Later' };
  },
  async 'the end of YOLO'({ hub, mara }, page) {
    const { id } = await must<{ id: string }>(hub, 'POST /v1/yolo', {
      token: mara.token,
      body: { calls: 'approve', until: 600 },
    });
    const band = page.getByRole('status').filter({ hasText: /^YOLO until / });
    await expect(band).toBeVisible();
    await isFree(page, 'YOLO');
    await must(hub, `POST /v1/yolo/${id}/stop`, { token: mara.token });
    return { banner: page.getByRole('status').filter({ hasText: /^YOLO ended/ }), putOff: 'OK' };
  },
};

// It takes no press in its first moment.
async function putOffWith(banner: Locator, words: string): Promise<void> {
  await expect(async () => {
    if (await banner.isVisible()) await banner.getByRole('button', { name: words }).click({ timeout: 2000 });
    await expect(banner).toHaveCount(0, { timeout: 1000 });
  }).toPass();
}

// Asked again until all has come to rest.
async function isFree(page: Page, when: string): Promise<void> {
  await expect.poll(() => page.evaluate(COVERED), { message: `what lies over a button: ${when}` }).toEqual([]);
}

// Buttons of the decision that are not whole in the window, or under something else at a corner or in the middle.
const COVERED = (): string[] => {
  // A bar that is long in a small window stands at the end of the panel.
  document.querySelector('.inquiry .bar')?.scrollIntoView({ block: 'end', behavior: 'instant' });
  return [...document.querySelectorAll('.inquiry .bar-do button')]
    .filter((button) => button.checkVisibility())
    .flatMap((button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      const xs = [left + 5, (left + right) / 2, right - 5];
      const ys = [top + 5, (top + bottom) / 2, bottom - 5];
      const hits = ys.flatMap((y) => xs.map((x) => document.elementFromPoint(x, y)));
      const over = hits.find((hit) => !button.contains(hit));
      return over === undefined ? [] : [`${button.textContent}: ${over ? over.className || over.tagName : 'outside'}`];
    });
};

test('what is put off lies over no navigation, and is put off on every device', async ({ place, openDevice }) => {
  const { hub } = place;
  const [phone, laptop] = [await openDevice('Phone', PHONE), await openDevice('Laptop', { viewport: SIZES.desktop })];
  await goTo(phone, 'Settings');
  await goTo(laptop, 'Settings');
  const urgent = (page: Page) => page.getByRole('region', { name: 'Urgent question' });
  const request = (page: Page) => page.getByRole('region', { name: 'Sign-in request' });
  const asked = await place.ask({ prompt: 'Roll back 2.4?', urgency: 'high' });
  for (const page of [phone, laptop]) {
    await expect(urgent(page)).toBeVisible();
    await expect.poll(() => page.evaluate(PLACES_COVERED)).toEqual([]);
  }
  await putOffWith(urgent(phone), 'Later');
  await expect(urgent(laptop)).toHaveCount(0);
  const body = { handle: 'mara', deviceName: 'Watch' };
  const { enrolmentId } = await must<{ enrolmentId: string }>(hub, 'POST /v1/enrolments', { body });
  for (const page of [phone, laptop]) {
    await expect(request(page)).toContainText('Watch wants to sign in as you.');
    await expect.poll(() => page.evaluate(PLACES_COVERED)).toEqual([]);
  }
  await putOffWith(request(laptop), 'Not now');
  await expect(request(phone)).toHaveCount(0);
  for (const page of [phone, laptop]) {
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(urgent(page)).toHaveCount(0);
    await expect(request(page)).toHaveCount(0);
  }
  // Neither is answered, and the request stands with the devices.
  await goTo(phone, 'Devices');
  await expect(phone.getByRole('dialog', { name: 'Approve the sign-in of Watch?' })).toBeVisible();
  await expect.poll(() => phone.evaluate(PLACES_COVERED)).toEqual([]);
  expect((await place.read(asked)).resolution).toBeUndefined();
  await must(hub, `DELETE /v1/enrolments/${enrolmentId}`, { token: place.mara.token });
});

// Words of the navigation, of the whole page and of one place, over which something else lies.
const PLACES_COVERED = (): string[] =>
  [...document.querySelectorAll('.places a, .sub a')]
    .filter((link) => link.checkVisibility())
    .flatMap((link) => {
      const { left, top, width, height } = link.getBoundingClientRect();
      const over = document.elementFromPoint(left + width / 2, top + height / 2);
      return link.contains(over) ? [] : [`${link.textContent}: ${over?.className ?? 'outside'}`];
    });

test('a flood of notices from one source is one line, and one press ends it on every device', async ({
  place,
  openDevice,
}) => {
  const { hub, source } = place;
  const [page, other] = [await openDevice('Phone'), await openDevice('Laptop')];
  await page.getByRole('status').getByRole('button', { name: 'OK' }).click();
  const send = (title: string) => must(hub, 'POST /v1/notices', { token: source.key, body: { title } });
  for (const step of ['Fetched', 'Built', 'Tested']) await send(step);
  const line = (at: Page) => at.getByRole('status').filter({ hasText: 'Atlas' });
  await expect(line(page)).toHaveText(/Atlas\s+Tested\s+Dismiss/);
  await send('Deployed');
  await expect(line(page)).toHaveText(/Atlas\s+4 notices, the last one:\s+Deployed\s+Dismiss/);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  for (const at of [page, other]) await expect(line(at)).toHaveCount(0);
});
