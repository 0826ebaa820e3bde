import type { Locator, Page } from '@playwright/test';
import type { Action, Ask, Inquiry } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { addSource } from './hub/people.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press } from './page/press.ts';
import { expect, type Place, testOnOneHub as test } from './page/scene.ts';

const SMALL = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
const END = 'after you have seen the end';
const MAY: Action['allowed'] = ['approve', 'reject'];
const bash = (command: string, more: Partial<Action> = {}): Action => ({
  name: 'Bash',
  args: { command },
  allowed: MAY,
  ...more,
});
// As much as an ask may weigh: 256 KiB, in which each line end takes two.
const HUGE = Array.from({ length: 7300 }, (_, at) => `echo step ${at} of the nightly job`).join('\n');
const HIDDEN = [
  ...Array.from({ length: 23 }, (_, at) => `echo "step ${at}"`),
  'rm -rf "$HOME/backups"',
  ...Array.from({ length: 23 }, (_, at) => `echo "step ${at}"`),
].join('\n');

async function open(place: Place, page: Page, ask: Ask, no = 'Reject') {
  const inquiry = new InquiryPage(page);
  const asked = await place.ask(ask);
  await page.goto(`${place.origin}/i/${asked.id}`);
  await expect(inquiry.button(no)).toBeVisible();
  return { inquiry, asked, approve: inquiry.panel.getByRole('button', { name: /^Approve/ }) };
}

const all = (inquiry: InquiryPage) => inquiry.quiet('Show all, go to the end');
const isReady = (approve: Locator) => expect(approve).not.toHaveAttribute('aria-disabled', 'true');

const WAYS: Record<string, (button: Locator) => Promise<void>> = {
  'a finger': (button) => button.tap(),
  'the keyboard': (button) => button.press('Enter'),
  // Without a pointer or a key.
  'a screen reader': (button) => button.evaluate((element) => (element as HTMLElement).click()),
};
for (const [who, act] of Object.entries(WAYS))
  test(`[SEE1] the end of 256 KiB is at most three presses away for ${who}, at 360 px and 200 % text`, async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Phone', SMALL);
    const { inquiry, asked, approve } = await open(place, page, { title: 'Nightly job', actions: [bash(HUGE)] });
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await expect(all(inquiry)).toBeVisible();
    let presses = 0;
    await expect(async () => {
      if (presses < 3 && (await all(inquiry).isVisible())) {
        presses++;
        await act(all(inquiry));
      }
      await expect(approve).not.toHaveAttribute('aria-disabled', 'true', { timeout: 3000 });
    }).toPass();
    expect(presses).toBeGreaterThan(0);
    expect(presses).toBeLessThanOrEqual(3);
    await inquiry.decide('Approve');
    expect((await place.read(asked)).resolution?.answer).toEqual({ decisions: [{ type: 'approve' }] });
  });

test('[PAG1] [SEE1] a destructive line in the middle of a script is approved by no tap and no key before its end was there', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', SMALL);
  const { inquiry, asked, approve } = await open(place, page, { title: 'Nightly job', actions: [bash(HIDDEN)] });
  await expect(inquiry.panel.getByText(/^Destructive/)).toBeVisible();
  await expect(inquiry.button(`Approve ${END}`)).toBeDisabled();
  await approve.tap({ force: true });
  for (const key of ['y', '1', 'Enter', 'Control+Enter']) await page.keyboard.press(key);
  expect((await place.read(asked)).resolution).toBeUndefined();
  await page.reload();
  await expect(inquiry.button(`Approve ${END}`)).toBeDisabled();
  await press(all(inquiry), inquiry.button('Approve'));
  await inquiry.decide('Approve');
  expect((await place.read(asked)).resolution?.answer).toEqual({ decisions: [{ type: 'approve' }] });
});

test('[SEE1] a rule for a call, an option of its sender and an edit wait for its end too', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', SMALL);
  const options: Action['options'] = [
    { id: 'once', label: 'Go', type: 'approve' },
    { id: 'no', label: 'Stop', type: 'reject' },
  ];
  const own = await open(place, page, { actions: [bash(HIDDEN, { options })] }, 'Reject “Stop”');
  await expect(own.approve).toBeDisabled();
  await own.approve.tap({ force: true });
  expect((await place.read(own.asked)).resolution).toBeUndefined();
  const call = bash(HIDDEN, { allowed: ['approve', 'edit', 'reject'] });
  const { inquiry, asked } = await open(place, page, {
    actions: [call],
    suggested: { decisions: [{ type: 'approve' }] },
  });
  await press(inquiry.quiet('Edit'), inquiry.button(`Approve ${END}`));
  await inquiry.button(`Approve ${END}`).tap({ force: true });
  expect((await place.read(asked)).resolution).toBeUndefined();
  await page.reload();
  await press(inquiry.button('More').last(), page.getByRole('dialog', { name: 'More' }));
  await page.getByRole('dialog').getByRole('button', { name: 'Always approve…' }).tap();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(inquiry.button(`Approve ${END}`)).toBeDisabled();
});

