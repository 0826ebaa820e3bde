import { expect } from '@playwright/test';
import { coldVisit } from './page/cold.ts';
import { InquiryPage } from './page/inquiry.ts';
import { SAMPLES } from './page/samples.ts';
import { test } from './page/scene.ts';
import { shiftOf } from './page/shift.ts';
import { SIZES } from './page/sizes.ts';

test('a first visit asks for at most 8 things and 60 KB of script until a question can be read, and nothing moves', async ({
  place,
  openDevice,
}) => {
  const phone = await openDevice('Phone', { viewport: { width: 390, height: 844 } });
  const { id } = await place.ask({ title: 'Shall I deploy?', prompt: 'Everything is green.' });
  // Until then the visit is told that no device was notified, and says so above the rest.
  await expect.poll(async () => (await place.read({ id })).reach.told).toBe(1);
  await phone.getByText('Shall I deploy?').first().waitFor();
  const { requests, scriptBytes, shift } = await coldVisit(phone, place.origin, 'Shall I deploy?', 1);
  expect(requests).toContain('/');
  expect(requests.length, requests.join(' ')).toBeLessThanOrEqual(8);
  expect(scriptBytes).toBeGreaterThan(20_000);
  expect(scriptBytes).toBeLessThanOrEqual(60 * 1024);
  expect(shift).toBeLessThanOrEqual(0.02);
});

test('a first visit with 57 open needs at most 8 files and 66 KB of script until a row can be read', async ({
  place,
  openDevice,
}) => {
  const phone = await openDevice('Phone', { viewport: SIZES.phone });
  const context = { runId: 'one run' };
  await Promise.all(
    Array.from({ length: 57 }, (_, at) =>
      place.ask({
        actions: [{ name: 'Bash', args: { command: `ls ${at}` }, allowed: ['approve', 'reject'] }],
        context,
      }),
    ),
  );
  await phone.locator('a.row').first().waitFor();
  const { requests, scriptBytes } = await coldVisit(phone, place.origin, 'ls 5', 1);
  // A busy machine may draw the row after the page has asked who its person is.
  const files = requests.filter((path) => !path.startsWith('/v1/'));
  expect(files.length, files.join(' ')).toBeLessThanOrEqual(8);
  expect(scriptBytes).toBeLessThanOrEqual(66 * 1024);
});

test('a page asks once who its person is, and fetches nothing ahead on a line that is to be spared', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { viewport: SIZES.phone });
  const { id } = await place.ask(SAMPLES['call'] ?? {});
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  await page.clock.install();
  // What the page before still fetches is not counted.
  await page.goto('about:blank');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.goto(place.origin);
  await page.locator(`a.entry[href="/i/${id}"]`).waitFor();
  await page.clock.runFor(5000);
  await page.waitForLoadState('networkidle');
  const fetched = (part: RegExp) => asked.filter((one) => part.test(one)).length;
  expect([fetched(/^GET \/v1\/people\/me$/), fetched(/\/Calls-/)]).toEqual([1, 0]);
  await page.locator(`a.entry[href="/i/${id}"]`).click();
  await expect.poll(() => fetched(/\/Calls-/)).toBe(1);
});

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`nothing moves while a page is loaded for the first time, on a ${size}`, async ({ place, openDevice }) => {
    const page = await openDevice('Phone', { viewport });
    const paths = ['/', '/history', '/attention', '/devices', '/connect', '/sources', '/connections', '/settings'];
    paths.push('/automation', '/rules#me', '/yolo', '/deciders#new', '/quiet');
    for (const name of ['choice', 'call', 'form', 'document', 'several']) {
      const { id } = await place.ask(SAMPLES[name] ?? {});
      // Else the visit begins with the line that no device was notified of it, for which no room was kept.
      await expect.poll(async () => (await place.read({ id })).reach.told).toBe(1);
      paths.push(`/i/${id}`);
    }
    for (const path of paths) {
      const shift = await shiftOf(page, place.origin + path);
      expect.soft(shift, path).toBeLessThanOrEqual(0.02);
    }
  });
}

test('nothing moves on the visit after one that was told of a question of which no device was', async ({
  place,
  openDevice,
}) => {
  const { id } = await place.ask({ prompt: 'Is anybody there?' });
  const page = await openDevice('Laptop', { viewport: SIZES.desktop });
  await expect(page.getByText('One question: no device was notified.')).toBeVisible();
  // Until then the next visit is told so too, and says it.
  await expect.poll(async () => (await place.read({ id })).reach.told).toBe(1);
  expect(await shiftOf(page, `${place.origin}/history`)).toBeLessThanOrEqual(0.02);
});

test('a phone that opens an inquiry from nothing draws no list; the way back draws it', async ({
  place,
  openDevice,
}) => {
  const phone = await openDevice('Phone', { viewport: SIZES.phone });
  const { id } = await place.ask(SAMPLES['call'] ?? {});
  await phone.goto(`${place.origin}/i/${id}`);
  const inquiry = new InquiryPage(phone);
  await expect(inquiry.heading).toBeVisible();
  await expect(phone.locator('.index')).toHaveCount(0);
  await phone.getByRole('navigation', { name: 'Back to the inbox' }).getByRole('link').click();
  await expect(phone.locator(`a.entry[href="/i/${id}"]`)).toBeVisible();
});
