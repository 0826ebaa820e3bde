import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import type { Deliveries } from '#shared/schemas/deliveries.ts';
import { casesOf } from '../hub/chance.ts';
import { until } from '../hub/until.ts';
import type { Card } from './desktop.ts';
import { leave, live, type Notified, type Scene, startScene } from './scene.ts';

/** Firefox ends a subscription after 16 pushes that showed nothing. */
const WITHDRAWS = casesOf(18, 60);
// Chromium waits up to half a minute before it dials its push service again.
const REDIAL_MS = 120_000;
// Well after the 1.5 s that the hub waits for a page to show it.
const PUSHED_MS = 4000;

let scene: Scene;
before(async () => {
  scene = await startScene();
});
after(() => scene?.close());

const deploy = (title: string): Ask => ({
  title,
  actions: [{ name: 'deploy', args: { to: 'production' }, allowed: ['approve', 'reject'] }],
});
const both = (): [Notified, Notified] => [scene.chromium, scene.firefox];
const says = (card: Card) => `${card.title}\n${card.body}`;

/** The notification of a device that asks this. */
async function shows({ name, desktop }: Notified, words: string, ms?: number): Promise<Card> {
  return until(`${name} to show "${words}"`, () => desktop.cards().find((card) => says(card).includes(words)), ms);
}

/** What each device shows from now on. */
function watch(): Map<Notified, () => Card[]> {
  return new Map(
    both().map((device) => {
      const from = device.desktop.shown.length;
      return [device, () => device.desktop.shown.slice(from)];
    }),
  );
}

/** Waits until the quiet word of the end was shown and has gone by itself. */
async function ends({ name, desktop }: Notified, shown: () => Card[], ms?: number): Promise<void> {
  await until(`${name} to say quietly that it is over`, () => shown().some(({ quiet }) => quiet), ms);
  await until(`${name}'s desktop to be clear`, () => desktop.cards().length === 0).catch((error: Error) => {
    error.message += `; it shows ${JSON.stringify(desktop.cards())}`;
    throw error;
  });
}

/** Takes an inquiry back, also when a test fails, so that the next one begins in silence. */
async function tidy(asked: Pick<Inquiry, 'id'>, shown: Map<Notified, () => Card[]>): Promise<void> {
  await scene.withdraw(asked);
  for (const [device, since] of shown) {
    await leave(device);
    if (since().some(({ quiet }) => !quiet)) await ends(device, since);
  }
}

for (const [first, second] of [
  ['chromium', 'firefox'],
  ['firefox', 'chromium'],
] as const) {
  test(`[WDR1] Approve pressed on the notification of ${first} answers, and takes that of ${second} away`, async () => {
    const [one, other] = [scene[first], scene[second]];
    const title = `Deploy from ${first}?`;
    const shown = watch();
    const asked = await scene.ask(deploy(title));
    const answer = scene.read(asked, 60);
    const card = await shows(one, title);
    await shows(other, title);

    one.desktop.press(card, 'Approve');

    const { resolution } = await answer;
    const by = resolution?.by.kind === 'person' ? resolution.by : undefined;
    assert.deepStrictEqual(
      [resolution?.outcome, resolution?.answer, by?.device.name, by?.via],
      ['answered', { decisions: [{ type: 'approve' }] }, one.name, 'notification'],
    );
    await until(`${other.name} to take the question away`, () => other.desktop.cards().every(({ quiet }) => quiet));
    for (const [device, since] of shown) {
      await ends(device, since);
      const [question, ...rest] = since();
      assert.deepStrictEqual(
        [question?.quiet, rest.every(({ quiet }) => quiet)],
        [false, true],
        JSON.stringify(since()),
      );
    }
  });
}

test('[WDR2] a browser that was offline from ask to answer shows nothing but a quiet word of the end', async () => {
  const title = 'Delete the old backups?';
  const shown = watch();
  for (const { service } of both()) service.disconnect();
  const asked = await scene.ask(deploy(title));
  await until('the ask to be accepted for both', () => scene.office.acceptedFor(asked.id).length === 2);
  await scene.asPerson(`POST /v1/inquiries/${asked.id}/answer`, {
    digest: asked.digest,
    decisions: [{ type: 'reject' }],
  });
  await until('the withdraw to be accepted for both', () => scene.office.acceptedFor(asked.id).length === 4);

  for (const { service } of both()) service.connect();

  for (const [device, since] of shown) {
    await ends(device, since, REDIAL_MS);
    assert.deepStrictEqual(
      since().map((card) => [card.quiet, says(card).includes(title)]),
      [[true, false]],
    );
  }
});

