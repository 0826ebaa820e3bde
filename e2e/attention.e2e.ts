import type { Attention } from '#shared/policies/attention.ts';
import type { Policies } from '#shared/policies/rule.ts';
import { must } from './hub/call.ts';
import { faultsOf } from './page/axe.ts';
import { expect, type Place, test } from './page/scene.ts';
import { goTo } from './page/sign-in.ts';
import { SIZES } from './page/sizes.ts';

const rulesOf = async ({ hub, mara }: Place) =>
  (await must<Policies>(hub, 'GET /v1/policies', { token: mara.token })).rules;

// Answered from elsewhere, once a page has shown it.
async function approved({ hub, mara, ask }: Place, times: number): Promise<void> {
  const { id, digest } = await ask({
    actions: [{ name: 'Bash', args: { command: 'cargo test' }, allowed: ['approve', 'reject'] }],
  });
  const notified = async () =>
    (await must<Attention>(hub, 'GET /v1/attention', { token: mara.token })).sources[0]?.notified;
  await expect.poll(notified).toBe(times);
  const body = { digest, decisions: [{ type: 'approve' }] };
  await must(hub, `POST /v1/inquiries/${id}/answer`, { token: mara.token, body });
}

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`[POL4] a person sees who notified them and turns a rule on that would have saved it, on a ${size}`, async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Mine', { viewport });
    const head = page.getByRole('heading', { level: 1 });
    for (let time = 1; time <= 5; time++) await approved(place, time);
    await goTo(page, 'History');
    await page.getByRole('navigation', { name: 'History' }).getByRole('link', { name: 'Attention' }).click();
    await expect(head).toHaveText(/^You were asked 5 times, *5 fewer with what is offered here\.$/);
    await expect(page.getByRole('img', { name: /^Atlas, asked you by day: / })).toBeVisible();
    await expect(page.getByRole('img', { name: /^Asked you by hour, / })).not.toHaveCount(0);
    await expect(page.getByText(/^Nobody asked on /)).toBeVisible();
    await expect(page.getByRole('img', { name: /^Half of the answers came within: Approvals/ })).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    const offer = page.getByRole('region', { name: 'What would help' });
    await expect(offer.getByText('When Atlas calls Bash, and every command in its line is cargo test')).toBeVisible();
    await expect(offer.getByRole('button', { name: /^Turn on/ })).toHaveCount(0);
    await offer.getByRole('button', { name: 'Preview: Atlas: cargo test' }).press('Enter');
    await expect(offer.getByRole('status')).toContainText('Would have approved 5 of the last 5.');
    expect(await rulesOf(place)).toEqual([]);
    await offer.getByRole('button', { name: 'Turn on: Atlas: cargo test' }).press('Enter');
    await expect(offer.getByRole('status')).toHaveText('The rule is on. It stands last among your rules.');
    const rule = {
      name: 'Atlas: cargo test',
      when: { source: place.source.source.id, tool: 'Bash', shell: ['cargo test'] },
      then: 'approve',
    };
    expect(await rulesOf(place)).toEqual([rule]);
    await offer.getByRole('button', { name: 'Undo: Atlas: cargo test' }).click();
    await expect(offer.getByRole('status')).toContainText('Would have approved 5 of the last 5.');
    expect(await rulesOf(place)).toEqual([]);
    await offer.getByRole('button', { name: 'Dismiss: Atlas: cargo test' }).click();
    await expect(offer.getByText(/^No rule yet/)).toBeVisible();
    await expect(head).toHaveText(/no rule would have helped yet\.$/);
    await page.reload();
    await expect(offer.getByText(/^No rule yet/)).toBeVisible();
    await must(place.hub, 'PUT /v1/policies', { token: place.mara.token, body: { version: 2, rules: [rule] } });
    await place.ask({ actions: [{ name: 'Bash', args: { command: 'cargo test' }, allowed: ['approve', 'reject'] }] });
    await page.getByRole('button', { name: '30 days' }).click();
    await expect(page.getByText('1 answered without you')).toBeVisible();
    const days = page.getByRole('region', { name: 'Who asked' });
    await days.getByText('Show as a table').press('Enter');
    await expect(days.getByRole('row')).toHaveCount(2);
    await expect(days.getByRole('row', { name: /^Atlas \w+ 5 1$/ })).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    await must(place.hub, 'PATCH /v1/people/me', { token: place.mara.token, body: { locale: 'zh' } });
    await expect(page.getByRole('heading', { name: '用了多久' })).toBeVisible();
    await expect(head).toHaveText(/共询问你 5 次/);
    expect(await faultsOf(page)).toEqual([]);
  });
}

test('where nothing was asked the page says so', async ({ place, openDevice }) => {
  const page = await openDevice('Mine');
  await page.goto(`${place.origin}/attention`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing was asked of you.');
  expect(await faultsOf(page)).toEqual([]);
});
