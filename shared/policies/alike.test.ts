import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { alikeOf, filled, folded } from './alike.ts';

const commands = (...lines: string[]) => lines.map((line) => line.split(' '));
const toldOf = (entries: string[]) =>
  folded(entries).map((one) => (typeof one === 'string' ? one : `${one.before}${one.varies}${one.after}`));
/** What is covered of commands that are alike, and how it is written; undefined where they are not. */
function covered(...lines: string[]) {
  const alike = alikeOf(commands(...lines));
  const shell = alike && filled(alike);
  return shell && [shell, toldOf(shell).join(' | ')];
}
const shards = Array.from({ length: 4 }, (_, at) => `npm test -- --shard ${at + 1}/4`);

test('[POL7] commands that differ in one word are covered word for word, of numbered parts each of them', () => {
  deepStrictEqual(covered('npm test -- --shard 3/4', 'npm test -- --shard 1/4'), [shards, 'npm test -- --shard 1…4/4']);
  deepStrictEqual(covered('node a.ts 3 -v', 'node a.ts 1 -v', 'node a.ts 2 -v'), [
    ['node a.ts 1 -v', 'node a.ts 2 -v', 'node a.ts 3 -v'],
    'node a.ts 1…3 -v',
  ]);
});

test('[POL7] a pattern never covers more than what it shows', () => {
  const same = (...lines: string[]) => [lines, lines.join(' | ')];
  // A gap, other spellings of a number, parts of different wholes, and no whole at all.
  const gap = ['kill 10', 'kill 12', 'kill 14'];
  const zeros = ['run 01', 'run 02', 'run 03'];
  const wholes = ['t 1/4', 't 1/5', 't 2/4'];
  const beyond = ['t 1/4', 't 2/4', 't 5/4'];
  const large = ['t 1/900', 't 2/900', 't 3/900'];
  const signed = ['nice -3', 'nice -2', 'nice -1'];
  for (const lines of [gap, zeros, wholes, beyond, signed]) deepStrictEqual(covered(...lines), same(...lines));
  deepStrictEqual(covered(...large), [large, 't 1…3/900']);
  deepStrictEqual(
    [
      covered('rm a', 'ls a', 'cat a'),
      covered('git add a', 'git rm b', 'git mv c'),
      covered('npm test', 'npm test a', 'npm test a b'),
    ],
    [undefined, undefined, undefined],
  );
  deepStrictEqual(
    [
      ['git log 1', 'git log 2', 'git log *'],
      ['say "1 2"', 'say "1 3"', 'say "1 4"'],
    ].map(toldOf),
    [
      ['git log 1', 'git log 2', 'git log *'],
      ['say "1 2"', 'say "1 3"', 'say "1 4"'],
    ],
  );
  deepStrictEqual(toldOf(['ls', 'kill 1', 'kill 2', 'git log *', 'kill 3']), ['ls', 'git log *', 'kill 1…3']);
});
