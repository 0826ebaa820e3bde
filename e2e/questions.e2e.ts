import type { Question } from '#shared/inquiry.ts';
import { faultsOf } from './page/axe.ts';
import { goTo } from './page/sign-in.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press, pressAnyway } from './page/press.ts';
import { SAMPLES } from './page/samples.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';
import { SIZES } from './page/sizes.ts';

const DAYS = [
  { value: 'mon', label: 'Monday', description: 'The office is empty then.' },
  { value: 'tue', label: 'Tuesday' },
  { value: 'wed', label: 'Wednesday' },
];

// True once the page has kept these words on the device.
const KEPT = `(words) => new Promise((found) => {
  const opening = indexedDB.open('beckon');
  opening.onsuccess = () => {
    const all = opening.result.transaction('device').objectStore('device').getAll();
    all.onsuccess = () => {
      opening.result.close();
      found(JSON.stringify(all.result).includes(words));
    };
  };
})`;
const WEEK = [...DAYS, { value: 'thu', label: 'Thursday' }];

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`on a ${size}`, () => {
    test.use({ viewport });

    test('free text', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const asked = await place.ask({ prompt: 'What shall we call it?\n\nIt is a **small** boat.' });
      await inquiry.open('What shall we call it?');
      await inquiry.answer.fill('Wren\nor Heron');
      await inquiry.decide('Send');
      await expect(inquiry.verdict).toHaveText('Atlas has your answer.');
      expect((await place.read(asked)).resolution).toMatchObject({
        outcome: 'answered',
        answer: { text: 'Wren\nor Heron' },
        text: 'Wren\nor Heron',
      });
    });

    test('a choice, and a choice of something else', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const question: Question = { id: 'day', type: 'choice', prompt: 'Which day?', options: WEEK, allowOther: true };
      const first = await place.ask({ questions: [question] });
      await inquiry.open('Which day?');
      await inquiry.pick('Monday');
      await inquiry.pick('Wednesday');
      await inquiry.decide('Send');
      expect((await place.read(first)).resolution?.answer).toEqual({ values: { day: 'wed' } });

      await inquiry.button('Inbox').click();
      const second = await place.ask({ questions: [{ ...question, prompt: 'Which other day?' }] });
      await inquiry.open('Which other day?');
      await inquiry.pick('Something else');
      await inquiry.panel.getByRole('textbox', { name: 'Something else' }).fill('The first of May');
      await inquiry.decide('Send');
      expect((await place.read(second)).resolution).toMatchObject({
        answer: { other: { day: 'The first of May' } },
        text: 'The first of May',
      });
    });

    test('[RES3] several of many, no fewer and no more than asked for', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const asked = await place.ask({
        questions: [
          { id: 'days', type: 'multi', prompt: 'Which days?', options: DAYS, allowOther: true, min: 2, max: 3 },
        ],
      });
      await inquiry.open('Which days?');
      await expect(inquiry.panel.getByText('Choose from two to three.')).toBeVisible();
      await inquiry.pick('Monday');
      await inquiry.cannot('Send', 'Choose at least two.');
      await inquiry.pick('Tuesday', 'Wednesday', 'Something else');
      await inquiry.panel.getByRole('textbox', { name: 'Something else' }).fill('Sunday');
      await expect(inquiry.panel.getByRole('alert')).toHaveText('Choose at most three.');
      await inquiry.panel.getByRole('checkbox', { name: 'Monday' }).uncheck();
      await inquiry.decide('Send');
      expect((await place.read(asked)).resolution).toMatchObject({
        answer: { values: { days: ['tue', 'wed'] }, other: { days: 'Sunday' } },
        text: 'Tuesday, Wednesday, Sunday',
      });
    });

    test('several questions one by one, with a form at the end', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const schema = {
        type: 'object',
        required: ['name', 'seats'],
        properties: {
          name: { type: 'string', title: 'Name on the ticket' },
          seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 4 },
          mail: { type: 'string', title: 'Where to', format: 'email' },
          window: { type: 'boolean', title: 'At the window' },
          class: { type: 'string', title: 'Class', enum: ['first', 'second'] },
        },
      };
      const asked = await place.ask({
        title: 'The trip to Lyon',
        questions: [
          { id: 'day', type: 'choice', prompt: 'Which day suits you?', options: DAYS },
          { id: 'note', type: 'text', prompt: 'Anything the hotel should know?', required: false },
          { id: 'ticket', type: 'form', prompt: 'Who travels?', schema },
        ],
      });
      await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
      await expect(inquiry.heading).toHaveText('Which day suits you?');
      await expect(inquiry.panel.getByText('First of three')).toBeVisible();
      await inquiry.choose('Tuesday', 'Anything the hotel should know?');
      await press(inquiry.button('Next'), inquiry.panel.getByText('Last of three'));
      const said = inquiry.panel.getByRole('list', { name: 'Answered so far' }).getByRole('button');
      await expect(said).toHaveText(['Which day suits you?Tuesday', 'Anything the hotel should know?left blank']);
      await said.first().click();
      await inquiry.choose('Wednesday', 'Anything the hotel should know?');
      await press(inquiry.button('Back'), inquiry.panel.getByRole('radio', { name: 'Wednesday' }));
      await expect(inquiry.panel.getByRole('radio', { name: 'Wednesday' })).toBeChecked();
      await press(inquiry.button('Next'), inquiry.heading.filter({ hasText: 'Anything the hotel should know?' }));
      await press(inquiry.button('Next'), inquiry.panel.getByText('Last of three'));

      const field = (name: RegExp) => inquiry.panel.getByRole('textbox', { name });
      await field(/Name on the ticket/).fill('Mara Lind');
      await inquiry.panel.getByRole('button', { name: 'One more' }).click();
      await inquiry.panel.getByRole('button', { name: 'One more' }).click();
      await field(/Where to/).fill('mara@');
      await inquiry.panel
        .getByRole('group', { name: /At the window/ })
        .getByRole('radio', { name: 'Yes' })
        .check();
      await inquiry.panel.getByRole('group', { name: /Class/ }).getByRole('radio', { name: 'second' }).check();
      await inquiry.cannot('Send all 3', 'It needs an @ and a dot after it.');
      await field(/Where to/).fill('mara@example.com');
      await inquiry.decide('Send all 3');
      expect((await place.read(asked)).resolution?.answer).toEqual({
        values: {
          day: 'wed',
          ticket: { name: 'Mara Lind', seats: 2, mail: 'mara@example.com', window: true, class: 'second' },
        },
      });
    });

    test('a form that holds further parts: added, removed, one of several, refused until it is whole, and as JSON', async ({
      place,
      openDevice,
    }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const stop = {
        type: 'object',
        required: ['at'],
        properties: { at: { type: 'string', title: 'Where' }, nights: { type: 'integer' } },
      };
      const bill = { type: 'object', title: 'Bill', required: ['to'], properties: { to: { type: 'string' } } };
      const pay = {
        title: 'Paid by',
        oneOf: ['iban', 'card'].map((one) => ({
          type: 'object',
          title: one === 'iban' ? 'Transfer' : 'Card',
          required: ['kind', one],
          properties: { kind: { const: one }, [one]: { type: 'string', minLength: 4 } },
        })),
      };
      const schema = {
        type: 'object',
        required: ['stops'],
        properties: { stops: { type: 'array', title: 'Stops', minItems: 1, items: stop }, bill, pay },
      };
      const asked = await place.ask({ questions: [{ id: 'route', type: 'form', prompt: 'Which way?', schema }] });
      await inquiry.open('Which way?');
      const where = inquiry.panel.getByRole('textbox', { name: 'Where' });
      await expect(where).toHaveCount(1);
      await inquiry.cannot('Send', 'Required', where.first());
      await where.first().fill('Basel');
      for (const [place, name] of ['Lyon', 'Nice'].entries()) {
        await inquiry.quiet('Add a line: Stops').click();
        await where.nth(place + 1).fill(name);
      }
      await inquiry.quiet('Remove line 2: Stops').click();
      await expect(where).toHaveCount(2);
      await inquiry.quiet('Add Paid by').click();
      const paid = inquiry.panel.getByRole('group', { name: 'Paid by' });
      await inquiry.cannot('Send', 'Required', paid.getByRole('radio', { name: 'Transfer' }));
      await inquiry.pick('Transfer');
      await expect(paid.getByRole('textbox')).toHaveCount(1);
      await paid.getByRole('textbox', { name: 'iban' }).fill('CH93 0076');
      await inquiry.pick('Card');
      await inquiry.cannot('Send', 'Required', paid.getByRole('textbox', { name: 'card' }));
      await inquiry.pick('Transfer');
      await expect(paid.getByRole('textbox', { name: 'iban' })).toHaveValue('CH93 0076');
      await paid.getByRole('textbox', { name: 'iban' }).fill('');
      await expect(paid.getByRole('radio', { name: 'Transfer' })).toBeChecked();
      await inquiry.pick('Card');
      await paid.getByRole('textbox', { name: 'card' }).fill('4242');
      await inquiry.quiet('Add Bill').click();
      await inquiry.panel.getByRole('textbox', { name: 'to' }).fill('Atlas');
      expect(await faultsOf(inquiry.page)).toEqual([]);
      await inquiry.quiet('Remove Bill').click();
      await inquiry.quiet('Answer as JSON').click();
      await expect(inquiry.answer).toHaveValue(/"Nice"/);
      await inquiry.answer.fill('{"stops": [{"at": "Basel"}');
      await inquiry.cannot('Send', 'This is not JSON yet.');
      const card = { kind: 'card', card: '4242' };
      await inquiry.answer.fill(JSON.stringify({ stops: [{ at: 'Basel' }, { at: 'Nice', nights: 2 }], pay: card }));
      await inquiry.quiet('As a form').click();
      await expect(inquiry.panel.getByRole('textbox', { name: /nights/ }).last()).toHaveValue('2');
      await inquiry.decide('Send');
      expect((await place.read(asked)).resolution?.answer).toEqual({
        values: { route: { stops: [{ at: 'Basel' }, { at: 'Nice', nights: 2 }], pay: card } },
      });
    });

    test('a secret, which only the source can read', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const asked = await place.ask({
        questions: [{ id: 'key', type: 'text', prompt: 'What is the key of the vault?', secret: true }],
      });
      await inquiry.open('What is the key of the vault?');
      const field = inquiry.panel.getByLabel('Your answer').and(inquiry.page.locator('[type=password]'));
      await field.fill('correct horse');
      await inquiry.decide('Send');
      await expect(inquiry.panel).not.toContainText('correct horse');
      expect((await place.read(asked)).resolution).toMatchObject({
        answer: { values: { key: 'correct horse' } },
        text: '(given, not shown here)',
      });
      await inquiry.button('Inbox').click();
      await goTo(inquiry.page, 'History');
      await expect(inquiry.page.getByRole('listitem').filter({ hasText: 'key of the vault' }).first()).toContainText(
        'not shown',
      );
      await expect(inquiry.page.getByRole('main')).not.toContainText('correct horse');
    });

    test('a suggestion, sent with one tap or changed', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const first = await place.ask({ prompt: 'How shall I sign off?', suggested: { text: 'Kind regards' } });
      await inquiry.open('How shall I sign off?');
      await expect(inquiry.panel.getByText('Suggested by Atlas')).toBeVisible();
      await inquiry.decide('Send as suggested');
      expect((await place.read(first)).resolution).toMatchObject({ outcome: 'answered', text: 'Kind regards' });

      await inquiry.button('Inbox').click();
      const second = await place.ask({
        questions: [{ id: 'day', type: 'choice', prompt: 'Which day then?', options: WEEK }],
        suggested: { values: { day: 'mon' } },
      });
      await inquiry.open('Which day then?');
      await expect(inquiry.panel.getByRole('radio', { name: /Monday/ })).toBeChecked();
      await expect(inquiry.button('Send as suggested')).toBeVisible();
      await inquiry.pick('Tuesday');
      await inquiry.decide('Send');
      expect((await place.read(second)).resolution?.answer).toEqual({ values: { day: 'tue' } });
    });

    test('answers on two or three buttons, the suggested one first, or in words', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const question: Question = {
        id: 'day',
        type: 'choice',
        prompt: 'Which day now?',
        options: DAYS,
        allowOther: true,
      };
      const first = await place.ask({ questions: [question], suggested: { values: { day: 'wed' } } });
      await inquiry.open('Which day now?');
      const buttons = inquiry.panel.getByRole('contentinfo').or(inquiry.panel.locator('.bar-do')).getByRole('button');
      await expect(buttons.filter({ hasText: 'day' })).toHaveText([
        /^Wednesday.*suggested$/,
        /^Monday.*empty then\.$/,
        /^Tuesday/,
      ]);
      await expect(inquiry.panel.getByRole('radio')).toHaveCount(0);
      await inquiry.tap('Tuesday');
      expect((await place.read(first)).resolution?.answer).toEqual({ values: { day: 'tue' } });

      await inquiry.button('Inbox').click();
      const second = await place.ask({ questions: [{ ...question, prompt: 'And which then?' }] });
      await inquiry.open('And which then?');
      await inquiry.quiet('Answer in words').click();
      await inquiry.panel.getByRole('textbox', { name: 'Something else' }).fill('The first of May');
      await inquiry.decide('Send');
      expect((await place.read(second)).resolution).toMatchObject({ answer: { other: { day: 'The first of May' } } });
    });

    test('a link, which is opened only by the person', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const url = `${place.origin}/docs`;
      const asked = await place.ask({ prompt: 'Please sign the lease', link: { url, completes: 'self' } });
      await inquiry.open('Please sign the lease');
      await expect(inquiry.panel.getByText(new URL(url).host, { exact: true })).toBeVisible();
      const opened = inquiry.page.waitForEvent('popup');
      await inquiry.panel.getByRole('link', { name: /^Open \S+/ }).click();
      expect((await opened).url()).toMatch(/\/docs/);
      await (await opened).close();
      await inquiry.decide('Done');
      expect((await place.read(asked)).resolution).toMatchObject({ outcome: 'answered', text: 'Done.' });
    });

    test('several questions all at once and back, and nothing is lost', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const asked = await place.ask(SAMPLES['several'] ?? {});
      const { page, panel } = inquiry;
      await page.goto(`${place.origin}/i/${asked.id}`);
      await inquiry.choose('Monday', 'Which hotel?');
      await panel.getByText('Show more').first().click();
      await expect(panel.getByRole('cell', { name: 'to the yard' })).toBeVisible();
      const other = panel.getByRole('textbox', { name: 'Something else' });
      await press(panel.getByRole('radio', { name: 'Something else' }), other);
      await other.fill('A friend’s sofa');
      await inquiry.quiet('See all 5 at once').click();
      await expect(inquiry.heading).toHaveText('The trip to Lyon');
      await expect(panel.getByRole('heading', { level: 2 })).toHaveText([
        'Which day suits you?',
        'Which hotel?',
        'Who comes along?',
        'Anything the hotel should know?',
        'Who travels, and how?',
      ]);
      const region = (name: string) => panel.getByRole('region', { name });
      await expect(region('Which day suits you?').getByRole('radio', { name: /^Monday/ })).toBeChecked();
      await expect(panel.getByRole('textbox', { name: 'Something else' })).toHaveValue('A friend’s sofa');
      await region('Who comes along?').getByRole('checkbox', { name: 'Yuki' }).check();
      await panel.getByRole('textbox', { name: 'Anything the hotel should know?' }).fill('We are late');
      await expect(panel.getByText('One still waits for an answer.')).toBeVisible();
      await expect(panel.getByRole('textbox', { name: /^Name on the ticket/ })).toBeVisible();
      await pressAnyway(inquiry.button('Send all 5'), panel.getByRole('alert').first());
      await expect(panel.getByRole('textbox', { name: /^Name on the ticket/ })).toBeFocused();
      await panel.getByRole('textbox', { name: /^Name on the ticket/ }).fill('Mara Lind');
      // Kept a moment after the last key.
      await expect.poll(() => page.evaluate(`(${KEPT})('Mara Lind')`)).toBe(true);
      await page.reload();
      await expect(inquiry.heading).toHaveText('Who travels, and how?');
      await expect(panel.getByRole('textbox', { name: /^Name on the ticket/ })).toHaveValue('Mara Lind');
      await expect(panel.getByRole('list', { name: 'Answered so far' }).getByRole('listitem')).toHaveText([
        'Which day suits you?Monday, before the audit',
        'Which hotel?A friend’s sofa',
        'Who comes along?Yuki',
        'Anything the hotel should know?We are late',
      ]);
      await panel.getByRole('button', { name: 'One more' }).click();
      await panel
        .getByRole('group', { name: /^Class/ })
        .getByRole('radio', { name: 'first' })
        .check();
      await inquiry.decide('Send all 5');
      expect((await place.read(asked)).resolution?.answer).toEqual({
        values: {
          day: 'mon',
          with: ['yuki'],
          note: 'We are late',
          ticket: { name: 'Mara Lind', seats: 1, budget: 250, class: 'first' },
        },
        other: { hotel: 'A friend’s sofa' },
      });
    });

    test('fields of every kind, each saying its limits, and a suggestion that stays theirs until it is changed', async ({
      place,
      openDevice,
    }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const asked = await place.ask(SAMPLES['form-suggested'] ?? {});
      const { panel } = inquiry;
      await inquiry.open('Shall I book it like this?');
      for (const limit of [
        '2 to 60 characters.',
        'Any number from 1 to 4.',
        'Any number from 0 to 900.',
        'An e-mail address.',
      ])
        await expect(panel.getByText(limit)).toBeVisible();
      const field = (name: RegExp) => panel.getByRole('textbox', { name });
      await expect(field(/^Name on/)).toHaveValue('Mara Lind');
      await expect(inquiry.button('Send as suggested')).toBeVisible();
      await field(/^Name on/).fill('Jo');
      await inquiry.quiet('Bring back Mara Lind').click();
      await expect(field(/^Name on/)).toHaveValue('Mara Lind');
      await panel.getByRole('slider', { name: 'At most, in euros' }).press('ArrowRight');
      await expect(field(/^At most/)).toHaveValue('310');
      await field(/^At most/).fill('910');
      await inquiry.cannot('Send', 'It has to be 900 or less.');
      await field(/^At most/).fill('312,50');
      await field(/^Where to/).fill('mara@example.com');
      await field(/^Where the conference/).fill('https://example.com/程序');
      await panel.getByLabel(/^Day/).fill('2027-03-01');
      await panel.getByLabel(/^Not before/).fill('2027-03-01T08:30');
      await panel.getByRole('combobox', { name: 'Passport of' }).selectOption('Japan');
      await panel
        .getByRole('group', { name: /^At the window/ })
        .getByRole('button', { name: 'Clear' })
        .click();
      await panel
        .getByRole('group', { name: /^Extras/ })
        .getByRole('checkbox', { name: 'dog' })
        .check();
      await inquiry.decide('Send');
      expect((await place.read(asked)).resolution?.answer).toEqual({
        values: {
          ticket: {
            name: 'Mara Lind',
            seats: 2,
            budget: 312.5,
            mail: 'mara@example.com',
            page: 'https://example.com/%E7%A8%8B%E5%BA%8F',
            day: '2027-03-01',
            leave: '2027-03-01T07:30:00.000Z',
            country: 'c7',
            class: 'first',
            extras: ['dog', 'meal'],
          },
        },
      });
    });

    test('several suggested answers, sent from the first page with one tap', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const ask = SAMPLES['several-suggested'] ?? {};
      const asked = await place.ask(ask);
      await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
      await expect(inquiry.panel.getByRole('radio', { name: /^Wait until/ })).toBeChecked();
      await inquiry.decide('Send all 3 as suggested');
      expect((await place.read(asked)).resolution?.answer).toEqual(ask.suggested);
    });
  });
}
