import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { NewPersonReply, NewSourceReply } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { addSource } from './hub/people.ts';
import { faultsOf } from './page/axe.ts';
import { enrollByLink, goTo } from './page/sign-in.ts';
import { InquiryPage } from './page/inquiry.ts';
import { expect, type Place, test } from './page/scene.ts';

const found = (page: Page) => page.getByRole('main').getByRole('heading', { level: 4 });
const seek = (page: Page) => page.getByRole('searchbox', { name: 'Search the history' });
const only = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Which ones' }).getByRole('button', { name });

async function settle(place: Place, title: string, body: object, source: NewSourceReply = place.source): Promise<void> {
  const { hub, mara } = place;
  const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: source.key, body: { prompt: title } });
  await must(hub, `POST /v1/inquiries/${id}/answer`, { token: mara.token, body });
}

test('the history is found by a word, how it ended, its source and its day, and nothing else is shown', async ({
  place,
  openDevice,
}) => {
  const ledger = await addSource(place.hub, place.mara, 'Ledger');
  await settle(place, 'What shall we call the boat?', { text: 'Wren' });
  await settle(place, 'How old are you?', { outcome: 'declined', message: 'That is private.' });
  await settle(place, '要付给供应商吗？', { text: '下周' }, ledger);
  const page = await openDevice('iPhone', { viewport: { width: 390, height: 844 } });
  const head = page.getByRole('heading', { level: 1 });
  await goTo(page, 'History');
  await expect(found(page)).toHaveText([
    'Answered 要付给供应商吗？',
    'Declined How old are you?',
    'Answered What shall we call the boat?',
  ]);
  await expect(head).toHaveText('3 answered.');

  await seek(page).fill('WREN');
  await expect(found(page)).toHaveText(['Answered What shall we call the boat?']);
  await expect(head).toHaveText('1 found.');
  await seek(page).fill('供应商');
  await expect(found(page)).toHaveText(['Answered 要付给供应商吗？']);
  await seek(page).fill('no such word');
  await expect(head).toHaveText('Nothing found for “no such word”.');
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect(found(page)).toHaveCount(3);
  await only(page, 'Missed').click();
  await expect(head).toHaveText('Nothing found.');
  await only(page, 'Everything').click();
  await page.getByRole('combobox', { name: 'Source' }).selectOption('Ledger');
  await expect(found(page)).toHaveText(['Answered 要付给供应商吗？']);
  await page.getByRole('combobox', { name: 'Time' }).selectOption('between');
  await page.getByLabel('Until day').fill('2020-01-01');
  await expect(head).toHaveText('Nothing found.');
  await page.getByLabel('Until day').fill('');
  await page.getByLabel('From day').fill('2020-01-01');
  await expect(found(page)).toHaveText(['Answered 要付给供应商吗？']);

  await found(page).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You answered this on Terminal.');
  await page.goBack();
  await expect(found(page), 'a look at an inquiry does not lose the search').toHaveText(['Answered 要付给供应商吗？']);
});

test('what is sought is exported as CSV and JSON, with who saw it and no formula', async ({ place, openDevice }) => {
  await settle(place, '=SUM(A1)', { text: '付' });
  await settle(place, 'What shall we call the boat?', { text: 'Wren' });
  const page = await openDevice('iPhone');
  await goTo(page, 'History');
  await seek(page).fill('sum');
  await expect(found(page)).toHaveText(['Answered =SUM(A1)']);
  const take = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')] as const;
  };
  const [csvName, csv] = await take('Export as CSV');
  expect([csvName, csv.trim().split('\r\n').length]).toEqual(['beckon-history.csv', 2]);
  expect(csv).toMatch(/"Atlas","'=SUM\(A1\)","'=SUM\(A1\)","mara","answered","付"/);
  const [jsonName, json] = await take('Export as JSON');
  expect(jsonName).toBe('beckon-history.json');
  expect(JSON.parse(json)).toMatchObject([
    { title: '=SUM(A1)', resolution: { text: '付', by: { handle: 'mara', device: { name: 'Terminal' } } }, seenBy: [] },
  ]);
});

test('each entry says who answered from where, who was slower, and opens to who else saw it', async ({
  place,
  openBrowser,
  openDevice,
}) => {
  const { hub, mara } = place;
  const invited = await must<NewPersonReply>(hub, 'POST /v1/people', {
    token: mara.token,
    body: { handle: 'jonas', name: 'Jonas' },
  });
  const source = await addSource(hub, mara, 'Borealis', { mayAsk: ['mara', 'jonas'] });
  const theirs = await openBrowser(place.origin);
  await enrollByLink(theirs, invited.link, 'MacBook');
  const phone = new InquiryPage(await openDevice('iPhone'));
  const body = { prompt: 'Which logo?', to: ['mara', 'jonas'] };
  const asked = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: source.key, body });
  await phone.open('Which logo?');
  await expect(new InquiryPage(theirs).heading).toHaveText('Which logo?');
  const told = await phone.noteHeadlines();
  const missed = { prompt: 'Which ink?', to: ['mara', 'jonas'], deadline: 1, latest: 1, urgency: 'high' };
  const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: source.key, body: missed });
  await must(hub, `GET /v1/inquiries/${id}?wait=30`, { token: source.key });
  await must(hub, `POST /v1/inquiries/${asked.id}/answer`, {
    token: mara.token,
    body: { text: 'The second', via: 'notification' },
  });
  await told('You answered this on Terminal.');
  await goTo(phone.page, 'History');
  const entry = phone.page.getByRole('listitem').filter({ has: phone.page.getByRole('link', { name: 'Which logo?' }) });
  await expect(entry).toContainText(/^Answered Which logo\?The secondBy you, on Terminal, from the notification/);
  await expect(phone.page.getByText(/^Urgent\. Nobody of two answered by \d\d:\d\d$/)).toBeVisible();
  await entry.getByText('By you, on Terminal').click();
  await expect(entry).toContainText('Seen on two devices');
  const seen = entry.getByRole('listitem');
  await expect(seen.filter({ hasText: /^jonas, on MacBook: opened at \d\d:\d\d$/ })).toBeVisible();
  await expect(seen.filter({ hasText: /^You, on iPhone: opened at \d\d:\d\d$/ })).toBeVisible();
});

