import type { Page } from '@playwright/test';
import type { Ask } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { InquiryPage } from './page/inquiry.ts';
import { expect, test as testOnItsHub, testOnOneHub as test } from './page/scene.ts';
import { SIZES } from './page/sizes.ts';

const YES_NO = ['Yes', 'No'].map((label) => ({ value: label, label }));
const call = (command: string, more = {}): Ask => ({
  actions: [{ name: 'Bash', args: { command }, allowed: ['approve', 'reject'], ...more }],
  deadline: 7200,
});
const OF_EACH_KIND: Ask[] = [
  { questions: [{ id: 'q', type: 'choice', prompt: 'Fail over?', options: YES_NO }], urgency: 'high', deadline: 600 },
  { title: 'Drop the previews', ...call('infra drop', { caution: true }) },
  call('npm ci'),
  call('rm -rf build'),
  { prompt: 'Which port?', suggested: { text: '80' } },
  { title: 'The invoice', questions: ['a', 'b'].map((id) => ({ id, type: 'text', prompt: id })), deadline: 10_000 },
  { title: 'The guide', document: { markdown: '# Guide' }, deadline: 11_000 },
  { title: 'Sign in to npm', link: { url: 'https://npmjs.com/login', completes: 'self' }, deadline: 12_000 },
];
const SAYS: [name: string, line: RegExp | undefined][] = [
  ['Choice, urgent: Fail over?', /^Urgent, 9 min left · Atlas$/],
  ['Approval, caution: Drop the previews', /^Caution.*Run infra drop$/],
  ['Approval: Run npm ci', undefined],
  ['Approval, destructive: Run rm -rf build', /^Destructive$/],
  ['Question: Which port?', /^Suggested answer$/],
  ['Form: The invoice', undefined],
  ['Document: The guide', undefined],
  ['Link: Sign in to npm', undefined],
];

test('a row begins with what it is and what is at stake, and only what needs somebody now is red', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Laptop', { viewport: SIZES.desktop });
  for (const ask of OF_EACH_KIND) await place.ask(ask);
  await expect(page.locator('.head')).toHaveText(/^8 waiting,\s+next due \d\d:\d\d\.$/);
  const filters = page.getByRole('group', { name: 'Show' }).getByRole('button');
  await expect(filters).toHaveText(['All', 'Urgent 1', 'Due soon 1', 'Approvals 3', 'Questions 4', 'Forms 1']);
  const rows = page.locator('.row');
  await page.getByRole('button', { name: 'Show 2 more' }).click();
  await expect(rows).toHaveCount(SAYS.length);
  for (const [name, line] of SAYS) {
    const row = page.getByRole('link', { name });
    if (line) await expect(row.locator('.row-by')).toHaveText(line);
    else await expect(row.locator('.row-by')).toBeHidden();
    // A deadline that nobody set is not said.
    await expect(row.locator('.row-due')).toHaveText(name.includes('port') ? '' : /\d\d:\d\d$/);
  }
  const redOf = await page.evaluate(RED);
  expect(redOf).toEqual(['b.now', 'span.kind.kind--urgent', 'svg.mk']);
});

// What is drawn in the colour of the commas, on the whole page, the outline of what has the focus included.
const RED = (): string[] => {
  const now = getComputedStyle(document.querySelector('.wordmark .mk') as Element).color;
  const found = [...document.querySelectorAll('body *')].filter((one) => {
    const { color, backgroundColor, outlineColor } = getComputedStyle(one);
    const leaf = one.parentElement === null || getComputedStyle(one.parentElement).color !== now;
    return (color === now && leaf) || backgroundColor === now || (outlineColor === now && leaf);
  });
  return [...new Set(found.map((one) => [one.tagName.toLowerCase(), ...one.classList].join('.')))].toSorted();
};

test('the row of the open question is in view, however it was opened', async ({ place, openDevice }) => {
  const page = await openDevice('Laptop', { viewport: SIZES.desktop });
  const ids: string[] = [];
  for (let at = 0; at < 30; at += 1) {
    const { id } = await place.ask({ ...call(`npm run part-${at}`), context: { runId: `run ${at % 5}` } });
    ids.push(id);
  }
  const inquiry = new InquiryPage(page);
  for (const at of [29, 2, 17]) {
    await page.goto(`${place.origin}/i/${ids[at]}`);
    await expect(inquiry.heading).toContainText(`npm run part-${at}`);
    await expect(page.locator('.row[aria-current]')).toBeInViewport({ ratio: 0.95 });
  }
});

testOnItsHub(
  'what expired unanswered stands above the list until it is opened or dismissed on any device',
  async ({ place, openDevice }) => {
    const preferences = { missedSeenAt: null };
    await must(place.hub, 'PATCH /v1/people/me', { token: place.mara.token, body: { preferences } });
    const phone = await openDevice('Phone', { viewport: SIZES.phone });
    const laptop = await openDevice('Laptop', { viewport: SIZES.desktop });
    await place.ask({ prompt: 'Which port?', deadline: 3600 });
    await place.ask({ prompt: 'Is it raining?', urgency: 'low', deadline: 2 });
    await place.ask({ prompt: 'Page the database team?', urgency: 'high', deadline: 2 });
    const missed = (page: Page) => page.getByRole('region', { name: 'Missed' });
    for (const page of [phone, laptop])
      await expect(missed(page)).toHaveText(
        /^Page the database team\?\d\d:\d\dMissed\. Urgent, nobody answered · Atlas$/,
      );
    await laptop.reload();
    await expect(missed(laptop)).toBeVisible();
    await missed(phone).getByRole('link').click();
    await expect(new InquiryPage(phone).heading).toHaveText(/^Nobody answered by/);
    await expect(missed(laptop)).toHaveCount(0);
    await place.ask({ prompt: 'Restart it?', deadline: 2 });
    await expect(missed(laptop)).toContainText('Missed. Nobody answered · Atlas');
    await missed(laptop).getByRole('button', { name: 'Dismiss' }).click();
    await expect(missed(laptop)).toHaveCount(0);
    await phone.goto(place.origin);
    await expect(phone.getByRole('link', { name: 'Which port?' })).toBeVisible();
    await expect(missed(phone)).toHaveCount(0);
  },
);
