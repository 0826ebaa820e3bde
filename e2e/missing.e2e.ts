import type { Locator } from '@playwright/test';
import type { Ask } from '#shared/inquiry.ts';
import { InquiryPage } from './page/inquiry.ts';
import { pressAnyway } from './page/press.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

const SIZES = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
};
const options = Array.from({ length: 9 }, (_, at) => ({ value: `${at}`, label: `Option ${at + 1}` }));
const choice = (id: string) => ({ id, type: 'choice' as const, prompt: `Which ${id}?`, options });
const QUESTIONS = [choice('one'), { id: 'two', type: 'text' as const, prompt: 'Why two?' }, choice('three')];
const FORM = {
  type: 'object',
  required: ['host', 'port'],
  properties: Object.fromEntries(
    ['host', 'port', ...Array.from({ length: 12 }, (_, at) => `more${at}`)].map((name) => [name, { type: 'string' }]),
  ),
};
const call = (order: number) => ({
  name: 'refund',
  args: { order: `A-${order}`, lines: Array.from({ length: 12 }, (_, line) => `line ${line}`) },
  allowed: ['approve' as const, 'reject' as const, 'respond' as const],
});

/** What is asked, how somebody gets as far as Send without all of it, that button, and the place that then has the focus. */
type Case = {
  ask: Ask;
  until: (inquiry: InquiryPage) => Promise<void>;
  send: string;
  place: (inquiry: InquiryPage) => Locator;
};
const radio = (inquiry: InquiryPage, region: string, name: string) =>
  inquiry.panel.getByRole('region', { name: region }).getByRole('radio', { name });

const CASES: Record<string, Case> = {
  'in one question of words': {
    ask: { prompt: `Why?\n\n${'It is long. '.repeat(400)}` },
    until: async () => {},
    send: 'Send',
    place: (inquiry) => inquiry.answer,
  },
  'one by one, from the last question back to the first': {
    ask: { title: 'Three in turn', questions: QUESTIONS },
    async until(inquiry) {
      await inquiry.quiet('See all 3 at once').click();
      await inquiry.panel.getByRole('region', { name: 'Why two?' }).getByRole('textbox').fill('Because');
      await radio(inquiry, 'Which three?', 'Option 9').check();
      await inquiry.quiet('One at a time').click();
      await expect(inquiry.heading).toHaveText('Which three?');
    },
    send: 'Send all 3',
    place: (inquiry) => inquiry.panel.getByRole('radio', { name: 'Option 1' }),
  },
  'all at once': {
    ask: { title: 'Three together', questions: QUESTIONS },
    async until(inquiry) {
      await inquiry.quiet('See all 3 at once').click();
      await radio(inquiry, 'Which one?', 'Option 2').check();
      await radio(inquiry, 'Which three?', 'Option 9').check();
    },
    send: 'Send all 3',
    place: (inquiry) => inquiry.panel.getByRole('region', { name: 'Why two?' }).getByRole('textbox'),
  },
  'in a form': {
    ask: { questions: [{ id: 'q', type: 'form', prompt: 'Where to?', schema: FORM }] },
    async until(inquiry) {
      await inquiry.panel.getByRole('textbox', { name: 'host' }).fill('localhost');
      await inquiry.panel.getByRole('textbox', { name: 'more11' }).fill('The last of them');
    },
    send: 'Send',
    place: (inquiry) => inquiry.panel.getByRole('textbox', { name: 'port' }),
  },
  'in a batch, a call without a decision': {
    ask: { title: 'Three refunds', actions: [1, 2, 3].map((at) => ({ ...call(at), allowed: ['reject', 'respond'] })) },
    async until(inquiry) {
      for (const at of [0, 2]) await inquiry.panel.locator(`#call-${at}`).getByText('Reject', { exact: true }).click();
    },
    send: '1 left to decide',
    place: (inquiry) => inquiry.panel.locator('#call-1').getByRole('radio').first(),
  },
  'in a batch, a reply without words': {
    ask: { title: 'Two refunds', actions: [call(1), call(2)] },
    async until(inquiry) {
      await inquiry.panel.locator('#call-0').getByText('Reply instead', { exact: true }).click();
      await inquiry.panel.locator('#call-1').getByText('Reject', { exact: true }).click();
    },
    send: 'Send all 2',
    place: (inquiry) => inquiry.panel.locator('#call-0').getByRole('textbox'),
  },
};

for (const [size, device] of Object.entries(SIZES))
  for (const [name, { ask, until, send, place: missing }] of Object.entries(CASES))
    test(`Send goes to what is missing ${name}, on a ${size}`, async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Device', device));
      const asked = await place.ask(ask);
      await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
      await expect(inquiry.panel.locator('.bar')).toBeVisible();
      await until(inquiry);
      await inquiry.page.evaluate(SCROLL_DOWN);
      await pressAnyway(inquiry.button(send), missing(inquiry).and(inquiry.page.locator(':focus')));
      await expect(missing(inquiry)).toBeInViewport();
      expect((await place.read(asked)).resolution).toBeUndefined();
    });

// To the end of the page, or of the panel that scrolls on a desktop.
const SCROLL_DOWN = (): void => {
  for (const one of [document.scrollingElement, document.querySelector('.inquiry')])
    one?.scrollTo({ top: one.scrollHeight, behavior: 'instant' });
};
