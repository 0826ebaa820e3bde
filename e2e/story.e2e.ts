import { must } from './hub/call.ts';
import { startHub } from './hub/hub.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import {
  enrollFirst,
  goTo,
  requestAccess,
  approveSignIn,
  makeLink,
  pickNumber,
  showNumber,
  typeDigits,
} from './page/sign-in.ts';
import { InquiryPage } from './page/inquiry.ts';
import { heardBy } from './page/line.ts';
import { expect, firstLink, originOf, test } from './page/scene.ts';

const QUESTION = 'Which day suits you?';

test('[WDR1] three devices show a question, one answers it, the others close by themselves and say who answered where', async ({
  openBrowser,
}) => {
  const hub = await startHub();
  const origin = originOf(hub);
  const [laptop, phone, tablet] = await Promise.all([openBrowser(origin), openBrowser(origin), openBrowser(origin)]);
  const heard = [laptop, phone, tablet].map(heardBy);
  try {
    await enrollFirst(laptop, await firstLink(hub), 'Laptop', 'Mara');
    const number = await showNumber(phone, await makeLink(laptop), 'Phone');
    await pickNumber(laptop, 'Phone', number);
    await expect(phone.getByRole('navigation', { name: 'Places' })).toBeVisible();
    await requestAccess(tablet, origin, 'owner', 'Tablet');
    await typeDigits(tablet, await approveSignIn(laptop, 'Tablet'));
    await goTo(laptop, 'Inbox');
    await laptop.getByRole('button', { name: 'Finish later' }).click();

    const added = await hub.cli('source', 'add', 'Atlas');
    const asked = must<Inquiry>(hub, 'POST /v1/inquiries?wait=60', {
      token: added.out.trim().split('\n').at(-1),
      body: {
        questions: [
          {
            id: 'day',
            type: 'choice',
            prompt: QUESTION,
            options: [
              { value: 'mon', label: 'Monday' },
              { value: 'tue', label: 'Tuesday' },
            ],
          },
        ],
      },
    });
    const inquiries = [laptop, phone, tablet].map((page) => new InquiryPage(page));
    for (const inquiry of inquiries) await inquiry.open(QUESTION);

    const [mine, ...others] = inquiries as [InquiryPage, InquiryPage, InquiryPage];
    const told = await Promise.all(others.map((inquiry) => inquiry.noteHeadlines()));
    await mine.tap('Tuesday');
    for (const hears of told) await hears('You answered this on Laptop.');
    for (const inquiry of others) await expect(inquiry.heading).toHaveText(/Nothing waits for you/);
    await expect(mine.verdict).toHaveText('Atlas has your answer.');
    expect(heard.map((names) => names.filter((name) => name === 'withdraw').length)).toEqual([0, 1, 1]);

    const { resolution } = await asked;
    expect(resolution).toMatchObject({
      outcome: 'answered',
      answer: { values: { day: 'tue' } },
      text: 'Tuesday',
      by: { kind: 'person', handle: 'owner', device: { name: 'Laptop' } },
    });
    for (const { page } of inquiries) {
      await goTo(page, 'History');
      await expect(page.getByRole('listitem').filter({ hasText: QUESTION })).toContainText(
        /Tuesday.*By you, on Laptop/,
      );
    }
  } finally {
    await hub.remove();
  }
});