test('[SEE1] the text of a file is approved from its head, what stands below it is read, and a person may want every end', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', SMALL);
  const content = Array.from({ length: 300 }, (_, at) => `line ${at}`).join('\n');
  const write = (more: object): Action => ({
    name: 'Write',
    args: { file_path: 'src/a.ts', content, ...more },
    allowed: MAY,
  });
  const plain = await open(place, page, { actions: [write({})] });
  await isReady(plain.approve);
  const below = await open(place, page, { actions: [write({ mode: 'run it' })] });
  await expect(below.inquiry.button(`Approve after you have seen the call`)).toBeDisabled();
  await press(below.inquiry.below, below.inquiry.button('Approve'));
  const choose = (readToEnd: boolean) =>
    must(place.hub, 'PATCH /v1/people/me', { token: place.mara.token, body: { preferences: { readToEnd } } });
  await page.goto(`${place.origin}/settings`);
  await page.getByRole('combobox', { name: 'Files, before approving' }).selectOption('Always to the end');
  const strict = await open(place, page, { actions: [write({})] });
  await expect(strict.inquiry.button(`Approve ${END}`)).toBeDisabled();
  await press(all(strict.inquiry), strict.inquiry.button('Approve'));
  await choose(false);
});

test('a command of 20,000 words is drawn without an element for each', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', SMALL);
  const words = Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(' ');
  const { inquiry } = await open(place, page, { actions: [bash(`echo ${words}`)] });
  await press(all(inquiry), inquiry.button('Approve'));
  expect(await inquiry.panel.locator('*').count()).toBeLessThan(600);
  const lines = Array.from({ length: 20_000 }, (_, at) => `l${at}`).join('\n');
  const diff = [{ path: 'a.txt', oldText: '', newText: lines }];
  const file = await open(place, page, { actions: [{ name: 'edit', args: {}, allowed: MAY, diff }] });
  await expect(file.inquiry.panel.getByText('l19999')).toHaveCount(1);
  expect(await file.inquiry.panel.locator('*').count()).toBeLessThan(3000);
});

test('[SEE1] what of a run was not seen whole is left open, and its list says so', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', SMALL);
  const asked: Inquiry[] = [];
  for (const at of [1, 2, 3, 4, 5, 6, 7])
    asked.push(
      await place.ask({
        actions: [bash(`${at}\n`.repeat(12))],
        context: { runId: 'seen' },
        deadline: 600 + at,
      }),
    );
  await page.getByRole('button', { name: /^Approve 7/ }).tap();
  const dialog = page.getByRole('dialog', { name: 'Approve these 7 calls?' });
  const some = dialog.getByRole('button', { name: /^Approve [1-6]\b/ });
  await expect(some).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^\d calls not seen to their end: they stay open$/ })).toBeVisible();
  await isReady(some);
  const count = Number(/\d/.exec(await some.innerText())?.[0]);
  await some.tap();
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(async () => (await Promise.all(asked.map((one) => place.read(one)))).filter((one) => one.resolution).length)
    .toBe(count);
  for (const one of asked) if (!(await place.read(one)).resolution) await place.withdraw(one);
});

test('[SEE1] in the list of a run what is said of a call stands below it and hides no end, and presses reach each end', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', SMALL);
  const said = Array.from({ length: 60 }, (_, at) => `It is fine, line ${at}.`).join('\n');
  for (const at of [1, 2, 3, 4, 5, 6, 7])
    await place.ask({
      title: `Call ${at}`,
      ...(at === 1 ? { prompt: said } : {}),
      actions: [bash(at === 1 ? 'echo step\n'.repeat(40) : 'ls')],
      context: { runId: 'said' },
      deadline: 600 + at,
    });
  const open = page.getByRole('button', { name: /^Approve 7/ });
  await expect(open).toBeVisible();
  await page.clock.install();
  const look = () => page.clock.runFor(500);
  await open.tap();
  const dialog = page.getByRole('dialog', { name: 'Approve these 7 calls?' });
  const below = dialog.locator('.below');
  await expect(dialog).toBeVisible();
  await look();
  // However long the list, its heading stands whole.
  expect(await dialog.getByRole('heading').evaluate((head) => head.scrollHeight - head.clientHeight)).toBeLessThan(2);
  for (const above of [0, 150]) {
    await dialog
      .getByRole('list')
      .evaluate((list, px) => list.scrollTo(0, list.scrollHeight - list.clientHeight - px), above);
    await look();
  }
  // Its first line and the last that was said of it were on the screen, and the end of what runs was not.
  await expect(below).toHaveText('1 call not seen to its end: it stays open');
  for (let presses = 0; presses < 12 && (await below.isVisible()); presses++) {
    await below.tap();
    await look();
  }
  await expect(below).toHaveCount(0);
  await isReady(dialog.getByRole('button', { name: /^Approve 7/ }));
});

