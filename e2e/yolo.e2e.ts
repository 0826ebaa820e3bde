import type { Page } from '@playwright/test';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { call, must } from './hub/call.ts';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press, button } from './page/press.ts';
import { expect, type Place, test } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';

const PHONE = { width: 390, height: 844 };
const run = (command: string, more: Partial<Action> = {}): Action => ({
  name: 'Bash',
  args: { command },
  allowed: ['approve', 'reject'],
  ...more,
});
const bandOf = (page: Page) => page.getByRole('status').filter({ hasText: /^YOLO until / });
const endOf = (page: Page) => page.getByRole('status').filter({ hasText: /^YOLO ended at / });
const become = async ({ ask }: Place, prompt: string, action = run('npm test')) =>
  (await ask({ prompt, actions: [action] })).resolution?.outcome ?? 'asked';

test('[POL6] YOLO started on one phone shows on the other, stops on both, and its end is a list', async ({
  place,
  openDevice,
}) => {
  const phone = await openDevice('Phone', { viewport: PHONE });
  const other = await openDevice('Other', { viewport: PHONE });
  await place.ask({ prompt: 'What colour?' });
  await phone.goto(`${place.origin}/yolo`);
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('YOLO is off.');
  const dialog = phone.getByRole('dialog', { name: 'Start YOLO' });
  await press(button(phone, 'Start…'), dialog);
  await dialog.getByRole('radio', { name: '15 min' }).check();
  await expect(dialog.getByRole('listitem').last()).toHaveText(/^Caution, and what a group is asked\s*ask me$/);
  expect(await faultsOf(phone)).toEqual([]);
  await press(dialog.getByRole('button', { name: /^Start until / }), bandOf(phone));
  await expect(dialog).toBeHidden();
  await expect(phone.getByRole('main')).toContainText(
    /Until .*\d\d:\d\d, calls of every source are approved without you; whatever destroys something, is marked caution, holds a secret or is asked of a group still asks you\./,
  );
  await expect(bandOf(other)).toContainText('Agents can act without asking.');
  expect(await faultsOf(other)).toEqual([]);

  expect([
    await become(place, 'May I?'),
    await become(place, 'May I wipe?', run('rm', { caution: true })),
    await become(place, 'May I clean?', run('rm -rf build')),
  ]).toEqual(['answered', 'asked', 'asked']);
  const inquiry = new InquiryPage(other);
  await inquiry.open('May I wipe?');
  await press(button(bandOf(other), 'Stop'), endOf(other));
  await expect(endOf(phone)).toHaveText(/^YOLO ended at \d\d:\d\d, 1 settled\./);
  expect(await become(place, 'And now?')).toBe('asked');

  await endOf(phone).getByRole('link', { name: 'See the list' }).click();
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText(/^YOLO ended at \d\d:\d\d, +one call approved\.$/);
  const main = phone.getByRole('main');
  await expect(main.getByRole('listitem')).toHaveText([
    /^Bash, 1 time\s*Atlas “May I\?”: Run npm test$/,
    '“May I clean?”: Run rm -rf build',
    '“May I wipe?”: Run rm',
  ]);
  expect(await faultsOf(phone)).toEqual([]);
  await button(phone, 'OK').click();
  await expect(endOf(other)).toBeHidden();
  await expect(endOf(phone)).toBeHidden();
});

test('[POL6] a stop on another device while calls come in: what came before is approved, what comes after is asked', async ({
  place,
  openDevice,
}) => {
  const { hub, mara } = place;
  const page = await openDevice('Phone', { viewport: PHONE });
  const { id } = await must<{ id: string }>(hub, 'POST /v1/yolo', {
    token: mara.token,
    body: { calls: 'approve', until: 600 },
  });
  await expect(bandOf(page)).toBeVisible();
  const texts: string[] = [];
  const asking = (async () => {
    while (texts.at(-1) !== 'asked') texts.push(await become(place, `Call ${texts.length}?`));
  })();
  await expect.poll(() => texts.length).toBeGreaterThan(3);
  await button(bandOf(page), 'Stop').click();
  await asking;
  expect([...new Set(texts)]).toEqual(['answered', 'asked']);
  const approved = texts.length - 1;
  await expect(endOf(page)).toHaveText(new RegExp(`^YOLO ended at \\d\\d:\\d\\d, ${approved} settled\\.`));
  await expect(page.getByRole('link', { name: `Call ${approved}?` })).toBeVisible();
  await page.goto(`${place.origin}/yolo#${id}`);
  await page.getByRole('button', { name: 'Open in History' }).click();
  const items = page.getByRole('main').getByRole('listitem');
  // It shows fifty at a time, and a fast hub approves more before it hears of the stop.
  for (let shown = 50; shown < approved; shown += 50) {
    await expect(items).toHaveCount(shown);
    await page.getByRole('button', { name: 'Show earlier ones' }).click();
  }
  await expect(items).toHaveCount(approved);
});

test('[POL6] calls that destroy something are approved too where its start says so, and its page says it', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Laptop');
  await page.goto(`${place.origin}/yolo`);
  const dialog = page.getByRole('dialog', { name: 'Start YOLO' });
  await press(button(page, 'Start…'), dialog);
  const destructive = dialog.getByRole('combobox', { name: 'Destructive calls' });
  await dialog.getByRole('combobox', { name: 'Calls', exact: true }).selectOption('ask me');
  await expect(destructive).toHaveCount(0);
  await dialog.getByRole('combobox', { name: 'Calls', exact: true }).selectOption('approved');
  await destructive.selectOption('like all calls');
  await press(dialog.getByRole('button', { name: /^Start until / }), bandOf(page));
  await expect(page.getByRole('main')).toContainText(
    'are approved without you; whatever is marked caution, holds a secret or is asked of a group still asks you.',
  );
  expect([
    await become(place, 'May I clean?', run('rm -rf build')),
    await become(place, 'May I wipe?', run('rm', { caution: true })),
  ]).toEqual(['answered', 'asked']);
});

