import type { Action } from '#shared/inquiry.ts';
import { InquiryPage } from './page/inquiry.ts';
import { button, press } from './page/press.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';
import { SIZES } from './page/sizes.ts';

const REFUND: Action = {
  name: 'refund',
  args: { order: 'A-1077', amount: 340, currency: 'EUR' },
  allowed: ['approve', 'edit', 'reject', 'respond'],
};

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`on a ${size}`, () => {
    test.use({ viewport });

    test('one call, approved as it is', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const asked = await place.ask({ actions: [REFUND] });
      await inquiry.open('Refund');
      await expect(inquiry.heading).toHaveText('Refund 340 EUR');
      await expect(inquiry.panel.getByRole('row')).toHaveText(['orderA-1077', 'amount340', 'currencyEUR']);
      await inquiry.decide('Approve');
      await expect(inquiry.panel.getByRole('paragraph').filter({ hasText: /^Approved Refund 340 EUR$/ })).toBeVisible();
      expect((await place.read(asked)).resolution).toMatchObject({
        outcome: 'answered',
        answer: { decisions: [{ type: 'approve' }] },
        text: 'Approved: Refund 340 EUR.',
      });
    });

    test('one call, rejected with a reason', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const asked = await place.ask({ prompt: 'May I refund Anna?', actions: [REFUND] });
      await inquiry.open('May I refund Anna?');
      await inquiry.button('Reject').click();
      await inquiry.panel
        .getByRole('textbox', { name: 'The call does not run. Tell Atlas why, or leave it blank' })
        .fill('She kept the lamp.');
      await inquiry.decide('Reject');
      expect((await place.read(asked)).resolution?.answer).toEqual({
        decisions: [{ type: 'reject', message: 'She kept the lamp.' }],
      });
    });

    test('one call, approved with other arguments, exact to the last digit', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const asked = await place.ask({ prompt: 'May I refund Ben?', actions: [REFUND] });
      await inquiry.open('May I refund Ben?');
      // Editing moves the call out of sight, which was perhaps not seen yet: it is gone back to before each press.
      await inquiry.quiet('Edit').click();
      const amount = inquiry.panel.getByRole('textbox', { name: 'amount' });
      await expect(amount).toHaveValue('340');
      await amount.fill('a lot');
      await inquiry.readOn('Approve with changes');
      await inquiry.cannot('Approve with changes', 'This is not a number.');
      await amount.fill('170');
      await inquiry.quiet('As JSON').click();
      const args = inquiry.panel.getByRole('textbox', { name: /^The arguments, as JSON/ });
      await expect(args).toHaveValue(/"amount": 170,/);
      await args.fill('{"order": "A-1077", "amount": 170.5');
      await inquiry.readOn('Approve with changes');
      await inquiry.cannot('Approve with changes', 'This is not JSON yet.');
      await args.fill('{"order": "A-1077", "amount": 170.5, "currency": "EUR"}');
      await inquiry.readOn('Approve with changes');
      await inquiry.decide('Approve with changes');
      expect((await place.read(asked)).resolution?.answer).toMatchObject({
        decisions: [{ type: 'edit', args: { order: 'A-1077', amount: 170.5, currency: 'EUR' } }],
      });
      const receipt = inquiry.panel;
      await expect(receipt).toContainText('Approved with changes Refund 170.5 EUR');
      await expect(receipt.getByRole('definition')).toHaveText(['removed: 340 now: 170.5']);
      await receipt.getByText('2 arguments stay as asked.').click();
      await expect(receipt.getByRole('definition')).toHaveText(['removed: 340 now: 170.5', 'A-1077', 'EUR']);
    });

    test('one call, answered in its place', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const asked = await place.ask({ prompt: 'May I refund Cleo?', actions: [REFUND] });
      await inquiry.open('May I refund Cleo?');
      await inquiry.quiet('Reply instead').click();
      const words = inquiry.panel.getByRole('textbox', {
        name: 'The call does not run. Atlas gets your words as its result',
      });
      await words.fill('I paid her in cash.');
      await inquiry.decide('Send');
      expect((await place.read(asked)).resolution?.answer).toEqual({
        decisions: [{ type: 'respond', message: 'I paid her in cash.' }],
      });
    });

    test('several calls with a decision each, in their order', async ({ place, openDevice }) => {
      const inquiry = new InquiryPage(await openDevice('Phone'));
      const asked = await place.ask({
        title: 'Three calls for the move',
        actions: [
          { ...REFUND, allowed: ['approve', 'reject'] },
          { name: 'mail', args: { to: 'anna@example.com' }, allowed: ['approve', 'edit', 'reject'] },
          { name: 'Bash', args: { command: 'rm -rf ./seven' }, allowed: ['approve', 'edit', 'reject'] },
        ],
      });
      await inquiry.open('Three calls for the move');
      await expect(inquiry.panel.getByRole('button', { name: /^Approve all 3/ })).toBeVisible();
      const decision = (place: number) => inquiry.panel.getByRole('radiogroup', { name: `Decision ${place}` });
      const line = (place: number) => inquiry.panel.locator(`#call-${place - 1} .call-say`).getByRole('button');
      await expect(inquiry.panel.getByText('This cannot be taken back.')).toHaveCount(0);
      // What a line does not say whole is shown below it with all that can be decided; a line opens to that.
      await expect(inquiry.panel.getByRole('radiogroup')).toHaveCount(2);
      await expect(inquiry.panel.getByRole('listitem').filter({ hasText: /^Bash\s*1 call$/ })).toBeVisible();
      await expect(inquiry.panel.locator('#call-2')).toHaveText(/^3\s*Run rm -rf \.\/seven\s*Reject\s*Destructive$/);
      await line(3).click();
      await expect(decision(3).getByRole('radio')).toHaveCount(3);
      await line(3).click();
      await expect(decision(3)).toHaveCount(0);
      await decision(1).getByRole('radio', { name: 'Approve' }).check();
      await expect(inquiry.panel.getByText('1 decided, 2 to go.')).toBeVisible();
      await button(inquiry.panel, 'Reject call 3').click();
      await inquiry.readOn('Approve 2 refund 1, mail 1; rejects 1');
      await button(inquiry.panel, 'Undo call 3').click();
      await expect(inquiry.panel.getByRole('button', { name: /^Approve all 3/ })).toBeVisible();
      await button(inquiry.panel, 'Reject call 3').click();
      await inquiry.panel
        .getByRole('textbox', { name: 'The call does not run. Tell Atlas why, or leave it blank' })
        .fill('Keep seven.');
      await decision(2).getByRole('radio', { name: 'Edit' }).check();
      await inquiry.panel.getByRole('textbox', { name: 'to', exact: true }).fill('ben@example.com');
      await inquiry.readOn('Send all 3');
      await inquiry.decide('Send all 3');
      expect((await place.read(asked)).resolution?.answer).toMatchObject({
        decisions: [
          { type: 'approve' },
          { type: 'edit', args: { to: 'ben@example.com' } },
          { type: 'reject', message: 'Keep seven.' },
        ],
      });
    });

    test('the asker’s own choices stand in place of approve and reject', async ({ place, openDevice }) => {
      const page = await openDevice('Phone');
      const inquiry = new InquiryPage(page);
      const asked = await place.ask({
        actions: [
          {
            name: 'bash',
            args: { command: 'npm install left-pad && npm test' },
            allowed: ['approve', 'reject'],
            options: [
              { id: 'once', label: 'Allow once', type: 'approve' },
              {
                id: 'always',
                label: 'Always allow',
                type: 'approve',
                remember: 'npm, in this folder',
                data: { scope: 'npm' },
              },
              { id: 'no', label: 'No, and stop', type: 'reject', stop: true },
            ],
          },
        ],
        context: { cwd: '/home/mara/shop' },
      });
      await inquiry.open('Run npm install left-pad');
      await expect(inquiry.button('Approve')).toHaveCount(0);
      await expect(inquiry.button('Reject')).toHaveCount(0);
      await expect(inquiry.button('Approve “Allow once”')).toBeVisible();
      await expect(inquiry.button('Reject “No, and stop”')).toBeVisible();
      // What reaches further than this call is no plain button: it says what it covers, twice.
      await expect(inquiry.panel.getByRole('button', { name: /Always allow/ })).toHaveCount(0);
      const again = page.getByRole('dialog', { name: /^Send this to / });
      await press(inquiry.button('More').last(), page.getByRole('dialog', { name: 'More' }));
      const always = page.getByRole('button', { name: /^Approve “Always allow”…/ });
      await expect(always).toContainText('Remembered: npm, in this folder');
      await press(always, again);
      await expect(again).toContainText('Remembered: npm, in this folder');
      await again.getByRole('button', { name: 'Cancel' }).click();
      await expect(again).toBeHidden();
      expect((await place.read(asked)).resolution).toBeUndefined();
      await press(inquiry.button('More').last(), page.getByRole('dialog', { name: 'More' }));
      await press(always, again);
      await press(again.getByRole('button', { name: 'Send' }), inquiry.verdict);
      await expect(inquiry.verdict).toHaveText('Atlas has your answer.');
      expect((await place.read(asked)).resolution).toMatchObject({
        answer: { decisions: [{ type: 'approve', optionId: 'always' }] },
        text: 'Approved (Always allow): Run `npm install left-pad && npm test`.',
      });
    });
  });
}

test('a call that cannot be taken back can be approved only when it was read to its end', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { viewport: { width: 390, height: 844 }, reducedMotion: 'no-preference' });
  const inquiry = new InquiryPage(page);
  const tables = Array.from({ length: 60 }, (_, line) => `table_${line + 1}`);
  const asked = await place.ask({
    prompt: 'May I empty the tables?',
    actions: [{ name: 'truncate', args: { tables }, allowed: ['approve', 'reject'], caution: true }],
  });
  await inquiry.open('May I empty the tables?');
  await expect(inquiry.panel.getByText('This cannot be taken back.')).toBeVisible();
  await expect(inquiry.button('Approve after you have seen the end')).toBeDisabled();
  await inquiry.button('Approve after you have seen the end').click({ force: true });
  const waited = await inquiry.noteWaits();
  await page.keyboard.press('y');
  await page.keyboard.press('End');
  await waited(/^Read first, \d s/);
  expect((await place.read(asked)).resolution).toBeUndefined();
  await expect(inquiry.button('Approve')).toBeEnabled();
  await inquiry.decide('Approve');
  expect((await place.read(asked)).resolution?.answer).toEqual({ decisions: [{ type: 'approve' }] });
});
