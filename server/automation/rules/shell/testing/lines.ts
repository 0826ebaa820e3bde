import fc from 'fast-check';

/** The allow list of the lines below. */
export const ALLOWED = [
  'git status',
  'git log *',
  'git commit -m *',
  'git add -- *',
  'ls -l *',
  'cat *',
  'grep -n *',
  'wc -l',
  './run',
];

/** Programs that these lines may start, and those that they must not. */
export const PROGRAMS =
  'git ls cat grep wc evil env xargs find sudo nohup nice timeout busybox sh bash dash zsh less vim perl rm touch'.split(
    ' ',
  );

const WORDS = [
  'a',
  'b',
  'main..dev',
  './a',
  'x=1',
  "'a b'",
  '"c d"',
  "'$x `y` \\z'",
  `"it's"`,
  "''",
  `a'b'"c"`,
  'HEAD@',
  '100%',
];
const SEPARATORS = [
  '; ',
  ';',
  ' && ',
  '&&',
  ' || ',
  '|',
  ' | ',
  '\n',
  ' &&\n',
  ' 2>&1 | ',
  ' >/dev/null; ',
  ' 2>/dev/null\n',
];
const TRICKS = [
  [
    ';evil',
    '&&evil',
    '||evil',
    '|evil',
    '&evil',
    '|&evil',
    '\nevil\n',
    '\revil',
    ' evil',
    'evil ',
    ';;',
    ';&',
    '&',
    '|',
    '||',
    ';',
  ],
  [
    '$(evil)',
    '`evil`',
    '"$(evil)"',
    '"`evil`"',
    '<(evil)',
    '>(evil)',
    '=(evil)',
    '$((1))',
    '$[1]',
    '((1))',
    '${x:-evil}',
    '$x',
  ],
  [
    '>written',
    '>>written',
    '2>written',
    '>|written',
    '&>written',
    ' <a',
    '<>written',
    '<<E\nevil\nE\n',
    '<<<evil',
    '>&2',
    '2>&1',
  ],
  [' >/dev/null ', '>/dev/nullx', ' 2>&1 ', ' 12>/dev/null', '>/dev/null', '2>/dev/null'],
  ['; >/dev/null', '\n 2>/dev/null\n', '; 2>&1', '; >x', ';<a;', ' && >/dev/null', '| >/dev/null', '( >/dev/null)'],
  ['A=evil ', 'PATH=. ', 'A=b', '=', '==', '=evil', ':=evil', '"A"=', 'x=~', 'x==ls'],
  [
    'env ',
    'xargs ',
    'sudo ',
    'nohup ',
    'busybox ',
    'sh -c ',
    'eval ',
    'exec ',
    'command ',
    'builtin ',
    '. ',
    'source ',
    'time ',
  ],
  [
    'alias cat=evil\n',
    'alias git=evil;',
    'cat() { evil; }\n',
    'function git { evil; };',
    'trap evil EXIT;',
    'trap evil DEBUG;',
  ],
  [
    '*',
    '?',
    '[a-z]*',
    '{evil,a}',
    '{1..3}',
    '@(a)',
    '+(a)',
    '!(a)',
    '*(e:evil:)',
    '<->',
    '**',
    '~',
    '~/',
    '~+',
    '^',
    '^a^evil',
  ],
  [
    '#',
    ' # ',
    '!',
    '! ',
    '!!',
    '!$',
    '%1',
    '- ',
    'repeat 2 ',
    'if ',
    'then ',
    'while ',
    'coproc ',
    'noglob ',
    'nocorrect ',
  ],
  [
    '{ ',
    ' }',
    '(',
    ')',
    '[[ ',
    ' ]]',
    '[ ',
    '( ',
    ' )',
    '{',
    '}',
    'do ',
    'done',
    'case a in a) evil;; esac',
    'for x in a; do ',
  ],
  ["'", '"', "''", '""', '\\', '\\\n', '\\e', "$'\\x65vil'", '$"evil"', "'\n'", '"\\', '`', '$', "'a''b'", `'"'"'`],
  [' -exec evil ;', ' -c core.pager=evil ', ' --output=written', ' -', ' --', ' +x', ' -rf', '-', '--', '+'],
  [
    '\u00a0',
    '\uff1b',
    '\uff5c',
    '\u202e',
    '\u200b',
    '\u2028',
    '\u0441',
    '\u2010',
    'é',
    '\t',
    '\v',
    '\f',
    '\x7f',
    '\x1b',
  ],
  ['/bin/', '/bin/../bin/', './', '../', '//', '/.', 'GIT ', ' status', 'git', ' git log ', 'cat '],
].flat();

const command = fc
  .tuple(fc.constantFrom(...ALLOWED), fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }))
  .map(([entry, words]) => (entry.endsWith(' *') ? [entry.slice(0, -2), ...words].join(' ') : entry));
const line = fc
  .array(fc.tuple(command, fc.constantFrom(...SEPARATORS)), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([text, separator], at) => (at === 0 ? text : separator + text)).join(''));

/** Lines of allowed commands, each with up to three tricks put in, or characters taken out or written twice. */
export const tricked = fc
  .tuple(
    line,
    fc.array(
      fc.record({
        place: fc.nat(),
        word: fc.boolean(),
        trick: fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...TRICKS) }, fc.constantFrom('remove', 'repeat')),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([text, changes]) => changes.reduce(change, text));

function change(text: string, { place, word, trick }: { place: number; word: boolean; trick: string }): string {
  const ends = [...text.matchAll(/ |^|$/g)].map(({ index }) => index);
  const at = word ? (ends[place % ends.length] ?? 0) : place % (text.length + 1);
  if (trick === 'remove') return text.slice(0, at) + text.slice(at + 1);
  if (trick === 'repeat') return text.slice(0, at + 1) + text.slice(at);
  return text.slice(0, at) + trick + text.slice(at);
}
