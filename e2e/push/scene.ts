import type { Browser, Page } from 'puppeteer-core';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import type { Device } from '#shared/wire.ts';
import { call, must } from '../hub/call.ts';
import { startHub } from '../hub/hub.ts';
import { addSource, ownerDevice } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { launchChromium, launchFirefox } from './browsers.ts';
import { type Desktop, startDesktop } from './desktop.ts';
import { type Autopush, MOZILLA_HOST, startAutopush } from './services/autopush.ts';
import { makeCertificate } from './services/certificate.ts';
import { GOOGLE_HOSTS, startGcm } from './services/gcm.ts';
import { type PostOffice, startPostOffice } from './services/post-office.ts';

/** A browser that is signed in, gets notifications, and has no page of the hub open. */
export type Notified = {
  name: 'Chromium' | 'Firefox';
  browser: Browser;
  page: Page;
  desktop: Desktop;
  /** Cuts its line to its push service until `connect`. */
  service: { disconnect(): void; connect(): void };
};

const OFFER = 'button::-p-text(Turn on notifications)';
const ANSWER_MS = 25_000;
const START_MS = 120_000;

export type Scene = {
  origin: string;
  chromium: Notified;
  firefox: Notified;
  autopush: Autopush;
  office: PostOffice;
  ask(ask: Ask): Promise<Inquiry>;
  /** Reads as the source does, waiting for the resolution up to `wait` seconds. */
  read(inquiry: Pick<Inquiry, 'id'>, wait?: number): Promise<Inquiry>;
  /** Takes it back, unless it is over already. */
  withdraw(inquiry: Pick<Inquiry, 'id'>): Promise<unknown>;
  /** Calls as a device of the person that gets no notifications. */
  asPerson<T>(route: string, body?: unknown): Promise<T>;
  close(): Promise<void>;
};

/** A hub with a person whose Chromium and Firefox are subscribed to the push services of the tests. */
export async function startScene(): Promise<Scene> {
  await using cleaning = new AsyncDisposableStack();
  const hosts = [...GOOGLE_HOSTS, MOZILLA_HOST];
  const certificate = cleaning.adopt(makeCertificate(hosts), ({ remove }) => remove());
  const office = cleaning.adopt(await startPostOffice(certificate), ({ close }) => close());
  const gcm = cleaning.adopt(await startGcm(office, certificate), ({ close }) => close());
  const autopush = cleaning.adopt(await startAutopush(office), ({ close }) => close());
  const hub = cleaning.adopt(
    await startHub({
      VAPID_SUBJECT: 'mailto:tests@beckon.example',
      NODE_OPTIONS: `--import=${import.meta.resolve('./edge.ts')}`,
      NODE_EXTRA_CA_CERTS: certificate.file,
      BECKON_TEST_EDGE: JSON.stringify(Object.fromEntries(hosts.map((host) => [host, office.port]))),
    }),
    ({ remove }) => remove(),
  );
  const origin = `http://localhost:${new URL(hub.url).port}`;
  const owner = await ownerDevice(hub, 'Terminal');
  const asPerson = <T>(route: string, body?: unknown) => must<T>(hub, route, { token: owner.token, body });
  await asPerson('PATCH /v1/people/me', {
    name: 'Mara',
    handle: 'mara',
    privacy: 'full',
    preferences: { firstSteps: 'done' },
  });
  const { key } = await addSource(hub, owner, 'Atlas');

  const notified = async (
    name: Notified['name'],
    service: Notified['service'],
    launch: (desktop: Desktop) => Promise<Browser>,
  ): Promise<Notified> => {
    const desktop = cleaning.adopt(await startDesktop(), ({ close }) => close());
    const browser = cleaning.adopt(await launch(desktop), (launched) => launched.close());
    const { link } = await asPerson<{ link: string }>(`POST /v1/people/${owner.personId}/link`, {});
    const page = await signInAndTurnOn(browser, origin, link, name);
    return { name, browser, page, desktop, service };
  };
  const chromium = await notified('Chromium', gcm, (desktop) => launchChromium(desktop, gcm.flags));
  const firefox = await notified('Firefox', autopush, (desktop) => launchFirefox(desktop, autopush.url));

  const kept = cleaning.move();
  return {
    origin,
    chromium,
    firefox,
    autopush,
    office,
    ask: (ask) => must(hub, 'POST /v1/inquiries', { token: key, body: ask }),
    read: ({ id }, wait = 0) => must(hub, `GET /v1/inquiries/${id}?wait=${wait}`, { token: key }),
    withdraw: ({ id }) => call(hub, `POST /v1/inquiries/${id}/withdraw`, { token: key, body: {} }),
    asPerson,
    close: () => kept.disposeAsync(),
  };
}

async function signInAndTurnOn(browser: Browser, origin: string, link: string, name: string): Promise<Page> {
  await browser.defaultBrowserContext().setPermission(origin, {
    permission: { name: 'notifications' },
    state: 'granted',
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(START_MS);
  await page.goto(link.replace(/^https?:\/\/[^/]+/, origin));
  await page.locator('::-p-aria([name="This device"][role="textbox"])').fill(name);
  await page.locator('button::-p-text(Sign in)').click();
  await page.locator(OFFER).setTimeout(START_MS).click();
  // A busy machine may take longer than the page waits for the subscription; then it says: press once more.
  await until(
    `${name} to get notifications`,
    async () => {
      const on = await page.waitForSelector(OFFER, { hidden: true, timeout: ANSWER_MS }).catch(() => 'not yet');
      if (on === 'not yet') await page.locator(OFFER).click();
      return on !== 'not yet';
    },
    START_MS,
  );
  await leave({ page });
  return page;
}

/** No page of the hub is open any more. */
export async function leave({ page }: Pick<Notified, 'page'>): Promise<void> {
  await page.goto('about:blank');
}

/** Waits until the page that is open on a device is connected to the hub. */
export async function live({ asPerson }: Scene, { name }: Notified): Promise<void> {
  await until(`the page of ${name} to be live`, async () => {
    const { items } = await asPerson<{ items: Device[] }>('GET /v1/devices');
    return items.some((device) => device.name === name && device.live);
  });
}
