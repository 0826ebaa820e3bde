import type { Locator } from '@playwright/test';
import type { NewSourceReply } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { InquiryPage } from './page/inquiry.ts';
import { expect, test } from './page/scene.ts';

test('what was written from right to left reads so, in the question, its text, its options and what a person writes', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { viewport: { width: 390, height: 844 } });
  const inquiry = new InquiryPage(page);
  await place.ask({
    title: 'האם לפרוס עכשיו?',
    prompt: 'האם לפרוס עכשיו?\n\nThe build is green.\n\nהבנייה ירוקה, 12 בדיקות.\n\n- שלב ראשון\n- **second**',
    questions: [
      {
        id: 'go',
        type: 'choice',
        prompt: 'Which?',
        options: [
          { value: 'y', label: 'כן, עכשיו', description: 'בעוד 5 דקות' },
          { value: 'n', label: 'No', description: 'later' },
        ],
        allowOther: true,
      },
    ],
  });
  await inquiry.open('האם לפרוס עכשיו?');
  await expect(inquiry.panel.locator('strong')).toHaveText('second');
  const directionOf = (text: string) =>
    inquiry.panel
      .getByText(text, { exact: true })
      .first()
      .evaluate((element) => getComputedStyle(element).direction);
  expect({
    question: await inquiry.heading.evaluate((element) => getComputedStyle(element).direction),
    english: await directionOf('The build is green.'),
    hebrew: await directionOf('הבנייה ירוקה, 12 בדיקות.'),
    item: await directionOf('שלב ראשון'),
    option: await directionOf('כן, עכשיו'),
    description: await directionOf('בעוד 5 דקות'),
    other: await directionOf('No'),
  }).toEqual({
    question: 'rtl',
    english: 'ltr',
    hebrew: 'rtl',
    item: 'rtl',
    option: 'rtl',
    description: 'rtl',
    other: 'ltr',
  });
  await inquiry.quiet('Answer in words').click();
  const field = inquiry.panel.getByRole('textbox', { name: 'Something else' });
  await field.fill('לא');
  expect(await field.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
});

test('what was answered from right to left reads so in the receipt and the history, and so do names in lists', async ({
  place,
  openDevice,
}) => {
  const { source } = await must<NewSourceReply>(place.hub, 'POST /v1/sources', {
    token: place.mara.token,
    body: { name: '(مخزن) 7' },
  });
  const page = await openDevice('Phone', { viewport: { width: 390, height: 844 } });
  const inquiry = new InquiryPage(page);
  const asked = await place.ask({ prompt: 'מה לכתוב?' });
  const directionOf = (within: Locator, text: string | RegExp) =>
    within
      .getByText(text)
      .last()
      .evaluate((element) => getComputedStyle(element).direction);
  await page.goto(`${place.origin}/i/${asked.id}`);
  await inquiry.answer.fill('לא! 12 (שתים עשרה).');
  await inquiry.decide('Send');
  const receipt = await directionOf(page.getByRole('main'), /שתים עשרה/);
  await page.goto(`${place.origin}/history`);
  await expect(page.getByRole('main').getByText(/שתים עשרה/)).toBeVisible();
  const history = await directionOf(page.getByRole('main'), /שתים עשרה/);
  await page.goto(`${place.origin}/sources`);
  await expect(page.getByRole('link', { name: source.name })).toBeVisible();
  const name = await directionOf(page.getByRole('main'), source.name);
  const call = await place.ask({ actions: [{ name: 'pay', args: { note: 'תשלום, 340.00!' }, allowed: ['approve'] }] });
  await page.goto(`${place.origin}/i/${call.id}`);
  await expect(inquiry.panel.getByRole('row', { name: 'note' })).toBeVisible();
  const argument = await directionOf(inquiry.panel.getByRole('row', { name: 'note' }), /תשלום/);
  expect({ receipt, history, name, argument }).toEqual({
    receipt: 'rtl',
    history: 'rtl',
    name: 'rtl',
    argument: 'rtl',
  });
});

test('code in a question, and a wide table, are shown as such and widen nothing', async ({ place, openDevice }) => {
  const page = await openDevice('Phone', { viewport: { width: 320, height: 640 } });
  const inquiry = new InquiryPage(page);
  const cells = Array.from({ length: 12 }, (_, at) => `column_${at}_of_the_table`);
  const table = `| ${cells.join(' | ')} |\n|${'---|'.repeat(12)}\n| ${cells.join(' | ')} |`;
  await place.ask({ prompt: `Drop \`orders_2019\` and keep \`orders\`?\n\nThese are in it:\n\n${table}` });
  await inquiry.open('Drop orders_2019 and keep orders?');
  await expect(inquiry.heading.locator('code')).toHaveText(['orders_2019', 'orders']);
  const wide = inquiry.panel.getByRole('table');
  await expect(wide).toBeVisible();
  expect(await wide.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
});