test('starting YOLO asks about the calls that wait, each of which is shown, and never about what it leaves to people', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { viewport: PHONE });
  const waits = [await place.ask({ actions: [run('npm test')] }), await place.ask({ actions: [run('npm ci')] })];
  const careful = await place.ask({ actions: [run('rm -rf x', { caution: true })] });
  await place.ask({ actions: [run('rm -rf y')] });
  await goTo(page, 'Automation');
  const start = page.getByRole('dialog', { name: 'Start YOLO' });
  await press(button(page, 'Start…'), start);
  await start.getByRole('combobox', { name: 'For' }).selectOption('these sources');
  await expect(start.getByRole('checkbox', { name: 'Atlas', checked: true })).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Approve the 2 waiting too?' });
  await press(start.getByRole('button', { name: /^Start until / }), dialog);
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await expect(dialog).not.toContainText('rm -rf');
  expect(await faultsOf(page)).toEqual([]);
  // A dialog takes no press in its first moment, nor by a pointer that has not left.
  await expect(async () => {
    await page.mouse.move(2, 2);
    await dialog.getByRole('button', { name: 'Approve 2' }).click({ timeout: 1000 });
    await expect(dialog).toBeHidden({ timeout: 1000 });
  }).toPass();
  await expect.poll(async () => (await place.read(waits[0]!)).resolution?.by).toMatchObject({ kind: 'person' });
  expect((await place.read(waits[1]!)).resolution?.outcome).toBe('answered');
  expect((await place.read(careful)).resolution).toBeUndefined();
});

test('what YOLO approved is made a rule of from its list, for the source that asked', async ({ place, openDevice }) => {
  const { hub, mara } = place;
  const page = await openDevice('Laptop');
  const { id } = await must<{ id: string }>(hub, 'POST /v1/yolo', {
    token: mara.token,
    body: { calls: 'approve', until: 600 },
  });
  await become(place, 'May I?');
  await must(hub, `POST /v1/yolo/${id}/stop`, { token: mara.token });
  await page.goto(`${place.origin}/yolo#${id}`);
  const dialog = page.getByRole('dialog', { name: 'Always approve' });
  await press(page.getByRole('button', { name: 'Make rules of these' }), dialog);
  await expect(dialog.getByRole('status')).toContainText(/^When Atlas calls Bash, approve it until /);
  await button(dialog, 'Always approve').click();
  await expect(dialog).toBeHidden();
  expect(await become(place, 'And now?')).toBe('answered');
});

test('a stop without a line says that nothing was stopped', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', { viewport: PHONE });
  await must(place.hub, 'POST /v1/yolo', { token: place.mara.token, body: { calls: 'approve', until: 600 } });
  await expect(bandOf(page)).toBeVisible();
  // What the service worker keeps of the page is not there on a device's first visit.
  await page.goto(`${place.origin}/yolo`);
  await expect(button(page.getByRole('main'), 'Stop')).toBeVisible();
  await goTo(page, 'Inbox');
  await expect(bandOf(page)).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByRole('status').filter({ hasText: /^Offline since/ })).toBeVisible();
  // The line that is lost has the band's place.
  await expect(bandOf(page)).toBeHidden();
  await page.getByRole('link', { name: /^YOLO until / }).click();
  await button(page.getByRole('main'), 'Stop').click();
  await expect(page.getByRole('alert')).toHaveText(
    /^Not stopped: the hub cannot be reached\. It runs until .*\d\d:\d\d;/,
  );
  await page.context().setOffline(false);
  await expect(bandOf(page)).toBeVisible();
  expect(await become(place, 'May I?')).toBe('answered');
  await button(bandOf(page), 'Stop').click();
  await expect(endOf(page)).toBeVisible();
  await goTo(page, 'Inbox');
  await endOf(page).getByRole('button', { name: 'OK' }).click();
  await expect(endOf(page)).toBeHidden();
});

test('[POL10] a source asks for YOLO where the owner allowed it, and a person starts it from its inquiry', async ({
  place,
  openDevice,
}) => {
  const { hub, source } = place;
  const page = await openDevice('Phone', { viewport: PHONE });
  const body = { minutes: 15, reason: 'Forty small edits.' };
  const asking = () => call<Problem & Inquiry>(hub, 'POST /v1/yolo/ask', { token: source.key, body });
  const refused = await asking();
  expect([refused.status, refused.body.detail]).toEqual([
    403,
    'This source may not ask for YOLO: the owner of the hub allows it in Automation, YOLO.',
  ]);
  await page.goto(`${place.origin}/yolo`);
  await page.getByRole('checkbox', { name: 'Atlas' }).check();
  await expect.poll(async () => (await asking()).status).toBe(201);
  expect(await faultsOf(page)).toEqual([]);

  const { body: asked } = await asking();
  const own = await call(hub, `POST /v1/inquiries/${asked.id}/answer`, {
    token: source.key,
    body: { decisions: [{ type: 'approve' }], digest: asked.digest },
  });
  expect(own.status).toBe(403);
  const inquiry = new InquiryPage(page);
  await page.goto(`${place.origin}/i/${asked.id}`);
  await expect(inquiry.heading).toHaveText('Atlas asks for YOLO for 15 minutes');
  // It is marked caution: it is read to its end first.
  await inquiry.readOn();
  await inquiry.decide('Approve');
  await expect(bandOf(page)).toContainText('Atlas can act without asking.');
  expect(await become(place, 'May I?')).toBe('answered');
});
