import type { Locator } from '@playwright/test';
import type { Ask } from '#shared/inquiry.ts';
import { Letter } from './page/letter.ts';
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
type Case = { ask: Ask; until: (letter: Letter) => Promise<void>; send: string; place: (letter: Letter) => Locator };
const radio = (letter: Letter, region: string, name: string) =>
  letter.sheet.getByRole('region', { name: region }).getByRole('radio', { name });

const CASES: Record<string, Case> = {
  'in one question of words': {
    ask: { prompt: `Why?\n\n${'It is long. '.repeat(400)}` },
    until: async () => {},
    send: 'Send',
    place: (letter) => letter.answer,
  },
  'one by one, from the last question back to the first': {
    ask: { title: 'Three in turn', questions: QUESTIONS },
    async until(letter) {
      await letter.quiet('See all 3 at once').click();
      await letter.sheet.getByRole('region', { name: 'Why two?' }).getByRole('textbox').fill('Because');
      await radio(letter, 'Which three?', 'Option 9').check();
      await letter.quiet('One at a time').click();
      await expect(letter.heading).toHaveText('Which three?');
    },
    send: 'Send all 3',
    place: (letter) => letter.sheet.getByRole('radio', { name: 'Option 1' }),
  },
  'all at once': {
    ask: { title: 'Three together', questions: QUESTIONS },
    async until(letter) {
      await letter.quiet('See all 3 at once').click();
      await radio(letter, 'Which one?', 'Option 2').check();
      await radio(letter, 'Which three?', 'Option 9').check();
    },
    send: 'Send all 3',
    place: (letter) => letter.sheet.getByRole('region', { name: 'Why two?' }).getByRole('textbox'),
  },
  'in a form': {
    ask: { questions: [{ id: 'q', type: 'form', prompt: 'Where to?', schema: FORM }] },
    async until(letter) {
      await letter.sheet.getByRole('textbox', { name: 'host' }).fill('localhost');
      await letter.sheet.getByRole('textbox', { name: 'more11' }).fill('The last of them');
    },
    send: 'Send',
    place: (letter) => letter.sheet.getByRole('textbox', { name: 'port' }),
  },
  'in a batch, a call without a decision': {
    ask: { title: 'Three refunds', actions: [call(1), call(2), call(3)] },
    async until(letter) {
      for (const at of [0, 2]) await letter.sheet.locator(`#call-${at}`).getByText('Reject', { exact: true }).click();
    },
    send: '1 left to decide',
    place: (letter) => letter.sheet.locator('#call-1').getByRole('radio').first(),
  },
  'in a batch, a reply without words': {
    ask: { title: 'Two refunds', actions: [call(1), call(2)] },
    async until(letter) {
      await letter.sheet.locator('#call-0').getByText('Reply instead', { exact: true }).click();
      await letter.sheet.locator('#call-1').getByText('Reject', { exact: true }).click();
    },
    send: 'Send all 2',
    place: (letter) => letter.sheet.locator('#call-0').getByRole('textbox'),
  },
};

for (const [size, device] of Object.entries(SIZES))
  for (const [name, { ask, until, send, place: missing }] of Object.entries(CASES))
    test(`Send goes to what is missing ${name}, on a ${size}`, async ({ place, openDevice }) => {
      const letter = new Letter(await openDevice('Device', device));
      const asked = await place.ask(ask);
      await letter.page.goto(`${place.origin}/i/${asked.id}`);
      await expect(letter.sheet.locator('.bar')).toBeVisible();
      await until(letter);
      await letter.page.evaluate(SCROLL_DOWN);
      await pressAnyway(letter.button(send), missing(letter).and(letter.page.locator(':focus')));
      await expect(missing(letter)).toBeInViewport();
      expect((await place.read(asked)).resolution).toBeUndefined();
    });

// To the end of the page, or of the sheet that scrolls on a desktop.
const SCROLL_DOWN = (): void => {
  for (const one of [document.scrollingElement, document.querySelector('.letter')])
    one?.scrollTo({ top: one.scrollHeight, behavior: 'instant' });
};
