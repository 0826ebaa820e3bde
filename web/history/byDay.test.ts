import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { byDay } from './byDay.ts';

test('what was settled last stands first, under its day, however long it had been open', () => {
  const past = (id: string, at: string) => ({ id, openedAt: '2026-11-01T10:00:00Z', resolution: { at } }) as Inquiry;
  const days = byDay(
    [
      past('a', '2026-11-20T10:00:00Z'),
      past('b', '2026-11-21T09:00:00Z'),
      past('c', '2026-11-20T11:00:00Z'),
      past('d', '2026-11-21T12:00:00Z'),
    ],
    (at) => String(new Date(at).getUTCDate()),
  );
  deepStrictEqual(
    days.map(([day, found]) => [day, found.map(({ id }) => id)]),
    [
      ['21', ['d', 'b']],
      ['20', ['c', 'a']],
    ],
  );
});
