import type { Ask } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press } from './page/press.ts';
import { expect, test as testOnItsHub, testOnOneHub as test } from './page/scene.ts';
import { shiftOf } from './page/shift.ts';
import { SIZES } from './page/sizes.ts';

const LONG = `terraform -chdir=infra/${'production/'.repeat(12)} destroy -auto-approve`;
const titled = (title: string, command: string, more: Partial<Ask> = {}): Ask => ({
  title,
  actions: [{ name: 'Bash', args: { command }, allowed: ['approve', 'reject'] }],
  deadline: 7200,
  ...more,
});
const pay: Ask = {
  title: 'Routine',
  actions: [{ name: 'transfer', args: { amount: 12400 }, allowed: ['approve', 'reject'] }],
};

/** What of each line of a call is not cut away: its first and its last characters. */
const ENDS = (): boolean[] =>
  [...document.querySelectorAll('.ends')].map((line) => {
    const room = line.getBoundingClientRect();
    const [first, last = first] = [...line.children];
    const end = document.createRange();
    end.selectNodeContents(last as Node);
    const drawn = end.getBoundingClientRect();
    const start = (first as Element).getBoundingClientRect();
    return start.left >= room.left - 1 && start.width >= Math.min(40, drawn.width) && drawn.right <= room.right + 1;
  });

for (const width of [360, 390, 1280])
  testOnItsHub(
    `[SEE1] a row names the call below the quotation of its sender, both ends of it, at ${width} px`,
    async ({ place, openDevice }) => {
      const page = await openDevice('Phone', { viewport: { width, height: 844 } });
      await place.ask(titled('Deploy', LONG));
      const entry = page.locator('a.entry').filter({ hasText: 'Deploy' });
      if (width < 900) {
        await expect(entry.locator('q')).toHaveText('Deploy');
        await expect(entry.locator('.ends')).toHaveText(/^Run terraform.*-auto-approve$/);
        expect(await page.evaluate(ENDS)).toEqual([true]);
      }
      for (let at = 0; at < 6; at++) await place.ask(titled(`Deploy n${at}`, `${LONG} ${at}`, { deadline: 7201 + at }));
      await place.ask(titled('Plan', 'terraform plan', { urgency: 'high' }));
      const row = page.getByRole('link', { name: /Approval, destructive: .?Deploy n1/ });
      await expect(row.locator('.ends')).toHaveText(/^Run terraform.*destroy -auto-approve 1$/);
      await expect(row.locator('.row-by')).toContainText('Destructive');
      const ends = await page.evaluate(ENDS);
      expect(ends).toEqual(ends.map(() => true));
      const plain = page.getByRole('link', { name: /Plan/ });
      expect((await plain.boundingBox())?.height).toBeLessThan(58);
      expect(await shiftOf(page, `${place.origin}/`)).toBeLessThan(0.2);
    },
  );

testOnItsHub('[SEE1] a search finds a call by its words and shows them in its line', async ({ place, openDevice }) => {
  const page = await openDevice('Laptop', { viewport: SIZES.desktop });
  await place.ask(titled('Deploy', `cd ${'a/'.repeat(60)} && terraform destroy && echo ${'done '.repeat(20)}`));
  for (let at = 0; at < 7; at++) await place.ask(titled(`Ask ${at}`, `ls ${at}`));
  await page.getByRole('searchbox').fill('terraform');
  const row = page.locator('.row');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Deploy');
  await expect(row.locator('mark')).toHaveText('terraform');
  await expect(row.locator('mark')).toBeInViewport();
});

