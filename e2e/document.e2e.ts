import { must } from './hub/call.ts';
import { faultsOf } from './page/axe.ts';
import { InquiryPage } from './page/inquiry.ts';
import { pressKey } from './page/press.ts';
import { SAMPLES } from './page/samples.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';
import { SIZES } from './page/sizes.ts';

const DOCUMENT = SAMPLES['document'] ?? {};
const original = DOCUMENT.document?.markdown ?? '';

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`answers written under the questions of a document, on a ${size}`, async ({ place, openDevice }) => {
    const inquiry = new InquiryPage(await openDevice('Phone', { viewport }));
    const asked = await place.ask(DOCUMENT);
    await inquiry.open(asked.title);
    await expect(inquiry.answer).toContainText('Back up the database. With SQLite, copy data/beckon.db');
    await expect(inquiry.panel.getByText('0 of 5 gaps filled.')).toBeVisible();
    const { keyboard } = inquiry.page;
    await inquiry.quiet('Next gap').click();
    await keyboard.type('Ten minutes.');
    await inquiry.quiet('Next gap').click();
    await keyboard.type('Support, and Jonas.');
    await inquiry.quiet('Next gap').click();
    await keyboard.type('`--no-migrate`');
    await expect(inquiry.panel.getByText('3 of 5 gaps filled.')).toBeVisible();
    await inquiry.decide('Send back');
    const markdown = original
      .replace('be down?\n', 'be down?\n\nTen minutes.\n')
      .replace('be told?\n', 'be told?\n\nSupport, and Jonas.\n')
      .replace('starts 2.3?\n', 'starts 2.3?\n\n   `--no-migrate`\n');
    expect((await place.read(asked)).resolution?.answer).toEqual({ markdown });
  });
}

test('blanks of underscores are written in, under a heading that is not told twice, on a phone', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone', { viewport: SIZES.phone }));
  const markdown =
    'Name: ____\n\nWhy:\n\n___\n\n| Paper | Year of publication | Written by | Cited | Data |\n|---|---|---|---|---|\n| Attention | 2017 | Vaswani at a conference, 12345678901234567890 | often | none |\n\n---\n\nEnd.\n';
  const asked = await place.ask({ prompt: 'Complete the form of **Anna Berg**\n\nBy Friday.', document: { markdown } });
  expect(asked.title).toBe('Complete the form of Anna Berg');
  await inquiry.open(asked.title);
  await expect(inquiry.panel.getByText('Anna Berg')).toHaveCount(1);
  const blanks = inquiry.panel.getByText('Write here');
  await expect(blanks).toHaveCount(2);
  await expect(inquiry.panel.getByText('0 of 2 gaps filled.')).toBeVisible();
  // Its columns are as wide as their longest words, and it scrolls inside the page.
  const table = inquiry.panel.getByRole('table');
  const [shown, whole] = await table.evaluate((element) => [
    element.getBoundingClientRect().right,
    element.scrollWidth,
  ]);
  expect([shown <= SIZES.phone.width, whole > SIZES.phone.width]).toEqual([true, true]);
  const more = inquiry.panel.getByText(/more columns?:/);
  await expect(more).toHaveText('2 more columns: Cited, Data');
  const paper = inquiry.panel.getByRole('cell', { name: 'Attention' });
  const { x } = (await paper.boundingBox()) ?? { x: NaN };
  await table.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  await expect(more).toHaveCount(0);
  expect((await paper.boundingBox())?.x, 'the first column stays').toBeCloseTo(x, 0);
  expect(await faultsOf(inquiry.page)).toEqual([]);
  const { keyboard } = inquiry.page;
  await blanks.last().click();
  await keyboard.type('Because.');
  await inquiry.quiet('Next gap').click();
  await keyboard.type('Anna');
  await expect(inquiry.panel.getByText('2 of 2 gaps filled.')).toBeVisible();
  await inquiry.decide('Send back');
  const written = markdown.replace('____', 'Anna').replace('\n___\n', '\nBecause.\n');
  expect((await place.read(asked)).resolution?.answer).toEqual({ markdown: written });
});

test('a document that is open keeps its buttons when the language is changed on another device', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const speak = (locale: 'en' | 'zh') =>
    must(place.hub, 'PATCH /v1/people/me', { token: place.mara.token, body: { locale } });
  const asked = await place.ask(DOCUMENT);
  await inquiry.open(asked.title);
  await expect(inquiry.panel.getByText('0 of 5 gaps filled.')).toBeVisible();
  try {
    await speak('zh');
    await expect(inquiry.panel.getByText('写在这里').first()).toBeVisible();
    await expect(inquiry.panel.getByText('Write here')).toHaveCount(0);
    await expect(inquiry.panel.getByRole('textbox')).toHaveCount(1);
    await expect(inquiry.button('送回')).toBeVisible();
    await expect(inquiry.quiet('下一处空白')).toBeVisible();
    await expect(inquiry.panel.getByText('已填 0/5 处空白。')).toBeVisible();
  } finally {
    await speak('en');
  }
  await inquiry.decide('Send back');
  expect((await place.read(asked)).resolution?.answer).toEqual({ markdown: original });
});