test('calls that differ only in their place are one record that opens to each; what expired was missed, in both languages', async ({
  place,
  openDevice,
}) => {
  const { hub, mara } = place;
  const context = { agent: 'claude', runId: 'run 482' };
  const page = await openDevice('iPhone', { viewport: { width: 390, height: 844 } });
  await goTo(page, 'History');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing answered yet.');
  await expect(page.getByRole('main')).toHaveText('What you answer stands here, and what rules answer for you.');
  for (const at of [1, 2, 3]) {
    const args = { command: `npm test -- --shard ${at}/3`, description: `Part ${at}` };
    const { id, digest } = await place.ask({ actions: [{ name: 'Bash', args, allowed: ['approve'] }], context });
    const body = { decisions: [{ type: 'approve' }], digest };
    await must(hub, `POST /v1/inquiries/${id}/answer`, { token: mara.token, body });
  }
  await place.read(await place.ask({ prompt: 'Is the kettle on?', deadline: 1, latest: 1 }), 30);
  const main = page.getByRole('main');
  await expect(found(page)).toHaveText([
    'Missed Is the kettle on?',
    'Approved 3 calls like Run npm test -- --shard 3/3',
  ]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('3 answered, 1 missed.');
  await expect(main.getByRole('heading', { level: 2 })).toHaveText('Today');
  await expect(main.getByRole('heading', { level: 3 }).last()).toContainText('run 482');
  await expect(main.getByText('By you, on Terminal')).toHaveCount(1);
  await main.getByRole('button', { name: 'Show all 3' }).click();
  await expect(found(page)).toHaveCount(5);
  await expect(main.getByRole('link', { name: 'Run npm test -- --shard 1/3' })).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await only(page, 'Missed').click();
  await expect(found(page)).toHaveText(['Missed Is the kettle on?']);
  await must(hub, 'PATCH /v1/people/me', { token: mara.token, body: { locale: 'zh' } });
  await expect(found(page)).toHaveText(['已错过 Is the kettle on?']);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('错过 1 件。');
  await expect(main.getByText(/^到 \d\d:\d\d 无人答复$/)).toBeVisible();
});

for (const [size, viewport] of Object.entries({
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
})) {
  test(`an inquiry brings what was asked before in its run and how the same call was decided, on a ${size}`, async ({
    place,
    openDevice,
  }) => {
    const { hub, mara } = place;
    const context = { agent: 'deploy-bot', cwd: '/srv/shop', runId: 'run-7' };
    const run = (command: string) => ({
      prompt: `May I run ${command}?`,
      actions: [{ name: 'bash', args: { command }, allowed: ['approve' as const, 'reject' as const] }],
      context,
    });
    const { id, digest } = await place.ask(run('npm test'));
    const decisions = [{ type: 'approve' }];
    await must(hub, `POST /v1/inquiries/${id}/answer`, { token: mara.token, body: { decisions, digest } });
    await settle(place, 'Another run?', { text: 'Yes' });
    const asked = await place.ask(run('npm test'));
    const page = await openDevice('iPhone', { viewport });
    await page.goto(`${place.origin}/i/${asked.id}`);
    const inquiry = new InquiryPage(page);
    await expect(inquiry.heading).toHaveText('May I run npm test?');
    const about = size === 'phone' ? page.getByRole('dialog') : inquiry.panel.getByRole('complementary');
    if (size === 'phone') await inquiry.panel.getByRole('button', { name: 'More' }).first().click();
    await expect(about).toContainText(/P\.S\. The same call, from Atlas: you approved it today at \d\d:\d\d\./);
    const earlier = about.getByRole('region', { name: 'Before, in this run' }).getByRole('link');
    await expect(earlier).toHaveText([/^“May I run npm test\?”: Run npm testApproved \d\d:\d\d$/]);
    for (const fact of ['deploy-bot', '/srv/shop', 'run-7']) await expect(about).toContainText(fact);
    expect(await faultsOf(page)).toEqual([]);
    await earlier.click();
    await expect(inquiry.verdict).toHaveText('You answered this on Terminal.');
    await page.goto(`${place.origin}/history`);
    await expect(found(page)).toHaveCount(2);
    expect(await faultsOf(page)).toEqual([]);
  });
}
