import type { TestContext } from 'node:test';
import { ensureOwner } from '../../people/owner.ts';
import type { MakeLink } from '../../people/invite.ts';
import { peopleRoutes } from '../../people/routes.ts';
import type { Database } from '../../platform/database.ts';
import { createHttp } from '../../platform/http/http.ts';
import type { Http } from '../../platform/http/server.ts';
import { createLog } from '../../platform/log.ts';
import type { TrustedIssuer } from '../../platform/settings.ts';
import { databaseFor } from '../../platform/testing/database.ts';
import { sourceRoutes } from '../../sources/routes.ts';
import { addDevice } from '../admit.ts';
import type { Announce } from '../admit.ts';
import { linkForPerson } from '../enrolments/link.ts';
import { enrolmentRoutes } from '../enrolments/routes.ts';
import { callerIn } from '../find.ts';
import { deviceRoutes } from '../routes.ts';

type Reply<T> = { status: number; body: T };
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Call = { token?: string | undefined; body?: object; address?: string; userAgent?: string };
type Announced = [name: string, id: string, event?: object];

export const PHONE = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/148.0 Mobile Safari/537.36';

/** The routes of people, sources and devices over a database of their own, with a clock that a test can move. */
export type Scene = {
  database: Database;
  announced: Announced[];
  /** Whose quiet hours were changed. */
  quieted: string[];
  /** The owner and the token of their first device. */
  owner: { id: string; deviceId: string; token: string };
  advance(ms: number): void;
  call<T = Record<string, unknown>>(method: Method, url: string, more?: Call): Promise<Reply<T>>;
  /** Every route that this is about. */
  routes: { method: string; url: string }[];
};

export async function openScene(
  context: TestContext,
  more: {
    issuers?: TrustedIssuer[];
    opened?: Database;
    publicUrl?: string;
    routes?: (app: Http, database: Database) => void;
  } = {},
): Promise<Scene> {
  const opened = more.opened ?? (await databaseFor(context));
  let shift = 0;
  const database: Database = { ...opened, clock: { now: () => opened.clock.now() + shift } };
  const owner = await ensureOwner(database);
  const device = await addDevice(database, owner.id, 'Laptop');
  const announced: Announced[] = [];
  const quieted: string[] = [];
  const routes: Scene['routes'] = [];
  const app = await createRoutes(database, recorder(announced), more, routes, (app) => {
    more.routes?.(app, database);
    deviceRoutes(app, {
      database,
      announce: recorder(announced),
      quietChanged: async (personId) => void quieted.push(personId),
      remindersChanged: async (personId) => void quieted.push(`${personId} reminders`),
    });
  });
  context.after(() => app.close());
  return {
    database,
    announced,
    quieted,
    owner: { id: owner.id, deviceId: device.deviceId, token: device.accessToken },
    routes,
    advance: (ms) => void (shift += ms),
    async call<T>(method: Method, url: string, { token, body, address, userAgent }: Call = {}): Promise<Reply<T>> {
      const reply = await app.inject({
        method,
        url,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          'user-agent': userAgent ?? PHONE,
        },
        ...(body === undefined ? {} : { body }),
        ...(address === undefined ? {} : { remoteAddress: address }),
      });
      return { status: reply.statusCode, body: (reply.body === '' ? undefined : reply.json()) as T };
    },
  };
}

async function createRoutes(
  database: Database,
  announce: Announce,
  { issuers = [], publicUrl: url = 'http://hub.test' }: { issuers?: TrustedIssuer[]; publicUrl?: string },
  routes: Scene['routes'],
  more: (app: Http) => void,
) {
  const app = await createHttp({
    log: createLog('silent'),
    findCaller: callerIn(database),
    origins: () => [],
    trustProxy: 0,
    rateLimit: 100_000,
  });
  app.addHook('onRoute', ({ method, url }) => {
    if (method !== 'HEAD') routes.push({ method: String(method), url });
  });
  const publicUrl = () => url;
  const makeLink: MakeLink = (trx, whose) => linkForPerson(trx, publicUrl(), whose, database.clock.now());
  const withdraw = { find: async () => [], withdraw: async () => [] };
  peopleRoutes(app, { database, makeLink, withdraw, publicUrl, announce });
  more(app);
  sourceRoutes(app, { database, sealingKey: Buffer.alloc(32), revoked() {}, wakeDeliveries() {} });
  enrolmentRoutes(app, { database, announce, publicUrl, issuers });
  await app.ready();
  return app;
}

export function recorder(announced: Announced[]): Announce {
  return {
    toPerson: (id, name, event) => void announced.push([name, id, event]),
    toDevice: (id, name, event) => void announced.push([name, id, event]),
    revoked: (id) => void announced.push(['revoked', id]),
  };
}