for (const name of ['chromium', 'firefox'] as const) {
  test(`a question that a page of ${name} shows is not shown by the desktop as well`, async (t) => {
    const device = scene[name];
    const shown = watch();
    await device.page.goto(scene.origin);
    await device.page.bringToFront();
    await live(scene, device);
    const title = `Is ${name} awake?`;
    const asked = await scene.ask({ title, prompt: title });
    t.after(() => tidy(asked, shown));
    // In the page's main part: the list of what was settled and the words for screen readers name it afterwards.
    const asks = () => device.page.evaluate(() => document.querySelector('main')?.textContent ?? '');
    await until('the page to show it', async () => (await asks()).includes(title));
    for (const other of both()) if (other !== device) await shows(other, title);
    await until('the time when the hub would have pushed', () => Date.now() > Date.parse(asked.openedAt) + PUSHED_MS);
    await scene.withdraw(asked);
    await until('the page to let it go', async () => !(await asks()).includes(title));
    assert.deepStrictEqual(shown.get(device)?.(), []);
  });

  test(`[PRV1] a notification of ${name} that hides what is asked has no buttons, and its tap opens the page`, async (t) => {
    const title = 'Pay the invoice of Borealis?';
    const device = scene[name];
    const shown = watch();
    const asked = await scene.ask({ ...deploy(title), privacy: 'source' });
    t.after(() => tidy(asked, shown));
    const [card] = await Promise.all([shows(device, 'Atlas'), ...both().map((each) => shows(each, 'Atlas'))]);
    assert.deepStrictEqual(
      card.buttons.filter(({ label }) => /approve|reject/i.test(label)),
      [],
    );
    device.desktop.tap(card);
    const inquiry = await device.browser.waitForTarget((target) => target.url().endsWith(`/i/${asked.id}`), {
      timeout: 60_000,
    });
    await (await inquiry.page())?.close();
    assert.deepStrictEqual(
      shown
        .get(device)?.()
        .filter((each) => says(each).includes(title)),
      [],
    );
  });
}

test('words written into a notification of chromium are the answer', async () => {
  const shown = watch();
  const prompt = 'What shall the release be called?';
  const asked = await scene.ask({ prompt, privacy: 'full' });
  const card = await shows(scene.chromium, prompt);
  await shows(scene.firefox, prompt);
  scene.chromium.desktop.write(card, 'Wren');
  assert.deepStrictEqual((await scene.read(asked, 60)).resolution?.answer, { text: 'Wren' });
  for (const [device, since] of shown) await ends(device, since);
});

test('a notification that is wiped away resolves nothing, and the hub knows of it', async (t) => {
  const shown = watch();
  const title = 'Clean the cache?';
  const asked = await scene.ask(deploy(title));
  t.after(() => tidy(asked, shown));
  for (const device of both()) device.desktop.dismiss(await shows(device, title));
  await until('both browsers to tell', async () => {
    const { items } = await scene.asPerson<Deliveries>(`GET /v1/inquiries/${asked.id}/deliveries`);
    return items.filter(({ dismissedAt }) => dismissedAt !== undefined).length === 2;
  });
  assert.equal((await scene.read(asked)).resolution, undefined);
});

// Each of them takes seconds, and on a busy machine ten.
test(
  `[WDR1] Firefox keeps its subscription, and Chromium its silence, through ${WITHDRAWS} withdraws`,
  { timeout: 1_200_000 },
  async () => {
    const all = watch();
    for (let number = 1; number <= WITHDRAWS; number++) {
      const title = `Question ${number} of ${WITHDRAWS}?`;
      const shown = watch();
      const asked = await scene.ask(deploy(title));
      for (const device of both()) await shows(device, title);
      await scene.withdraw(asked);
      for (const [device, since] of shown) await ends(device, since);
    }
    const { autopush, office } = scene;
    assert.deepStrictEqual(
      { unregistered: autopush.unregistered, nacks: autopush.nacks, refused: office.refused },
      { unregistered: [], nacks: [], refused: [] },
    );
    assert.deepStrictEqual(
      all
        .get(scene.chromium)?.()
        .filter((card) => /background/i.test(says(card))),
      [],
    );
  },
);
