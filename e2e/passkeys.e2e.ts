import type { Page } from '@playwright/test';
import type { Action, Ask, Inquiry } from '#shared/inquiry.ts';
import { call, must } from './hub/call.ts';
import { addDevices, addPerson, addSource, type Device } from './hub/people.ts';
import { makeOn, signOn, VirtualAuthenticator } from './page/authenticator.ts';
import { InquiryPage } from './page/inquiry.ts';
import { button } from './page/press.ts';
import { expect, type Place, test } from './page/scene.ts';

const DROP: Action = { name: 'drop', args: { database: 'preview' }, allowed: ['approve', 'edit', 'reject'] };
const GRAVE: Ask = { title: 'May I drop it?', actions: [DROP], assurance: 'passkey' };
const APPROVE = { decisions: [{ type: 'approve' }] };

/** Adds a passkey in Settings, as its person does; the page has gone there. */
async function addInSettings(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('link', { name: 'Passkeys' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await button(page, 'Add a passkey').click();
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('added');
}

/** Adds one over the wire for whoever holds this device, signed by the browser of a page. */
async function addOn({ hub }: Place, page: Page, { token }: Device): Promise<void> {
  const options = await must<object>(hub, 'POST /v1/passkeys/options', { token, body: {} });
  await must(hub, 'POST /v1/passkeys', { token, body: { name: 'Key', response: await makeOn(page, options) } });
}

test('[APR3] a call is approved with a passkey that was added in Settings; nobody who does not show themselves approves', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone');
  const authenticator = await VirtualAuthenticator.on(page);
  await addInSettings(page, 'Keychain');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 passkey protects what is grave.');
  const asked = await place.ask(GRAVE);
  await page.getByRole('link', { name: 'Inbox' }).first().click();
  const inquiry = new InquiryPage(page);
  await inquiry.open('May I drop it?');
  await expect(inquiry.panel).toContainText('A yes needs your passkey: Atlas asks for it.');
  const approve = inquiry.panel.getByRole('button', { name: /^Approve/ });
  await expect(approve).toContainText('with your passkey');
  await authenticator.verifies(false);
  await expect(async () => {
    await approve.click();
    await expect(inquiry.panel).toContainText('Nothing was signed', { timeout: 3000 });
  }).toPass();
  expect((await place.read(asked)).state).toBe('open');
  await authenticator.verifies(true);
  // What said so moved the buttons; the next press counts all the same.
  await approve.click();
  const { resolution } = await place.read(asked, 20);
  expect(resolution).toMatchObject({
    outcome: 'answered',
    by: { kind: 'person', device: { name: 'Phone' }, amr: ['swk', 'user'] },
  });
});

test('[APR3] without a passkey the card says what to do, a rejection works, and the owner’s wish reaches cautions', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone');
  await VirtualAuthenticator.on(page);
  await addInSettings(page, 'Keychain');
  await page.getByRole('button', { name: /^Printed codes/ }).click();
  const codes = page.locator('.codes code');
  await expect(codes).toHaveCount(10);
  const [code = ''] = await codes.allTextContents();
  await page.getByRole('combobox', { name: 'Calls marked caution' }).selectOption('passkey');
  await expect
    .poll(
      async () => (await must<{ scopes: string[] }>(place.hub, 'GET /v1/passkeys', { token: place.mara.token })).scopes,
    )
    .toEqual(['caution']);
  // Another browser has no passkey of hers, so a printed code stands in.
  const other = await openDevice('Laptop');
  const asked = await place.ask({ title: 'May I drop all?', actions: [{ ...DROP, caution: true }] });
  expect(asked).toMatchObject({ assurance: 'passkey', assuredBy: 'owner' });
  const inquiry = new InquiryPage(other);
  await inquiry.open('May I drop all?');
  await expect(inquiry.panel).toContainText('A yes needs your passkey: the owner asks for it.');
  const reply = (body: object) =>
    call<{ code: string }>(place.hub, `POST /v1/inquiries/${asked.id}/answer`, {
      token: place.mara.token,
      body: { ...APPROVE, digest: asked.digest, ...body },
    });
  expect((await reply({})).body.code).toBe('answer.needs_passkey');
  expect((await reply({ code })).status).toBe(200);
  const his = await place.ask({ title: 'His?', actions: [{ ...DROP, caution: true }] });
  await inquiry.open('His?');
  await inquiry.button('Reject').click();
  await inquiry.decide('Reject');
  expect((await place.read(his, 20)).resolution?.answer).toMatchObject({ decisions: [{ type: 'reject' }] });
});