test.describe('no rhythm decides', () => {
  const inRun = (command: string, runId: string, more: Partial<Action> = {}): Ask => ({
    title: command.startsWith('ls') ? 'May I look?' : 'Deploy',
    actions: [bash(command, more)],
    context: { runId },
    deadline: 900,
  });
  const DESKTOP = { viewport: { width: 1280, height: 800 } };
  const outcome = async (place: Place, asked: { id: string }) => (await place.read(asked)).resolution?.text;

  for (const [device, options] of Object.entries({ phone: SMALL, desktop: DESKTOP }))
    for (const more of [{}, { caution: true }])
      test(`[PAG2] [SEE1] a ${device} never goes on by itself into ${'caution' in more ? 'caution' : 'what destroys'}`, async ({
        place,
        openDevice,
      }) => {
        const page = await openDevice('Device', options);
        const inquiry = new InquiryPage(page);
        const grave = await place.ask(inRun('caution' in more ? 'make release' : 'terraform destroy', 'g', more));
        await place.ask(inRun('ls -la', 'g'));
        await inquiry.open('May I look?');
        await press(
          inquiry.button('Approve'),
          device === 'phone' ? page.locator('main.index') : inquiry.button('Next question'),
        );
        await expect(page.getByRole('heading', { level: 1, name: 'Deploy' })).toHaveCount(0);
        if (device === 'desktop') {
          // It goes on by the press of a person, after which the same spot takes none.
          const spot = await inquiry.button('Next question').boundingBox();
          await press(inquiry.button('Next question'), inquiry.heading.filter({ hasText: 'Deploy' }));
          await page.mouse.move(spot!.x + spot!.width / 2, spot!.y + spot!.height / 2);
          await page.mouse.down();
          await page.mouse.up();
          await expect(inquiry.panel.getByRole('button', { name: /^(Approve|Read first)/ })).toBeDisabled();
        }
        expect(await outcome(place, grave)).toBeUndefined();
        await place.withdraw(grave);
      });

  test('[PAG2] [SEE1] after the page went on within a run no tap counts for a second, and a mouse has to leave', async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Laptop', { viewport: SMALL.viewport });
    const inquiry = new InquiryPage(page);
    const next = await place.ask({ ...inRun('ls second', 'r'), title: 'Second?' });
    await place.ask({ ...inRun('ls first', 'r'), title: 'First?', deadline: 300 });
    await inquiry.open('First?');
    await isReady(inquiry.button('Approve'));
    await page.clock.install();
    await press(inquiry.button('Approve'), inquiry.heading.filter({ hasText: 'Second?' }));
    const box = await inquiry.panel.getByRole('button', { name: /^Approve/ }).boundingBox();
    const spot = [box!.x + box!.width / 2, box!.y + box!.height / 2] as const;
    await page.mouse.move(...spot);
    for (const after of [500, 900, 900, 2500]) {
      await page.clock.runFor(after);
      await page.mouse.click(...spot);
    }
    expect(await outcome(place, next)).toBeUndefined();
    await expect(inquiry.button('Approve')).toBeDisabled();
    await page.mouse.move(2, 2);
    await page.clock.runFor(1000);
    await isReady(inquiry.button('Approve'));
    await page.mouse.click(...spot);
    await expect.poll(() => outcome(place, next)).toContain('Approved');
  });

  test('[PAG2] [SEE1] Next question counts as a decision: Approve at its place takes no press after a withdrawal', async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Phone', SMALL);
    const inquiry = new InquiryPage(page);
    const other = await addSource(place.hub, place.mara, 'Borealis');
    const { id } = await must<{ id: string }>(place.hub, 'POST /v1/inquiries', {
      token: other.key,
      body: { ...inRun('ls other', 'o'), title: 'Other?' },
    });
    const gone = await place.ask({ ...inRun('ls gone', 'p'), title: 'Gone?', deadline: 300 });
    await inquiry.open('Gone?');
    await isReady(inquiry.button('Approve'));
    const box = await inquiry.button('Approve').boundingBox();
    const tap = () => page.touchscreen.tap(box!.x + box!.width / 2, box!.y + box!.height / 2);
    await page.clock.install();
    await place.withdraw(gone);
    await expect(inquiry.button('Next question')).toBeVisible();
    // A slow machine takes no time between two taps.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 200));
    await page.clock.runFor(450);
    await tap();
    await expect(inquiry.heading).toHaveText('Other?');
    await page.clock.runFor(500);
    await tap();
    await page.clock.runFor(1000);
    await tap();
    const read = () => must<{ resolution?: unknown }>(place.hub, `GET /v1/inquiries/${id}`, { token: other.key });
    expect((await read()).resolution).toBeUndefined();
    await must(place.hub, `POST /v1/inquiries/${id}/withdraw`, { token: other.key, body: {} });
  });
});