testOnItsHub(
  '[SEE1] what was approved is named: in the bar, the ending, the receipt and the history',
  async ({ place, openDevice }) => {
    const page = await openDevice('Phone', { viewport: SIZES.phone });
    const inquiry = new InquiryPage(page);
    const asked = await place.ask(pay);
    await place.ask({ prompt: 'Something else?' });
    await inquiry.open('Routine');
    await press(inquiry.button('Approve'), inquiry.verdict);
    await expect(inquiry.panel.locator('.decided')).toHaveText(/Approved.*transfer.*12400/);
    await page.goto(`${place.origin}/i/${asked.id}`);
    await inquiry.panel.getByText('About this question').click();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await expect(receipt).toContainText(/Approved.*transfer.*12400/);
    await page.goto(`${place.origin}/history`);
    const record = page.getByRole('listitem').filter({ hasText: 'Routine' });
    await expect(record.locator('.ends')).toHaveText(/transfer.*12400/);
    await page.getByRole('searchbox').fill('12400');
    await expect(record.locator('mark')).toHaveText('12400');
  },
);

testOnItsHub(
  '[SEE1] the bar after a decision and an answer that waits for a line name the call',
  async ({ place, openDevice }) => {
    const body = { preferences: { undoSeconds: 10 } };
    await must(place.hub, 'PATCH /v1/people/me', { token: place.mara.token, body });
    const page = await openDevice('Phone', { viewport: SIZES.phone });
    const inquiry = new InquiryPage(page);
    const asked = await place.ask(titled('Deploy', LONG));
    await place.ask({ prompt: 'Something else?' });
    await inquiry.open('Deploy');
    await inquiry.button('Reject').click();
    const bar = page.locator('.undo');
    await expect(bar.getByRole('status')).toHaveText(/^Rejected: Run terraform .*-auto-approve$/);
    await expect(bar.locator('.ends')).toBeVisible();
    await bar.getByRole('button', { name: 'Undo' }).click();
    await expect(inquiry.heading).toHaveText('Deploy');
    expect((await place.read(asked)).resolution).toBeUndefined();
  },
);

for (const [language, verb, no] of [
  ['en', 'Approve ', 'Reject '],
  ['zh', '批准', '拒绝'],
] as const)
  testOnItsHub(
    `[SEE1] the hub's verb stands on each button beside the words of its source, in ${language}`,
    async ({ place, openDevice }) => {
      const page = await openDevice('Phone', { viewport: SIZES.phone });
      const inquiry = new InquiryPage(page);
      await must(place.hub, 'PATCH /v1/people/me', { token: place.mara.token, body: { locale: language } });
      const options = [
        { id: 'a', label: 'Reject', type: 'approve' as const },
        { id: 'b', label: '\u200b', type: 'approve' as const },
        { id: 'c', label: 'Go', type: 'approve' as const },
        { id: 'd', label: 'go ', type: 'approve' as const },
        { id: 'e', label: 'Gо', type: 'reject' as const },
      ];
      await place.ask({ actions: [{ name: 'vacuum', args: {}, allowed: ['approve', 'reject'], options }] });
      await inquiry.open('vacuum');
      for (const words of [`${verb}“Reject”`, verb.trim(), `${verb}“Go” (c)`, `${verb}“go” (d)`, `${no}“Gо”`])
        await expect(inquiry.button(words)).toHaveCount(1);
    },
  );

test('[SEE1] four answers that read alike are told apart, and a blank one by its value', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone', { viewport: SIZES.phone });
  const inquiry = new InquiryPage(page);
  const go = (...values: string[]) => values.map((value) => ({ value, label: value === 'south' ? ' ' : 'Go' }));
  const ask = (options: object[]) =>
    place.ask({ questions: [{ id: 'q', type: 'choice', prompt: 'Where?', options }] } as Ask);
  await ask(go('north', 'east', 'south'));
  await inquiry.open('Where?');
  for (const words of ['Go (north)', 'Go (east)', 'south']) await expect(inquiry.button(words)).toHaveCount(1);
  await press(inquiry.button('Go (east)'), inquiry.verdict);
  const four = await ask(go('north', 'east', 'west', 'home'));
  await page.goto(`${place.origin}/i/${four.id}`);
  await expect(inquiry.panel.getByRole('radio')).toHaveCount(4);
  for (const name of ['Go (north)', 'Go (east)', 'Go (west)', 'Go (home)'])
    await expect(inquiry.panel.getByRole('radio', { name })).toHaveCount(1);
});