test('[APR3] what Chromium signed is taken once, for this answer to this inquiry by this person on this device', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone');
  const { hub, mara } = place;
  const authenticator = await VirtualAuthenticator.on(page, { synced: false });
  await addOn(place, page, mara);
  const [second] = await addDevices(hub, mara, 1);
  const bob = await addPerson(hub, mara, 'bob');
  const { key } = await addSource(hub, mara, 'Borealis', { mayAsk: [mara.handle, 'bob'] });
  const ask = (one: Ask) => must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: one });
  const asked = await ask({ ...GRAVE, to: [mara.handle, 'bob'] });
  const other = await ask({ ...GRAVE, to: [mara.handle], title: 'And this?' });
  const read = () => must<Inquiry>(hub, `GET /v1/inquiries/${asked.id}`, { token: key });
  const sign = async (of: Inquiry, body: object, by = mara) =>
    signOn(
      page,
      await must<object>(hub, `POST /v1/inquiries/${of.id}/passkey-challenge`, {
        token: by.token,
        body: { ...body, digest: of.digest },
      }),
    );
  const answer = async (assertion: object, body: object = APPROVE, { token }: Device = mara) => {
    const whole = { ...body, digest: asked.digest, assertion };
    const { status, body: said } = await call<{ code?: string }>(hub, `POST /v1/inquiries/${asked.id}/answer`, {
      token,
      body: whole,
    });
    return said.code ?? status;
  };
  const edit = { decisions: [{ type: 'edit', args: { database: 'live' } }] };
  const refused = [
    await answer(await sign(other, APPROVE)),
    await answer(await sign(asked, { outcome: 'declined' })),
    await answer(await sign(asked, APPROVE), edit),
    await answer(await sign(asked, APPROVE), APPROVE, second),
    await answer(await sign(asked, APPROVE), APPROVE, bob),
    await authenticator.lies({ isBogusSignature: true }).then(async () => answer(await sign(asked, APPROVE))),
    await authenticator.lies({ isBadUV: true }).then(async () => answer(await sign(asked, APPROVE))),
    await authenticator.lies({ isBadUP: true }).then(async () => answer(await sign(asked, APPROVE))),
    await authenticator.lies({}).then(async () => {
      await authenticator.count(50);
      const used = await sign(other, APPROVE);
      await authenticator.count(10);
      return [
        await call(hub, `POST /v1/inquiries/${other.id}/answer`, {
          token: mara.token,
          body: { ...APPROVE, digest: other.digest, assertion: used },
        }).then(({ status }) => status),
        await answer(await sign(asked, APPROVE)),
      ].join(' ');
    }),
  ];
  expect(refused).toEqual([...Array.from({ length: 8 }, () => 'passkey.refused'), '200 passkey.refused']);
  expect((await read()).state).toBe('open');
  // Two tabs send the same; one counts, and sent once more it is used up.
  await authenticator.count(100);
  const good = await sign(asked, APPROVE);
  const [won, lost] = (await Promise.all([answer(good), answer(good)])).toSorted();
  expect(won).toBe(200);
  // Refused at its challenge, or told who won where it comes after that.
  expect(['passkey.refused', 409]).toContain(lost);
  const { resolution } = await read();
  expect(resolution?.by).toMatchObject({ amr: ['hwk', 'user'] });
});
