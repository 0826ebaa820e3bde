import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { readCommand, splitSegments } from './command.ts';
import { readExact } from './exact.ts';

test('a command breaks between its words, an operator leading each segment', () => {
  deepStrictEqual(splitSegments('npm run a -- --b "c d" && psql "$URL" -c \'x; y\' | wc -l'), [
    { lead: '$', words: ['npm', 'run', 'a', '--', '--b', '"c d"'] },
    { lead: '&&', words: ['psql', '"$URL"', '-c', "'x; y'"] },
    { lead: '|', words: ['wc', '-l'] },
  ]);
  deepStrictEqual(
    splitSegments('a || b; c')?.map(({ lead }) => lead),
    ['$', '||', ';'],
  );
});

test('no character of a command is lost or invented', () => {
  const bare = (text: string) => text.replace(/\s/g, '');
  const commands = [
    'make 2>&1 | tee log &',
    'echo $(date +%s) >>out; rm -rf "a b"/c\\ d',
    'cat <in >out 2>/dev/null || exit 1',
    'for f in *.ts; do echo "$f"; done',
    'a &> b && c',
  ];
  for (const command of commands) {
    const segments = splitSegments(command);
    const shown = segments?.map(({ lead, words }, at) => (at === 0 ? '' : lead) + words.join('')).join('');
    equal(shown === undefined ? bare(command) : bare(shown), bare(command));
  }
});

test('several lines and quotes that do not close are shown as they are', () => {
  deepStrictEqual([splitSegments('a\nb'), splitSegments('echo "open')], [undefined, undefined]);
});

test('only a shell call has a command, and what else it was given stays', () => {
  const args = readExact('{"command":"ls","timeout":1e3}');
  deepStrictEqual(readCommand({ name: 'Bash' }, args), {
    command: 'ls',
    rest: { kind: 'object', members: [['timeout', { kind: 'other', text: '1e3' }]] },
  });
  deepStrictEqual(readCommand({ name: 'local_shell' }, readExact('{"command":["rm","a b"]}'))?.command, "rm 'a b'");
  deepStrictEqual(readCommand({ name: 'slack.post' }, args), undefined);
  deepStrictEqual(readCommand({ name: 'Bash' }, readExact('{"command":"a","cmd":"b"}')), undefined);
});

test('a very long line is not broken into its words, of which each is an element', () => {
  deepStrictEqual(splitSegments(`echo ${'word '.repeat(20_000)}`), undefined);
  deepStrictEqual(splitSegments(`echo ${'word '.repeat(700)}`)?.[0]?.words.length, 701);
});
