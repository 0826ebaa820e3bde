import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { HUB_TIME_ZONE, readMachineZone, timeZoneOf } from './time-zone.ts';

test('the zone of the hub is one that can be counted in, whatever its machine says', () => {
  deepStrictEqual(['Asia/Kolkata', 'Etc/Unknown', '', undefined].map(readMachineZone), [
    'Asia/Kolkata',
    'UTC',
    'UTC',
    'UTC',
  ]);
});

test('[POL11] who chose no zone, or one that this version cannot count in, is counted where the hub is', () => {
  const stored = ['{"timeZone":"Asia/Tokyo"}', '{"density":"compact"}', '{"timeZone":"Mars/Base"}', null];
  deepStrictEqual(stored.map(timeZoneOf), ['Asia/Tokyo', HUB_TIME_ZONE, HUB_TIME_ZONE, HUB_TIME_ZONE]);
});
