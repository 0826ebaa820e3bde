import { deepStrictEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../log.ts';
import { readSettings, SettingsError } from '../settings.ts';
import { createHttp } from './http.ts';

/** The client's own address, then what each proxy saw: 203.0.113.9 is the client of the last one. */
const FORWARDED = { 'x-forwarded-for': '127.0.0.1, 198.51.100.7, 203.0.113.9' };
const LAST_PROXY = '10.0.0.2';

test('[SEC1] a client is known by the address that the trusted proxies saw, whatever it claims itself', async () => {
  deepStrictEqual(
    [
      await addressSeen('0'),
      await addressSeen('1'),
      await addressSeen('2'),
      await addressSeen('10.0.0.0/8, 203.0.113.9'),
    ],
    [LAST_PROXY, '203.0.113.9', '198.51.100.7', '198.51.100.7'],
  );
});

test('a hub that would believe every proxy does not start', () => {
  for (const wrong of ['true', 'false', '-1', '10', '10.0.0.0/33', '10.0.0.1/8/8', 'loopback', '::/200', '1,2'])
    throws(() => readSettings({ TRUST_PROXY: wrong }), {
      constructor: SettingsError,
      message:
        'The setting TRUST_PROXY must be how many proxies stand before the hub (1 for one Caddy or nginx), or a comma list of their addresses or networks; see "beckon serve --help".',
    });
});

async function addressSeen(setting: string): Promise<string> {
  const { TRUST_PROXY: trustProxy } = readSettings({ TRUST_PROXY: setting });
  const app = await createHttp({
    log: createLog('silent'),
    findCaller: async () => 'unknown',
    origins: () => [],
    trustProxy,
    rateLimit: 1000,
  });
  app.get('/seen', { config: { access: 'public' } }, ({ ip }) => ip);
  const reply = await app.inject({ url: '/seen', headers: FORWARDED, remoteAddress: LAST_PROXY });
  await app.close();
  return reply.body;
}
