import type { Ask } from '#shared/inquiry.ts';
import type { Attention } from '#shared/policies/attention.ts';
import type { Policies } from '#shared/policies/rule.ts';
import { must } from './hub/call.ts';
import { faultsOf } from './page/axe.ts';
import { button } from './page/press.ts';
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

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`[POL4] a rule that is offered for an answer is for that question alone, and keeps it when it is changed, on a ${size}`, async ({
    place,
    openDevice,
  }) => {
    const options = ['Yes', 'No'].map((label) => ({ value: label.toLowerCase(), label }));
    const asked = (prompt: string): Ask => ({ questions: [{ id: 'q', type: 'choice', prompt, options }] });
    const answered = async (prompt: string) => {
      const { id } = await place.ask(asked(prompt));
      const body = { values: { q: 'yes' } };
      await must(place.hub, `POST /v1/inquiries/${id}/answer`, { token: place.mara.token, body });
    };
    for (let time = 0; time < 10; time++) await answered('Ship it?');
    for (let time = 0; time < 5; time++) await answered(`Drop table ${time}?`);
    const page = await openDevice('Mine', { viewport });
    await page.goto(`${place.origin}/attention`);
    const offer = page.getByRole('region', { name: 'What would help' });
    await expect(offer.getByRole('listitem')).toHaveCount(1);
    await expect(offer.getByText('When Atlas asks Ship it? with Yes or No, answer Yes.')).toBeVisible();
    await offer.getByRole('button', { name: 'Preview: Atlas: Ship it?' }).click();
    await expect(offer.getByRole('status')).toContainText('Would have decided 10 of the last 15.');
    await offer.getByRole('button', { name: 'Turn on: Atlas: Ship it?' }).click();
    await expect(offer.getByRole('status')).toHaveText('The rule is on. It stands last among your rules.');
    const states = async () => {
      const found = [];
      for (const prompt of ['Ship it?', 'Drop table 0?', 'Ship it now?'])
        found.push((await place.ask(asked(prompt))).state);
      return found;
    };
    expect(await states()).toEqual(['answered', 'open', 'open']);
    const source = place.source.source.id;
    const when = { source, kind: 'questions', question: { prompt: 'Ship it?', options } };
    await page.goto(`${place.origin}/rules#me/${encodeURIComponent('Atlas: Ship it?')}`);
    const edit = page.getByRole('region', { name: 'Edit' });
    const only = edit.getByRole('checkbox', { name: 'only this one, word for word' });
    await expect(only).toBeChecked();
    await expect(edit.getByRole('textbox', { name: 'Question' })).toHaveValue(
      'Ship it?\n\n○ Yes (answers yes)\n\n○ No (answers no)',
    );
    expect(await faultsOf(page)).toEqual([]);
    await edit.getByLabel(/^Name \(/).fill('Shipping');
    await button(edit, 'Save').click();
    const mine = page.getByRole('region', { name: 'My rules' });
    await expect(mine.getByText('When Atlas asks Ship it? with Yes or No, answer Yes.')).toBeVisible();
    expect(await rulesOf(place)).toEqual([{ name: 'Shipping', when, then: { answer: 'yes' } }]);
    // A rule for every question has another name.
    await mine.getByRole('link', { name: 'Edit: Shipping' }).click();
    await only.uncheck();
    await expect(edit.getByText('When Atlas asks questions, answer yes.')).toBeVisible();
    await edit.getByLabel(/^Name \(/).fill('Shipping');
    await expect(edit.getByRole('alert')).toHaveText(
      'A rule of this name answers one question only. Give a rule for others another name.',
    );
    expect(await faultsOf(page)).toEqual([]);
    await only.check();
    await expect(edit.getByRole('alert')).toHaveCount(0);
    await only.uncheck();
    await edit.getByLabel(/^Name \(/).fill('All');
    await button(edit, 'Save').click();
    await expect(mine.getByText('When Atlas asks questions, answer yes.')).toBeVisible();
    expect(await rulesOf(place)).toEqual([
      { name: 'All', when: { source, kind: 'questions' }, then: { answer: 'yes' } },
    ]);
    expect(await states()).toEqual(['answered', 'answered', 'answered']);
  });
}

test('where nothing was asked the page says so', async ({ place, openDevice }) => {
  const page = await openDevice('Mine');
  await page.goto(`${place.origin}/attention`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing was asked of you.');
  expect(await faultsOf(page)).toEqual([]);
});
