import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Me } from '#shared/wire.ts';
import { me } from '../live/session.ts';
import { cityOf, isSameTime, zoneCounted, zoneElsewhere } from './time-zone.ts';

const NOW = Date.parse('2026-07-01T12:00:00Z');
const BERLIN = { zone: 'Europe/Berlin', ofHub: false };

test('two zones differ where their clocks do within a year; two names of one zone do not', () => {
  const pairs = [
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Berlin', 'Europe/Paris'],
    ['UTC', 'Africa/Accra'],
    ['Europe/Berlin', 'Mars/Base'],
    // One clock in summer, another in winter; one clock but for two weeks in spring.
    ['Europe/Berlin', 'Africa/Lagos'],
    ['Europe/London', 'Africa/Casablanca'],
    ['Europe/Berlin', 'Asia/Tokyo'],
  ] as const;
  deepStrictEqual(
    pairs.map(([one, other]) => isSameTime(one, other, NOW)),
    [true, true, true, true, false, false, false],
  );
});

test('[POL11] another zone is offered where the device says a place with another clock, and not where it says none', (t: TestContext) => {
  const real = Intl.DateTimeFormat;
  const found = ['Asia/Tokyo', 'Europe/Paris', 'UTC', 'Etc/GMT-9', '', undefined].map((timeZone) => {
    const resolved = t.mock.method(real.prototype, 'resolvedOptions', () => ({ timeZone }));
    const offered = zoneElsewhere(BERLIN, NOW);
    resolved.mock.restore();
    return offered;
  });
  deepStrictEqual(found, ['Asia/Tokyo', undefined, undefined, undefined, undefined, undefined]);
});

test('a person is counted where they chose, else where the hub is; an older hub says nothing of it', (t: TestContext) => {
  t.after(() => (me.value = undefined));
  const told = [
    { preferences: { timeZone: 'Europe/Berlin' }, hubTimeZone: 'UTC' },
    { preferences: {}, hubTimeZone: 'UTC' },
    { preferences: {} },
    { preferences: { timeZone: 'Europe/Berlin' } },
    {},
    undefined,
  ];
  deepStrictEqual(
    told.map((one) => {
      me.value = one as Me | undefined;
      return zoneCounted();
    }),
    [BERLIN, { zone: 'UTC', ofHub: true }, undefined, undefined, undefined, undefined],
  );
});

test('a zone is called by its city', () => {
  deepStrictEqual(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'UTC'].map(cityOf), [
    'Berlin',
    'Buenos Aires',
    'UTC',
  ]);
});
