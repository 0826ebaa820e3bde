import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { callerIn } from '../../devices/find.ts';
import type { Place } from '../../inquiries/testing/place.ts';
import { createHttp } from '../../platform/http/http.ts';
import type { Http } from '../../platform/http/server.ts';

/** Serves these routes alone on a place, until its test ends; returns their address. */
export async function serveRoutes(p: Place & { t: TestContext }, add: (http: Http) => void): Promise<string> {
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    findCaller: callerIn(p.database),
    origins: () => ['http://127.0.0.1'],
    trustProxy: 0,
    rateLimit: 9999,
  });
  add(http);
  await http.listen({ port: 0, host: '127.0.0.1' });
  p.t.after(() => http.close());
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
}
