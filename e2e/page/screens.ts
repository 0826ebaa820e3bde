import type { Look } from './visit/look.ts';
import { expect, type Page } from '@playwright/test';
import { call, must } from '../hub/call.ts';
import { addDevices } from '../hub/people.ts';
import { enrollByLink, goTo, requestAccess, approveSignIn, makeLink, showNumber } from './sign-in.ts';
import { InquiryPage } from './inquiry.ts';
import { visitConnect } from './visit/connect.ts';
import { visitDeciders } from './visit/deciders.ts';
import { visitDeliveries } from './visit/deliveries.ts';
import { visitGates } from './visit/gates.ts';
import { visitIphone } from './visit/iphone.ts';
import { press, button } from './press.ts';
import { visitArrivals, visitKeyRequest } from './visit/arrivals.ts';
import { visitQuiet } from './visit/quiet.ts';
import { visitUndo } from './visit/undo.ts';
import { SAMPLES } from './samples.ts';
import type { Place } from './scene.ts';
import { visitSelection } from './visit/selection.ts';
import { visitYolo } from './visit/yolo.ts';

/** Walks a page that nobody is signed in on through signing in. */
export async function visitSignIn(place: Place, page: Page, look: Look): Promise<void> {
  await page.goto(place.origin);
  await expect(page.getByRole('heading', { name: 'Sign in to Beckon.' })).toBeVisible();
  await look('sign-in');
  await requestAccess(page, place.origin, 'nobody-here', 'Phone');
  await look('sign-in-digits');
  const { link } = await must<{ link: string }>(place.hub, 'POST /v1/enrolments', {
    token: place.mara.token,
    body: {},
  });
  await page.goto(`${place.origin}/enroll`);
  await expect(page.getByRole('alert')).toBeVisible();
  await look('enroll-broken');
  await showNumber(page, link, 'Phone');
  await look('enroll-number');
  await page.goto('about:blank');
  await enrollByLink(page, await place.link(), 'Phone');
  await goTo(page, 'History');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing answered yet.');
  await look('history-empty');
  await goTo(page, 'Inbox');
}

/** Walks a signed-in page through its inbox and an inquiry of every kind, in the states that an inquiry can be in. */
export async function visitInquiries(place: Place, page: Page, look: Look): Promise<void> {
  const inquiry = new InquiryPage(page);
  await expect(inquiry.heading).toHaveText(/Nothing waits for you/);
  await look('inbox-empty');
  const asked = new Map<string, string>();
  for (const [name, ask] of Object.entries(SAMPLES)) asked.set(name, (await place.ask(ask)).id);
  await must(place.hub, 'POST /v1/notices', {
    token: place.source.key,
    body: { title: 'The backup is done', body: 'All 3 GB.', link: 'https://example.com/backup' },
  });
  await expect(page.getByRole('status').filter({ hasText: 'The backup is done' })).toBeVisible();
  await expect(page.getByRole('heading', { name: new RegExp(`^${asked.size} wait`) })).toBeVisible();
  await look('inbox');
  await button(page, 'Dismiss').click();
  await visitSelection(place, page, look);
  for (const [name, id] of asked) {
    await page.goto(`${place.origin}/i/${id}`);
    await expect(
      inquiry
        .button('Decline')
        .or(inquiry.panel.getByRole('button', { name: /^(Reject|No)/ }))
        .first(),
    ).toBeVisible();
    await settled(page);
    await look(`inquiry-${name}`);
  }
  const open = async (name: string) => {
    await page.goto(`${place.origin}/i/${asked.get(name)}`);
    await expect(inquiry.heading).toBeVisible();
  };
  await open('multi');
  await inquiry.pick('Something else');
  await inquiry.cannot('Send', 'Required');
  await look('inquiry-fault');
  await open('several');
  await inquiry.quiet('See all 5 at once').click();
  await look('inquiry-all-at-once');
  await open('document');
  await inquiry.quiet('Next gap').click();
  await look('inquiry-writing');
  await open('choice');
  await inquiry.button('Decline').click();
  await inquiry.panel.getByRole('textbox', { name: /Tell Atlas why/ }).click();
  await look('inquiry-declining');
  await open('call');
  await press(inquiry.quiet('Always approve…'), page.getByRole('dialog', { name: 'Always approve' }));
  await look('inquiry-always');
  await page.keyboard.press('Escape');
  await inquiry.quiet('Edit').click();
  await look('inquiry-editing');
  await visitArrivals(place, inquiry, look, asked.get('call-patch') ?? '');
  await open('batch');
  await button(inquiry.panel, 'Reject call 1').click();
  await inquiry.panel.locator('#call-1 .call-say').getByRole('button').click();
  await look('inquiry-deciding');
  await visitEndings(place, inquiry, look, asked);
}

