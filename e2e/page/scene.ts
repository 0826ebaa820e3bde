import { type BrowserContext, type BrowserContextOptions, expect, type Page, test as base } from '@playwright/test';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import type { NewPersonReply, NewSourceReply } from '#shared/wire.ts';
import { all, call, must } from '../hub/call.ts';
import { firstSecret, type Hub } from '../hub/hub.ts';
import { type Hubs, startHubs } from '../hub/hubs.ts';
import { addSource, type Device, ownerDevice } from '../hub/people.ts';
import { enterByLink } from './sign-in.ts';

type OpenHub = Pick<Hub, 'url' | 'dataDir'>;
/** A hub with an owner called Mara and a source called Atlas. */
export type Place = {
  hub: OpenHub;
  /** Where pages are opened. */
  origin: string;
  /** A device of Mara's without a page, to do what is not the matter of a test. */
  mara: Device;
  source: NewSourceReply;
  ask(ask: Ask): Promise<Inquiry>;
  /** Takes an inquiry back as its source does. */
  withdraw(inquiry: Pick<Inquiry, 'id'>): Promise<unknown>;
  /** Reads an inquiry as its source does, waiting up to `wait` seconds for the resolution. */
  read(inquiry: Pick<Inquiry, 'id'>, wait?: number): Promise<Inquiry>;
  /** A link that lets in one more device of Mara's. */
  link(): Promise<string>;
};

type OpenBrowser = (origin: string, options?: BrowserContextOptions) => Promise<Page>;
type Fixtures = {
  /** A browser of its own for each call: another device. */
  openBrowser: OpenBrowser;
  place: Place;
  /** A signed-in page on a new device of Mara's, at its inbox. */
  openDevice: (name: string, options?: BrowserContextOptions) => Promise<Page>;
};

/** Tests with a hub of their own and as many browsers as they ask for. A page that throws, breaks its policy or calls elsewhere fails them. */
export const test = base.extend<Fixtures, { hubs: Hubs }>({
  async openBrowser({ browser }, use) {
    const contexts: BrowserContext[] = [];
    const wrongs: string[] = [];
    await use(async (origin, options) => {
      const start = performance.now();
      const context = await browser.newContext(options);
      performance.measure('test: open a browser', { start });
      contexts.push(context);
      watch(context, origin, wrongs);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(wrongs, 'what pages did wrong').toEqual([]);
  },
  hubs: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures it needs from this pattern
    async ({}, use) => {
      const hubs = await startHubs();
      await use(hubs);
      await hubs.end();
    },
    { scope: 'worker' },
  ],
  async place({ hubs }, use) {
    const hub = await hubs.open();
    try {
      await use(await settle(hub));
    } finally {
      await hub.remove();
    }
  },
  // Browsers close before their hub.
  async openDevice({ place, openBrowser }, use) {
    await use(async (name, options) => {
      const page = await openBrowser(place.origin, options);
      await enterByLink(page, await place.link(), name);
      return page;
    });
  },
});

/** The same with one hub for all tests of a worker; what a test leaves open is taken back. */
export const testOnOneHub = test.extend<object, { oneHub: Place }>({
  oneHub: [
    async ({ hubs }, use) => {
      const hub = await hubs.open();
      try {
        await use(await settle(hub));
      } finally {
        await hub.remove();
      }
    },
    { scope: 'worker' },
  ],
  async place({ oneHub }, use) {
    const { hub, source } = oneHub;
    await use(oneHub);
    for (const { id } of await all<Inquiry>(hub, '/v1/inquiries?state=open', source.key))
      await call(hub, `POST /v1/inquiries/${id}/withdraw`, { token: source.key, body: {} });
  },
});

const NEVER_MISSED = '2100-01-01T00:00:00.000Z';

/** The address that a hub's pages are opened at. */
export function originOf(hub: Pick<Hub, 'url'>): string {
  return `http://localhost:${new URL(hub.url).port}`;
}

/** The link that the first start wrote for the owner. */
export async function firstLink(hub: OpenHub): Promise<string> {
  return `${originOf(hub)}/enroll#${await firstSecret(hub)}`;
}

/** Gives a new hub its owner and a source. */
/**
 * A person of this place has turned undo off, so that an answer has arrived when a test looks for it, and sees nothing of
 * what other tests let expire.
 */
export async function settle(hub: OpenHub): Promise<Place> {
  const owner = await ownerDevice(hub, 'Terminal');
  await must(hub, 'PATCH /v1/people/me', {
    token: owner.token,
    body: {
      name: 'Mara',
      handle: 'mara',
      preferences: { firstSteps: 'done', undoSeconds: 0, missedSeenAt: NEVER_MISSED },
    },
  });
  const source = await addSource(hub, owner, 'Atlas');
  return {
    hub,
    origin: originOf(hub),
    mara: { ...owner, handle: 'mara' },
    source,
    ask: (ask) => must(hub, 'POST /v1/inquiries', { token: source.key, body: ask }),
    withdraw: ({ id }) => must(hub, `POST /v1/inquiries/${id}/withdraw`, { token: source.key, body: {} }),
    read: ({ id }, wait = 0) => must(hub, `GET /v1/inquiries/${id}?wait=${wait}`, { token: source.key }),
    async link() {
      const route = `POST /v1/people/${owner.personId}/link`;
      const { link } = await must<Pick<NewPersonReply, 'link'>>(hub, route, { token: owner.token });
      return link;
    },
  };
}

function watch(context: BrowserContext, origin: string, wrongs: string[]): void {
  const isOurs = (url: string) => /^(blob|data|about):/.test(url) || new URL(url).host === new URL(origin).host;
  context.on('request', (request) => {
    if (!isOurs(request.url())) wrongs.push(`asked ${request.url()}`);
  });
  context.on('page', (page) => {
    page.on('pageerror', (error) => wrongs.push(`threw ${error.stack ?? error.message}`));
    page.on('websocket', (socket) => {
      if (!isOurs(socket.url())) wrongs.push(`opened ${socket.url()}`);
    });
  });
  context.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) wrongs.push(`tried ${message.text()}`);
  });
}

export { expect };
