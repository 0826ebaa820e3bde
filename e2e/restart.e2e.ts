import { type Hub, startHub } from './hub/hub.ts';
import { goTo } from './page/sign-in.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press } from './page/press.ts';
import { expect, settle, test as base } from './page/scene.ts';

// A hub that can be ended and started again is a process of its own.
const test = base.extend<{ hub: Hub }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures it needs from this pattern
  async hub({}, use) {
    const hub = await startHub();
    try {
      await use(hub);
    } finally {
      await hub.remove();
    }
  },
  place: async ({ hub }, use) => use(await settle(hub)),
});

for (const end of ['stop', 'kill'] as const) {
  const what = end === 'stop' ? 'a restart of the hub' : 'kill -9 of the hub';
  test(`[LIV1] ${what} loses no open inquiry and no typed word, and the page is back by itself`, async ({
    hub,
    place,
    openDevice,
  }) => {
    const inquiry = new InquiryPage(await openDevice('Phone'));
    const asked = await place.ask({ prompt: 'Shall the tests run at night?' });
    await inquiry.open('Shall the tests run at night?');
    await inquiry.answer.fill('Yes, at two');

    await hub[end]();
    const lost = inquiry.page.getByRole('status').filter({ hasText: 'Offline' });
    await expect(lost).toBeVisible();
    await hub.start();
    await expect(lost).toBeHidden();

    await place.ask({ prompt: 'Did that hurt?' });
    await expect(inquiry.page.getByRole('link', { name: 'Did that hurt?' })).toBeVisible();
    await expect(inquiry.answer).toHaveValue('Yes, at two');
    await press(inquiry.button('Send'), inquiry.heading.filter({ hasText: 'Did that hurt?' }));
    expect((await place.read(asked)).resolution).toMatchObject({ outcome: 'answered', text: 'Yes, at two' });
  });
}

test('an answer given while the hub is down is sent when it is up again', async ({ hub, place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const asked = await place.ask({ prompt: 'Shall the tests run at night?' });
  await inquiry.open('Shall the tests run at night?');
  await inquiry.answer.fill('Yes');
  await hub.kill();
  await inquiry.button('Send').click();
  await expect(inquiry.panel.getByText('It is sent when the hub is back.')).toBeVisible();
  await hub.start();
  await expect(inquiry.verdict).toHaveText('Atlas has your answer.');
  expect((await place.read(asked)).resolution).toMatchObject({ outcome: 'answered', text: 'Yes' });
});

test('a part of the page that is fetched while the hub is down comes when it is up again, and the page stays', async ({
  hub,
  openDevice,
}) => {
  // With a service worker the parts are kept on the device.
  const page = await openDevice('Phone', { serviceWorkers: 'block' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Nothing waits for you/);
  await hub.kill();
  await goTo(page, 'Settings');
  // Since when it says where that part had come before.
  await expect(page.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible();
  await hub.start();
  await expect(page.getByRole('heading', { name: 'This page' })).toBeVisible();
});