async function visitEndings(place: Place, inquiry: InquiryPage, look: Look, asked: Map<string, string>): Promise<void> {
  const { page } = inquiry;
  const [other] = await addDevices(place.hub, place.mara, 1);
  await page.goto(`${place.origin}/i/${asked.get('text')}`);
  await inquiry.answer.fill('Because the image has Node 20');
  await must(place.hub, `POST /v1/inquiries/${asked.get('text')}/answer`, {
    token: other?.token,
    body: { text: 'An old Node' },
  });
  await expect(inquiry.verdict).toBeVisible();
  await look('verdict-kept');
  await page.goto(`${place.origin}/i/${asked.get('text-suggested')}`);
  await press(inquiry.button('Send as suggested'), inquiry.verdict);
  // The page that sent it goes on to the next by itself; this one stays.
  await page.reload();
  await expect(inquiry.verdict).toBeVisible();
  await look('verdict-sent');
  await visitUndo(place, inquiry, look, asked.get('choice-two') ?? '');
  const late = await place.ask({ prompt: 'Is the kettle on?', deadline: 1, latest: 1 });
  await place.read(late, 30);
  await page.goto(`${place.origin}/i/${late.id}`);
  await expect(inquiry.verdict).toBeVisible();
  await look('verdict-expired');
  await page.goto(`${place.origin}/i/${asked.get('form')}`);
  await inquiry.button('More').first().click();
  await look('more');
  await page.getByRole('button', { name: 'Keys' }).click();
  await look('keys');
  await page.goto(`${place.origin}/i/inq_00000000000000000000000000`);
  await expect(inquiry.heading).toHaveText('Question not found.');
  await look('lost');
}

