import type { Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import { must } from './hub/call.ts';
import { InquiryPage } from './page/inquiry.ts';
import { type Place, testOnOneHub, expect } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';
import { MainClient } from './platform/main-client.ts';
import { AGENT, INQUIRY, QUESTION, startPlatform, type Platform } from './platform/platform.ts';

const test = testOnOneHub.extend<{ platform: Platform; mainPage: Page }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures it needs from this pattern
  async platform({}, use) {
    const platform = await startPlatform();
    await use(platform);
    platform.close();
  },
  // Of another origin than the hub's, so without what watches the hub's own pages.
  async mainPage({ browser }, use) {
    const context = await browser.newContext();
    await use(await context.newPage());
    await context.close();
  },
});

test('[WDR1] chapter 2.4.2: a platform asks in its stream, a phone answers, and the main client’s dialog and a second device’s close', async ({
  place,
  platform,
  mainPage,
  openDevice,
}) => {
  const made = await connect(place, platform);
  const [phone, second] = [
    new InquiryPage(await openDevice('iPhone', PHONE)),
    new InquiryPage(await openDevice('MacBook')),
  ];
  const main = new MainClient(mainPage);
  await main.begin(platform.url, made.url);
  await expect(main.dialog.getByRole('heading')).toHaveText(QUESTION);
  for (const inquiry of [phone, second]) {
    await inquiry.open(QUESTION);
    await expect(inquiry.panel).toContainText('Lumen');
    await expect(inquiry.panel).toContainText(AGENT);
  }
  const told = await second.noteHeadlines();
  await phone.answer.fill('晴');
  await phone.decide('Send');

  await told('You answered this on iPhone.');
  await expect(second.heading).toHaveText(/Nothing waits for you/);
  await expect(main.dialog).toBeHidden();
  await expect(main.said).toHaveText('One moment. You said: 晴 (whole) (over)');
  await expect(phone.verdict).toHaveText('Lumen has your answer.');
  const [{ body, headers, ...answered } = { body: '', headers: {} }, ...others] = platform.heard;
  expect([answered, others]).toEqual([{ path: '/answer', inquiryId: INQUIRY, response: '晴' }, []]);
  new Webhook(made.webhookSecret).verify(body, headers as Record<string, string>);
  await goTo(second.page, 'History');
  await expect(second.page.getByRole('listitem').filter({ hasText: QUESTION })).toContainText(/晴.*By you, on iPhone/);
});

test('[WDR1] chapter 2.4.2, the other way: the main client answers at the platform, and the phone and the second device close', async ({
  place,
  platform,
  mainPage,
  openDevice,
}) => {
  const made = await connect(place, platform);
  const [phone, second] = [
    new InquiryPage(await openDevice('iPhone', PHONE)),
    new InquiryPage(await openDevice('MacBook')),
  ];
  const main = new MainClient(mainPage);
  await main.begin(platform.url, made.url);
  for (const inquiry of [phone, second]) await inquiry.open(QUESTION);
  const told = await Promise.all([phone, second].map((inquiry) => inquiry.noteHeadlines()));
  await main.answer('雨');

  for (const hears of told) await hears('Withdrawn by Lumen.');
  for (const inquiry of [phone, second]) await expect(inquiry.heading).toHaveText(/Nothing waits for you/);
  await expect(main.dialog).toBeHidden();
  await expect(main.said).toHaveText('One moment. You said: 雨 (whole) (over)');
  expect(platform.heard.map(({ path, response }) => [path, response])).toEqual([['/reply', '雨']]);
  await goTo(phone.page, 'History');
  await expect(phone.page.getByRole('listitem').filter({ hasText: QUESTION }).first()).toContainText(
    /^Withdrawn .*By Lumen after .*: “it was answered on the platform”/,
  );
});

test('[WDR1] [WDR3] a platform whose line breaks closes the question on every device at once, but where somebody writes; an answer still counts', async ({
  place,
  platform,
  mainPage,
  openDevice,
}) => {
  const made = await connect(place, platform);
  const [phone, second] = [
    new InquiryPage(await openDevice('iPhone', PHONE)),
    new InquiryPage(await openDevice('MacBook')),
  ];
  const main = new MainClient(mainPage);
  await main.begin(platform.url, made.url);
  for (const inquiry of [phone, second]) await inquiry.open(QUESTION);
  await phone.answer.fill('晴');
  const since = performance.now();
  platform.breakLines();
  await expect(second.heading).toHaveText(/Nothing waits for you/);
  expect(performance.now() - since).toBeLessThan(5_000);
  const closed = second.page.getByText('Closed because the connection of its agent was lost (1)');
  await expect(closed).toBeVisible();
  await expect(phone.panel).toContainText(new RegExp(`${AGENT} is gone since`));
  // The platform's client takes up its conversation again.
  await main.begin(platform.url, made.url);
  await expect(closed).toBeHidden();
  await expect(second.page.getByRole('main')).toContainText(QUESTION);
  await expect(phone.panel).not.toContainText('is gone since');
  platform.breakLines();
  await expect(closed).toBeVisible();
  await phone.decide('Send');
  await expect.poll(() => platform.heard.map(({ path, response }) => [path, response])).toEqual([['/answer', '晴']]);
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

function connect({ hub, mara }: Place, { url }: Platform): Promise<NewConnectionReply> {
  const body = { name: 'Lumen', kind: 'chatcompletions', baseUrl: `${url}/v1`, answerUrl: `${url}/answer` };
  return must(hub, 'POST /v1/connections', { token: mara.token, body });
}