test('a document goes back as it came where nothing was changed, line ends included', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const { keyboard } = inquiry.page;
  const markdown = '<!-- v1 -->\r\n* one  \r\n* two\r\n\r\n\tcode\r\n\r\n行吗？\r\n\r\nEnd';
  const untouched = await place.ask({ title: 'Read this over', document: { markdown } });
  await inquiry.open('Read this over');
  await inquiry.quiet('Next gap').click();
  // Looked at, and left without a word.
  await inquiry.heading.click();
  await inquiry.decide('Send back');
  expect((await place.read(untouched)).resolution?.answer).toEqual({ markdown });

  await inquiry.button('Inbox').click();
  const touched = await place.ask({ title: 'Read this, too', document: { markdown } });
  await inquiry.open('Read this, too');
  await inquiry.quiet('Next gap').click();
  await keyboard.type('行。');
  await inquiry.decide('Send back');
  expect((await place.read(touched)).resolution?.answer).toEqual({
    markdown: markdown.replace('行吗？', '行吗？\r\n\r\n行。'),
  });
});

test('the tools of the text, by keyboard alone', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Laptop'));
  const { keyboard } = inquiry.page;
  const asked = await place.ask({ title: 'The list', document: { markdown: 'Bread\nMilk' } });
  await inquiry.open('The list');
  await inquiry.answer.focus();
  await keyboard.press('ControlOrMeta+a');
  const tools = inquiry.panel.getByRole('toolbar', { name: 'Text' });
  await tools.getByRole('button', { name: 'List' }).press('Enter');
  await expect(inquiry.answer).toBeFocused();
  await keyboard.press('ControlOrMeta+End');
  await keyboard.press('Enter');
  await keyboard.type('Eggs');
  await keyboard.press('ControlOrMeta+b');
  await keyboard.type(', six');
  await tools.getByRole('button', { name: 'Undo' }).press('Enter');
  await keyboard.type('!');
  await pressKey(inquiry.page, 'ControlOrMeta+Enter', inquiry.verdict);
  const { answer } = (await place.read(asked)).resolution ?? {};
  expect(answer?.markdown).toMatch(/^- Bread\n- Milk\n- Eggs/);
});

test('half a document is there again after the page was closed, and on the next device', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const asked = await place.ask({ title: 'Half of it', document: { markdown: 'When?\n\nWhere?\n' } });
  await inquiry.open('Half of it');
  await inquiry.quiet('Next gap').click();
  await inquiry.page.keyboard.type('On Monday');
  await expect(inquiry.panel.getByText('1 of 2 gaps filled.')).toBeVisible();
  const other = new InquiryPage(await openDevice('Laptop'));
  await other.open('Half of it');
  await expect(other.panel.getByRole('status').filter({ hasText: 'On Monday' })).toBeVisible();
  await other.quiet('Continue here').click();
  await expect(other.answer).toContainText('On Monday');
  await inquiry.page.reload();
  await expect(inquiry.answer).toContainText('On Monday');
  await other.decide('Send back');
  expect((await place.read(asked)).resolution?.answer).toEqual({ markdown: 'When?\n\nOn Monday\n\nWhere?\n' });
});

test('a suggested document is sent with one tap, or changed and brought back', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const ask = SAMPLES['document-suggested'] ?? {};
  const asked = await place.ask(ask);
  await inquiry.open(asked.title);
  await expect(inquiry.panel.getByText('Suggested by Atlas')).toBeVisible();
  await inquiry.answer.press('End');
  await inquiry.page.keyboard.type('!');
  await expect(inquiry.button('Send back')).toBeVisible();
  await inquiry.quiet('Bring the suggestion back').click();
  await inquiry.decide('Send as suggested');
  expect((await place.read(asked)).resolution?.answer).toEqual(ask.suggested);
});

test('without the editor a document is plain lines', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', { serviceWorkers: 'block' });
  const inquiry = new InquiryPage(page);
  await page.route(/\/Editor-/, (route) => route.abort());
  const markdown = '# Dear all\r\n\r\nThe rent rises.\r\n';
  const asked = await place.ask({ title: 'The letter to the tenants', document: { markdown } });
  await inquiry.open('The letter to the tenants');
  await expect(inquiry.answer).toHaveValue('# Dear all\n\nThe rent rises.\n');
  await inquiry.answer.fill('# Dear all\n\nThe rent stays.\n');
  await inquiry.decide('Send back');
  expect((await place.read(asked)).resolution?.answer).toEqual({
    markdown: '# Dear all\r\n\r\nThe rent stays.\r\n',
  });
});