/** Walks a signed-in page through the other four places and the cards of access requests. */
export async function visitPlaces(place: Place, page: Page, look: Look): Promise<void> {
  await leaveHistory(place);
  await page.goto(place.origin);
  const head = page.getByRole('heading', { level: 1 });
  await goTo(page, 'History');
  await expect(head).toHaveText(/\d+ answered/);
  await expect(page.getByRole('listitem').first()).toBeVisible();
  await look('history');
  const seek = page.getByRole('searchbox', { name: 'Search the history' });
  await seek.fill('no such word');
  await expect(head).toHaveText('Nothing found for “no such word”.');
  await look('history-none');
  await seek.fill('');
  await visitAttention(place, page, look);
  const link = await makeLink(page);
  await look('devices');
  await must(place.hub, 'POST /v1/enrolments/redeem', {
    body: { secret: new URL(link).hash.slice(1), deviceName: 'Tablet' },
  });
  await expect(page.getByRole('dialog', { name: /^Which number/ })).toBeVisible();
  await look('request-number');
  const dialog = page.getByRole('dialog', { name: /^Which number/ });
  await expect(async () => {
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'None of them' }).click();
    await expect(dialog).toBeHidden({ timeout: 1000 });
  }).toPass();
  await must(place.hub, 'POST /v1/enrolments', { body: { handle: 'mara', deviceName: 'Watch' } });
  await expect(page.getByRole('dialog', { name: 'Approve the sign-in of Watch?' })).toBeVisible();
  await look('request-card');
  await approveSignIn(page, 'Watch');
  await look('request-digits');
  await button(page.getByRole('dialog', { name: /^Enter these/ }), 'Close').click();
  await visitKeyRequest(place, page, look);
  await page
    .getByRole('button', { name: /^Remove/ })
    .last()
    .click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('devices-remove');
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden({ timeout: 1000 });
  }).toPass();

  await visitConnect(place, page, look);
  await visitDeliveries(place, page, look);
  await visitGates(place, page, look);
  await goTo(page, 'Settings');
  await expect(page.getByRole('heading', { name: 'Groups' })).toBeVisible();
  await look('settings');
  await press(button(page, 'Invite'), page.getByRole('dialog', { name: 'Invite' }));
  await page.getByRole('textbox', { name: 'Their user name' }).fill('jonas');
  await button(page, 'Make the link').click();
  await expect(page.getByRole('link', { name: /\/enroll#/ })).toBeVisible();
  await look('settings-invite');
  await page.goto(`${place.origin}/steps`);
  await expect(head).toHaveText(/^\d of \d done\.$/);
  await look('first-steps');
  await visitIphone(place, page, look);
  await visitRules(place, page, look);
  await visitDeciders(place, page, look);
  await visitYolo(place, page, look);
  await visitQuiet(place, page, look);
  await page.goto(`${place.origin}/share?text=The+pier`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Which question does it|Nothing waits that)/);
  await look('share');
  await page.goto(`${place.origin}/no/such/page`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found.');
  await look('nowhere');
}

async function visitRules(place: Place, page: Page, look: Look): Promise<void> {
  const rules = [
    { name: 'git', when: { tool: 'Bash', shell: ['git status', 'git log *'] }, then: 'approve' },
    { name: 'night', when: { time: { from: '22:00', to: '07:00' } }, then: 'ask-quietly' },
  ];
  await must(place.hub, 'PUT /v1/policies', { token: place.mara.token, body: { version: 0, rules } });
  await page.goto(`${place.origin}/automation`);
  await expect(page.getByRole('link', { name: 'Edit: git' })).toBeVisible();
  await look('automation');
  const name = page.getByRole('textbox', { name: /^Name/ });
  await page.goto(`${place.origin}/rules#me`);
  await expect(name).toHaveValue('');
  await look('rule-new');
  await page.goto(`${place.origin}/rules#me/git`);
  await expect(name).toHaveValue('git');
  await look('rule-edit');
  // At night the second of them would fit what the next visits ask.
  await must(place.hub, 'PUT /v1/policies', { token: place.mara.token, body: { version: 1, rules: [] } });
}

async function visitAttention({ hub, mara, ask }: Place, page: Page, look: Look): Promise<void> {
  for (let time = 0; time < 5; time++) {
    const { id, digest } = await ask({
      actions: [{ name: 'Bash', args: { command: 'cargo test' }, allowed: ['approve', 'reject'] }],
    });
    const body = { digest, decisions: [{ type: 'approve' }] };
    await must(hub, `POST /v1/inquiries/${id}/answer`, { token: mara.token, body });
  }
  await page.getByRole('link', { name: 'Attention', exact: true }).click();
  await expect(page.getByRole('img', { name: /^Atlas, asked you by day/ })).toBeVisible();
  await page
    .getByRole('button', { name: /^Preview:/ })
    .first()
    .click();
  await expect(page.getByRole('button', { name: /^Turn on:/ })).toBeVisible();
  for (const summary of await page.locator('.as-table > summary').all()) await summary.click();
  await look('attention');
}

// One of each outcome, and a late answer.
async function leaveHistory(place: Place): Promise<void> {
  const { hub, mara, source } = place;
  const answer = async (prompt: string, body: object) => {
    const { id } = await place.ask({ prompt });
    await must(hub, `POST /v1/inquiries/${id}/answer`, { token: mara.token, body });
  };
  await answer('What shall we call the boat?', { text: 'Wren' });
  await answer('How old are you?', { outcome: 'declined', message: 'That is private.' });
  const back = await place.ask({ prompt: 'Where is the ladder?' });
  await must(hub, `POST /v1/inquiries/${back.id}/withdraw`, { token: source.key, body: { reason: 'Found it.' } });
  const late = await place.ask({ prompt: 'Is the kettle on?', deadline: 1, latest: 1 });
  await place.read(late, 30);
  await call(hub, `POST /v1/inquiries/${late.id}/answer`, { token: mara.token, body: { text: 'Yes', late: true } });
}

/** Nothing moves any more, but for what never stops and what counts seconds down. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(MOVING), { intervals: [50] }).toEqual([]);
}

const MOVING = `document.getAnimations().filter(
  ({ playState, effect }) => playState === 'running' && effect.getComputedTiming().activeDuration < 2000
).map(({ effect, animationName, transitionProperty }) => effect.target.className + ' ' + (animationName ?? transitionProperty))`;
