import { deepStrictEqual, notStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { createRounds } from './rounds.ts';

const ROUND = { within: 'one call', ordinal: 2, round: 3 };
const CALL = ['notes', 'src_1', 'write', '{"n":9007199254740993}'];
const OPTIONS = { of: 'held calls', prefix: 'beckon-gate.', most: 9 };

function roundsOf(key: number, more: Partial<Parameters<typeof createRounds>[1]> = {}) {
  return createRounds<{ within: string; ordinal: number }>(Buffer.alloc(32, key), { ...OPTIONS, ...more });
}

test('[ASK5] a round belongs to one call of one source at one gate, and nobody else can make or change one', () => {
  const rounds = roundsOf(1);
  const state = rounds.mint(CALL, ROUND);
  const read = (call: string[], requestState: unknown, more: object = {}) =>
    rounds.read(call, { requestState, ...more });
  deepStrictEqual(
    [
      read(CALL, state),
      read(CALL.with(0, 'shop'), state),
      read(CALL.with(1, 'src_2'), state),
      read(CALL.with(2, 'erase'), state),
      // One digit beyond what a double holds.
      read(CALL.with(3, '{"n":9007199254740992}'), state),
      read(CALL, state, { inputResponses: {} }),
    ],
    [ROUND, 'another', 'another', 'another', 'another', 'another'],
  );
  const flipped = Array.from(state.slice(12, -1), (character, at) => {
    const changed = character === 'A' ? 'B' : 'A';
    return read(CALL, state.slice(0, 12 + at) + changed + state.slice(13 + at));
  });
  const cut = Array.from({ length: state.length - 1 }, (_, length) => read(CALL, state.slice(0, length)));
  deepStrictEqual(new Set([...flipped, ...cut]), new Set([undefined]));
  const foreign = [
    roundsOf(2).mint(CALL, ROUND),
    roundsOf(1, { of: 'calls of tools' }).mint(CALL, ROUND),
    'beckon-gate.',
    'signing a',
    '',
    7,
    null,
    undefined,
    { ...ROUND },
  ];
  deepStrictEqual(new Set(foreign.map((one) => read(CALL, one))), new Set([undefined]));
  deepStrictEqual(rounds.read(CALL, undefined), undefined);
});

test('a round tells its client nothing', () => {
  const rounds = roundsOf(1);
  const state = rounds.mint(CALL, ROUND);
  ok(!Buffer.from(state.slice(12), 'base64url').toString('latin1').includes('ordinal'));
  notStrictEqual(rounds.mint(CALL, ROUND), state);
});

test('a round is taken for as long as it lives', () => {
  let now = 0;
  const rounds = roundsOf(1, { life: { ms: 600, now: () => now } });
  const requestState = rounds.mint(CALL, ROUND);
  const read = (at: number) => {
    now = at;
    return rounds.read(CALL, { requestState });
  };
  deepStrictEqual([read(0), read(599), read(600)], [ROUND, ROUND, undefined]);
});

test('a call makes as many rounds as its client follows', () => {
  const { after } = roundsOf(1);
  deepStrictEqual(
    [after(undefined), after({ round: 1 }), after({ round: 7 }), after({ round: 8 })],
    [1, 2, 8, undefined],
  );
});
