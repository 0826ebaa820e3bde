import { deepStrictEqual } from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { allowedEndpoints, subscriptionFaults } from './endpoints.ts';

const { faultOf, isListed } = allowedEndpoints(['push.example.com:8443', 'http://127.0.0.1:9000', 'push.internal']);

describe('endpoints', () => {
  const ALLOWED = [
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://jmt17.google.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-db5p.notify.windows.com/w/?token=abc',
    'https://fcm.googleapis.com:443/fcm/send/abc',
    'https://push.example.com:8443/abc',
    'https://push.internal/abc',
    'http://127.0.0.1:9000/abc',
  ];
  for (const endpoint of ALLOWED) test(`${endpoint} is sent to`, () => deepStrictEqual(faultOf(endpoint), undefined));

  const REFUSED = [
    ['http://fcm.googleapis.com/fcm/send/abc', 'is not https'],
    ['ftp://fcm.googleapis.com/', 'is not https'],
    ['https://127.0.0.1/abc', 'is an IP address'],
    ['https://2130706433/abc', 'is an IP address'],
    ['https://0x7f.1/abc', 'is an IP address'],
    ['https://[::1]/abc', 'is an IP address'],
    ['https://[::ffff:10.0.0.1]/abc', 'is an IP address'],
    ['https://fcm.googleapis.com:8443/abc', 'names another port than 443'],
    ['https://a:b@fcm.googleapis.com/abc', 'holds credentials'],
    ['https://fcm.googleapis.com@10.0.0.1/abc', 'holds credentials'],
    [`https://fcm.googleapis.com/${'x'.repeat(1024)}`, 'is longer than 1024 characters'],
    ['nothing', 'is not an address'],
    ['https://push.internal:8443/abc', 'names another port than 443'],
    ['http://push.internal/abc', 'is not https'],
    ['http://127.0.0.1:9001/abc', 'is not https'],
  ];
  for (const [endpoint = '', reason] of REFUSED) {
    test(`${endpoint.slice(0, 60)} ${reason}`, () => deepStrictEqual(faultOf(endpoint), reason));
  }

  const UNKNOWN = [
    'https://localhost/abc',
    'https://metadata.google.internal/computeMetadata',
    'https://hub.example.com/abc',
    'https://fcm.googleapis.com.evil.example/abc',
    'https://evilfcm.googleapis.com/abc',
    'https://push.apple.com/abc',
    'https://evil-push.apple.com/abc',
    'https://push.example.com/abc',
  ];
  for (const endpoint of UNKNOWN) {
    test(`${endpoint} is at no push service that the hub knows`, () =>
      deepStrictEqual(
        faultOf(endpoint),
        'is not at a push service this hub knows; its operator can add one with PUSH_HOSTS',
      ));
  }

  test('only what the operator listed may lie in a private network', () => {
    deepStrictEqual(ALLOWED.filter(isListed), [
      'https://push.example.com:8443/abc',
      'https://push.internal/abc',
      'http://127.0.0.1:9000/abc',
    ]);
  });
});

describe('a subscription', () => {
  const ecdh = createECDH('prime256v1');
  const point = ecdh.generateKeys();
  const good = {
    endpoint: 'https://fcm.googleapis.com/fcm/send/abc',
    keys: { p256dh: point.toString('base64url'), auth: randomBytes(16).toString('base64url') },
    vapidPublicKey: 'BKey',
  };
  const hub = { endpoints: allowedEndpoints(), vapidPublicKey: 'BKey' };
  const codes = (given: typeof good) => subscriptionFaults(given, hub).map(({ path, code }) => `${path} ${code}`);

  test('of a known push service, with good keys, is taken', () => deepStrictEqual(codes(good), []));

  test('with several faults is refused with each of them located', () => {
    const bad = { endpoint: 'https://10.0.0.1/', keys: { p256dh: 'AAAA', auth: 'AAAA' }, vapidPublicKey: 'BOther' };
    deepStrictEqual(codes(bad), [
      '/endpoint subscription.endpoint',
      '/keys/p256dh subscription.key',
      '/keys/auth subscription.key',
      '/vapidPublicKey subscription.vapid_key',
    ]);
  });

  const POINTS = {
    'off the curve': Buffer.concat([point.subarray(0, 64), Buffer.of(point[64]! ^ 1)]),
    compressed: Buffer.from(ecdh.getPublicKey(null, 'compressed')),
    'of zeroes': Buffer.concat([Buffer.of(4), Buffer.alloc(64)]),
    'too long': Buffer.concat([point, Buffer.of(0)]),
  };
  for (const [what, bytes] of Object.entries(POINTS)) {
    test(`with a key ${what} is refused`, () => {
      const keys = { ...good.keys, p256dh: bytes.toString('base64url') };
      deepStrictEqual(codes({ ...good, keys }), ['/keys/p256dh subscription.key']);
    });
  }
});
