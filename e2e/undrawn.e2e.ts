import type { Ask } from '#shared/inquiry.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press } from './page/press.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

const lists = (depth: number) =>
  Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- x${level}`).join('\n');

// Each as little as it takes: the parser, the cleaner or the browser gives up, or thinks for minutes.
const DEEP: Record<string, string> = {
  quotations: `a\n\n${'>'.repeat(2500)}x`,
  'quotations and lists': `a\n\n${'> - '.repeat(1200)}x`,
  'nested lists': `a\n\n${lists(240)}`,
  emphasis: `a\n\n${'*a **a '.repeat(2000)}x${'a** a*'.repeat(2000)}`,
  'marks without a partner': `a\n\n${'_a'.repeat(30_000)} x`,
  brackets: `a\n\n${'['.repeat(20_000)}x${']'.repeat(20_000)}`,
  links: `a\n\n${'![x]('.repeat(8000)}`,
  'a table of millions of cells': `a\n\n${'|h'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|\n${'|x|\n'.repeat(5000)}`,
  'a list of 15,000': `a\n\n${'- x\n'.repeat(15_000)}`,
  'one word of 60 KB': `a\n\n${'x'.repeat(60_000)}`,
};

const everywhere = (text: string): Ask[] => [
  { title: 'Deep prompt', prompt: text },
  { title: 'Deep document', document: { markdown: text } },
  {
    title: 'Deep call',
    actions: [{ name: 'deploy', args: { text }, description: `First\n\n${text}`, allowed: ['approve', 'reject'] }],
  },
  {
    title: 'Deep questions',
    questions: [1, 2].map((at) => ({
      id: `q${at}`,
      type: 'choice',
      prompt: text.length < 20_000 ? text : `Question ${at}?`,
      options: [
        { value: 'a', label: 'Label', ...(at === 1 && text.length < 60_000 ? { preview: text } : {}) },
        { value: 'b', label: 'Other' },
      ],
    })),
  },
];

for (const [what, text] of Object.entries(DEEP))
  test(`[PAG4] ${what} stop no page: the text is there, and the inbox beside it`, async ({ place, openDevice }) => {
    const page = await openDevice('Desktop', { viewport: { width: 1280, height: 800 } });
    const inquiry = new InquiryPage(page);
    const asked = [];
    for (const ask of everywhere(text)) asked.push(await place.ask(ask));
    for (const { id, title } of asked) {
      await page.goto(`${place.origin}/i/${id}`);
      // A slow machine may say of a further part that it has not arrived.
      await expect(inquiry.heading.first()).toContainText(title === 'Deep questions' ? /\w/ : title);
      // The editor draws only what is on the screen of a long line.
      if (title !== 'Deep document') await expect(inquiry.panel).toContainText('x');
      await expect(
        inquiry
          .button(title === 'Deep document' ? 'Send back' : title === 'Deep call' ? 'Reject' : 'Decline')
          .or(page.getByRole('radio'))
          .first(),
      ).toBeVisible();
      await expect(inquiry.panel.getByText('cannot be drawn')).toHaveCount(0);
      await expect(page.getByRole('complementary', { name: 'Waiting' })).toContainText('Deep prompt');
    }
    await inquiry.open('Deep prompt');
    await inquiry.answer.fill('Blue');
    await inquiry.decide('Send');
    expect((await place.read(asked[0]!)).resolution?.text).toBe('Blue');
  });

test('[PAG4] a card that cannot be drawn is shown as plain text, approves nothing, and can be declined', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { viewport: { width: 390, height: 844 } });
  const inquiry = new InquiryPage(page);
  // As a hub of a later version might tell it.
  await page.routeWebSocket(/\/live/, (socket) => {
    const hub = socket.connectToServer();
    hub.onMessage((message) => socket.send(String(message).replaceAll('"name":"unheard_of"', '"name":5')));
  });
  await page.reload();
  const good = await place.ask({ title: 'Which colour?', prompt: 'Which colour?' });
  const bad = await place.ask({
    title: 'Run this',
    actions: [{ name: 'unheard_of', args: { command: 'rm -rf /srv/data' }, allowed: ['approve', 'reject'] }],
  });
  await expect(page.getByRole('link', { name: 'Which colour?' })).toBeVisible();
  await page.getByRole('link', { name: 'Run this' }).click();
  await expect(inquiry.panel).toContainText('This question cannot be drawn.');
  await expect(inquiry.panel).toContainText('rm -rf /srv/data');
  await expect(inquiry.button('Approve')).toHaveCount(0);
  await page.keyboard.press('y');
  await press(inquiry.button('Decline'), page.getByRole('link', { name: 'Which colour?' }));
  await expect.poll(async () => (await place.read(bad)).resolution?.outcome).toBe('declined');
  await inquiry.open('Which colour?');
  await inquiry.answer.fill('Blue');
  await inquiry.decide('Send');
  expect((await place.read(good)).resolution?.text).toBe('Blue');
});
