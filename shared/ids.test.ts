import { deepStrictEqual, doesNotMatch, match, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromUuid, idPattern, newId, type IdPrefix, madeAt, toUuid } from './ids.ts';

const PREFIXES: IdPrefix[] = ['inq', 'per', 'dev', 'src', 'dlv', 'ntc', 'grp', 'enr'];
// A ULID holds 48 bits of milliseconds; the library takes 0 for "now".
const instant = fc.integer({ min: 1, max: 2 ** 48 - 1 });

test('an id has 30 characters, so that a push Topic of 32 holds it, and only lower case', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PREFIXES), instant, (prefix, now) => {
      const id = newId(prefix, now);
      strictEqual(id.length, 30);
      strictEqual(id, id.toLowerCase());
      match(id, idPattern(prefix));
    }),
  );
});

test('a later id sorts after an earlier one', () => {
  fc.assert(
    fc.property(fc.uniqueArray(instant, { minLength: 2, maxLength: 2 }), (instants) => {
      const [early = 0, late = 0] = instants.toSorted((a, b) => a - b);
      deepStrictEqual(
        [newId('inq', late), newId('inq', early)].toSorted()[1]?.slice(0, 14),
        newId('inq', late).slice(0, 14),
      );
    }),
  );
});

test('an id says when it was made', () => {
  deepStrictEqual(
    [1, 1_700_000_000_001].map((now) => madeAt(newId('inq', now))),
    [1, 1_700_000_000_001],
  );
});

test('ids of one millisecond differ and sort as they were made', () => {
  const ids = Array.from({ length: 10_000 }, () => newId('inq', 1_700_000_000_000));
  strictEqual(new Set(ids).size, ids.length);
  deepStrictEqual(ids.toSorted(), ids);
});

test('ids of different milliseconds differ, also beyond the random numbers fetched at once', () => {
  const ids = Array.from({ length: 10_000 }, (_, at) => newId('inq', 1_700_000_000_000 + (at % 2)).slice(14));
  strictEqual(new Set(ids).size, ids.length);
});

test('a pattern refuses other prefixes, other lengths, upper case and letters that a ULID leaves out', () => {
  const id = newId('inq', 1_700_000_000_000);
  for (const other of [
    id.replace('inq', 'dev'),
    `${id}0`,
    id.slice(0, -1),
    id.toUpperCase(),
    ` ${id}`,
    `${id}\n`,
    ...['i', 'l', 'o', 'u'].map((letter) => id.slice(0, -1) + letter),
  ])
    doesNotMatch(other, idPattern('inq'));
});

test('every id has a form as a UUID of version 7 that leads back to it, however it is written', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PREFIXES), instant, (prefix, now) => {
      const id = newId(prefix, now);
      const uuid = toUuid(id);
      match(uuid, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      deepStrictEqual(
        [
          parseInt(uuid.replaceAll('-', '').slice(0, 12), 16),
          fromUuid(prefix, uuid),
          fromUuid(prefix, uuid.toUpperCase()),
        ],
        [now, id, id],
      );
    }),
  );
  deepStrictEqual(
    [
      '',
      'inq_01k9zq5n3w8d4j9y6v7s1p2e3g',
      '7ab8c8ec7b2d4fd69b52752f9515eb71',
      '7ab8c8ec-7b2d-4fd6-9b52-752f9515eb7\n',
    ].map((no) => fromUuid('inq', no)),
    [undefined, undefined, undefined, undefined],
  );
});
