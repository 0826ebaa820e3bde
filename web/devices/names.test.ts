import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from '#shared/wire.ts';
import { nameDevices } from './names.ts';
import { opensElsewhere } from './opens-elsewhere.ts';

test('devices of one name are numbered in the order in which they signed in', () => {
  const device = (id: string, name: string, minute: number): Device => {
    const at = `2026-11-23T14:0${minute}:00.000Z`;
    return { id, name, userAgent: 'Mozilla/5.0', createdAt: at, seenAt: at, expiresAt: at, live: true, current: false };
  };
  deepStrictEqual(nameDevices([device('c', 'iPhone', 3), device('a', 'iPhone', 1), device('b', 'MacBook', 2)]), {
    a: 'iPhone',
    b: 'MacBook',
    c: 'iPhone (2)',
  });
});

test('an address is known by whether another device can open it', () => {
  deepStrictEqual(
    [
      'http://localhost:4275',
      'https://beckon.localhost',
      'http://127.0.0.1:4275',
      'http://[::1]:1',
      'http://192.168.1.7',
      'https://beckon.example',
    ].map(opensElsewhere),
    ['local', 'local', 'local', 'local', 'plain', 'ok'],
  );
});
