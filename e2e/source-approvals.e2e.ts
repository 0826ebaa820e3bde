import type { Passkeys } from '#shared/schemas/passkeys.ts';
import type { Source } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { addPerson } from './hub/people.ts';
import { makeOn, VirtualAuthenticator } from './page/authenticator.ts';
import { faultsOf } from './page/axe.ts';
import { press } from './page/press.ts';
import { expect, test } from './page/scene.ts';

test('[APR1] [APR3] [APR4] [APR5] the owner sets what approvals of a source take and who is asked too, and has a lost passkey of somebody removed', async ({
  place,
  openDevice,
}) => {
  const { hub, mara, origin, source } = place;
  const anna = await addPerson(hub, mara, 'anna');
  const page = await openDevice('Laptop');
  await VirtualAuthenticator.on(page);
  const give = async ({ token }: { token: string }, name: string) => {
    const options = await must<object>(hub, 'POST /v1/passkeys/options', { token, body: {} });
    await must(hub, 'POST /v1/passkeys', { token, body: { name, response: await makeOn(page, options) } });
  };
  await give(mara, 'Keychain');
  await give(anna, 'Lost key');
  await page.goto(`${origin}/sources/${source.source.id}`);
  await page.getByText('Approvals', { exact: true }).click();
  const pick = (name: string, value: string) => page.getByRole('combobox', { name }).selectOption(value);
  await pick('People who must approve', '2');
  await pick('An approval holds', '3600');
  await pick('A yes takes', 'passkey');
  await expect(page.getByText('Add two passkeys first')).toBeVisible();
  await press(page.getByRole('button', { name: /^While nobody answers/ }), page.getByRole('dialog'));
  await page.getByRole('textbox', { name: 'After so many minutes' }).fill('10');
  await page.getByRole('textbox', { name: 'User names of people or groups' }).fill('mara');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('mara after 10 minutes')).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  const { items } = await must<{ items: Source[] }>(hub, 'GET /v1/sources', { token: mara.token });
  expect(items.find(({ id }) => id === source.source.id)).toMatchObject({
    approvals: { count: 2 },
    validFor: 3600,
    escalate: [{ after: 600, to: ['mara'] }],
  });

  await page.goto(`${origin}/settings`);
  await press(page.getByRole('button', { name: /^anna/ }), page.getByRole('dialog', { name: 'anna' }));
  const theirs = page.getByRole('dialog', { name: 'Passkeys of anna' });
  await press(page.getByRole('button', { name: /^Passkeys/ }), theirs);
  await theirs.getByRole('button', { name: /^Remove Lost key/ }).click();
  await expect(theirs.getByRole('button', { name: /^Keep Lost key/ })).toContainText('their devices were told');
  const own = await must<Passkeys>(hub, 'GET /v1/passkeys', { token: anna.token });
  expect(own.items.map(({ name, removalAt }) => [name, removalAt !== undefined])).toEqual([['Lost key', true]]);
});
