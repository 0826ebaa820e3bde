import { deepStrictEqual, notStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { createLegs, type LegOf } from './continuations.ts';

const LEG = { within: 'one call', ordinal: 2, round: 3 };
const OF: LegOf = {
  origin: { gate: 'notes', sourceId: 'src_1' },
  call: { name: 'write', argsText: '{"n":9007199254740993}' },
};

test('[ASK5] a leg belongs to one call of one source at one gate, and nobody else can make or change one', () => {
  const legs = createLegs(Buffer.alloc(32, 1));
  const other = createLegs(Buffer.alloc(32, 2));
  const state = legs.mint(OF, LEG);
  const read = (of: LegOf, requestState: unknown, more: object = {}) => legs.read(of, { requestState, ...more });
  deepStrictEqual(
    [
      read(OF, state),
      read({ ...OF, origin: { ...OF.origin, gate: 'shop' } }, state),
      read({ ...OF, origin: { ...OF.origin, sourceId: 'src_2' } }, state),
      read({ ...OF, call: { ...OF.call, name: 'erase' } }, state),
      // One digit beyond what a double holds.
      read({ ...OF, call: { ...OF.call, argsText: '{"n":9007199254740992}' } }, state),
      read(OF, state, { inputResponses: {} }),
    ],
    [LEG, 'another', 'another', 'another', 'another', 'another'],
  );
  const flipped = Array.from(state.slice(12, -1), (character, at) => {
    const changed = character === 'A' ? 'B' : 'A';
    return read(OF, state.slice(0, 12 + at) + changed + state.slice(13 + at));
  });
  const cut = Array.from({ length: state.length - 1 }, (_, length) => read(OF, state.slice(0, length)));
  deepStrictEqual(new Set([...flipped, ...cut]), new Set([undefined]));
  const foreign = [other.mint(OF, LEG), 'beckon-gate.', 'signing a', '', 7, null, undefined, { ...LEG }];
  deepStrictEqual(new Set(foreign.map((one) => read(OF, one))), new Set([undefined]));
  deepStrictEqual(legs.read(OF, undefined), undefined);
});

test('a leg tells its client nothing', () => {
  const legs = createLegs(Buffer.alloc(32, 1));
  const state = legs.mint(OF, LEG);
  ok(!Buffer.from(state.slice(12), 'base64url').toString('latin1').includes('ordinal'));
  notStrictEqual(legs.mint(OF, LEG), state);
});
