import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { HUB_TIME_ZONE, isZoneLost, parsePreferences, readMachineZone, timeZoneOf } from './time-zone.ts';

test('the zone of the hub is one that can be counted in, whatever its machine says', () => {
  deepStrictEqual(['Asia/Kolkata', 'Etc/Unknown', '', undefined].map(readMachineZone), [
    'Asia/Kolkata',
    'UTC',
    'UTC',
    'UTC',
  ]);
});

test('[POL11] who chose no zone, or one that this version cannot count in, is counted where the hub is', () => {
  const stored = ['{"timeZone":"Asia/Tokyo"}', '{"density":"compact"}', '{"timeZone":"Mars/Base"}', null, 'x', 'null'];
  const [tokyo, ...others] = stored.map(timeZoneOf);
  deepStrictEqual([tokyo, [...new Set(others)]], ['Asia/Tokyo', [HUB_TIME_ZONE]]);
  deepStrictEqual(stored.map(isZoneLost), [false, false, true, false, true, true]);
});

test('a choice that this version cannot read takes no other one with it, nor does a damaged row fail', () => {
  const stored = '{"density":"compact","reminders":"hourly","undoSeconds":90,"timeZone":"Asia/Tokyo","later":1}';
  deepStrictEqual(parsePreferences(stored), { density: 'compact', timeZone: 'Asia/Tokyo' });
  deepStrictEqual(['x', '', '[]', '"a"', '7', 'null', null].map(parsePreferences), Array(7).fill({}));
});
