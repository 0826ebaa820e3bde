import { deepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { GateRule } from '#shared/policies/gate.ts';
import { parseExact, type Json } from '#shared/json.ts';
import type { Comparison, Then, When } from '#shared/policies/rule.ts';
import { decide } from './decide.ts';
import type { Asking } from './may-fit.ts';
import { prepare, search } from './rules.ts';

type Answer = 'yes' | 'no' | 'unclear';
/** A condition, the JSON text of what it looks at, and what it answers. */
type Case = { when: When; name: string; args: string; answer: Answer };

const KEEPING: Then[] = ['ask', 'ask-quietly', { ask: ['ops'] }, { reject: 'No.' }, 'you-decide', 'unanswered'];
const GRANTING: Then[] = ['approve', 'suggested', 'random', { answer: 'x' }, { decider: `dcd_${'0'.repeat(26)}` }];

/** A value of each JSON type, as text. */
const TYPES = ['null', 'true', '7', '"other"', '["other"]', '{"other":1}'];
const typeOf = (text: string) => (/^[-\d]/.test(text) ? 'number' : /^[tf]/.test(text) ? 'boolean' : text[0]!);

/** Other spellings of one text that some program takes for the same. */
const spellings = (text: string) => [
  ` ${text}`,
  `${text}\n`,
  `\u00a0${text}\u3000`,
  text.toUpperCase(),
  `${text}\u200b`,
  ...['\u00ad', ' ', '\t', '\n', '\r\n', '\x07', '\u2003'].map((between) => text.slice(0, 2) + between + text.slice(2)),
  `\u202e${text}`,
  `${text}\ufe0f`,
  text.replace(/[a-z]/, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
];

const wrapped = (text: string) => [`[${text}]`, `[[${text}]]`, `{"path":${text}}`, `["x",${text}]`];

function* comparisons(): Generator<{ comparison: Comparison; value: string; answer: Answer }> {
  for (const [comparison, own] of [
    [{ equals: 'main' }, '"main"'],
    [{ oneOf: ['main', 'dev'] }, '"dev"'],
    [{ matches: 'mai*n' }, '"mainmain"'],
    [{ equals: 10 }, '10'],
    [{ oneOf: [10, 11] }, '11'],
    [{ equals: true }, 'true'],
    [{ equals: null }, 'null'],
    [{ equals: ['a', 1] }, '["a",1]'],
    [{ equals: { a: ['b'] } }, '{"a":["b"]}'],
    [{ min: 100 }, '100'],
    [{ max: 100 }, '99.99'],
    [{ min: 1, max: 100 }, '1e2'],
    [{ under: '/etc' }, '"/etc/passwd"'],
  ] as [Comparison, string][]) {
    yield { comparison, value: own, answer: 'yes' };
    // Only what is of the same type is certainly another value.
    const isNumber = comparison.min !== undefined || comparison.max !== undefined;
    for (const value of TYPES)
      if (value !== own && typeOf(value) !== typeOf(own)) yield { comparison, value, answer: 'unclear' };
      else if (value !== own && !isNumber && comparison.under === undefined) yield { comparison, value, answer: 'no' };
    for (const value of wrapped(own)) if (typeOf(value) !== typeOf(own)) yield { comparison, value, answer: 'unclear' };
    if (typeOf(own) !== '"') yield { comparison, value: JSON.stringify(own), answer: 'unclear' };
    else if (comparison.under === undefined)
      for (const value of spellings(JSON.parse(own) as string))
        yield { comparison, value: JSON.stringify(value), answer: 'unclear' };
  }
  for (const between of ['\t', '\n', '\r\n', '  ', '\u00a0', '\v', '\u2028', ' \u200b ', ''])
    yield {
      comparison: { matches: '*drop table*' },
      value: JSON.stringify(`x; drop${between}table y`),
      answer: 'unclear',
    };
  for (const value of ['"drop-table"', '"drop a table"'])
    yield { comparison: { matches: '*drop table*' }, value, answer: 'no' };
  for (const value of ['10.0', '1e1', '100e-1']) yield { comparison: { equals: 10 }, value, answer: 'unclear' };
  for (const value of ['["A",1]', '["a","1"]', '["a",1.0]'])
    yield { comparison: { equals: ['a', 1] }, value, answer: 'unclear' };
  for (const value of ['["a"]', '["a",1,2]', '["a",2]'])
    yield { comparison: { equals: ['a', 1] }, value, answer: 'no' };
  for (const value of ['{"A":["b"]}', '{"a":"b"}', '{"a\\u200b":["b"]}'])
    yield { comparison: { equals: { a: ['b'] } }, value, answer: 'unclear' };
  for (const value of ['{"a":["b"],"c":1}', '{"a":["c"]}', '{}'])
    yield { comparison: { equals: { a: ['b'] } }, value, answer: 'no' };
  for (const [value, answer] of [
    ['"1000"', 'unclear'],
    ['1000', 'yes'],
    ['99', 'no'],
    ['1e400', 'yes'],
    ['-1e400', 'no'],
  ] as const)
    yield { comparison: { min: 100 }, value, answer };
  yield* paths();
}

function* paths(): Generator<{ comparison: Comparison; value: string; answer: Answer }> {
  const unclear = `
    /etc/../etc/passwd //etc/passwd /tmp/../etc/passwd /etc/. /etc/../x /etc/./a /x/../../../etc/a ///etc /./etc/a
    etc/passwd ./etc ../etc/passwd ~/x ~root/x file:///etc/passwd \\etc\\passwd /etc\\passwd /tmp\\..\\etc C:\\etc
    /etc/a\u0000b /tmp/a\u0007 /%65tc/passwd /tmp/%2e%2e/etc /tmp/..%2fetc $HOME/x /$X/passwd /e*c/passwd /{etc,tmp}/a
    /[e]tc/a /ETC/passwd /Etc/shadow /ｅtc/passwd /etc\u200b/passwd /**/passwd /etc/~root
    /etc/‥/x /etc/．．/x /etc/\u200b../x /etc/.? /etc/.?/x /etc/* /etc/[a] /etc/$X /etc/..;/x /etc/{..,y}/x /etc/$(x) /etc/"../x
    /etc/.''./x /etc/(..)/x /etc/～root /etc/％2e％2e/x /etc/%u002e/x /etc/%X%/x /etc/＼x /etc/a|b /etc/a<b /etc/R&D /etc/\u200b/x /etc/..#x /etc/․․/x /etc/..／x
    /tmp/.?/etc/passwd /tmp/{..,x}/etc/passwd /tmp/.*/etc/x /tmp/[.][.]/etc/x /tmp/[.a][.a]/etc/x /tmp/@(..)/etc/x /tmp/$X/etc/x
    /tmp/\`x\`/etc /tmp/..;/etc/x /etc./passwd /e""tc/x /'etc'/x /(e)tc/x /tmp/(..)/etc/x /.../etc/x /tmp/‥/srv /tmp/~me/x /tmp/..#x/etc/y /etc#x /etc#/../x //host/etc/x
    /tmp/**/../etc/x /tmp/../etc//../x /tmp/../etc/\u200b/../x /tmp/../etc/.\u200b./x /tmp/../etc/.../../x /tmp/../etc/''/../x`
    .trim()
    .split(/[ \n]+/);
  const spaced = [
    '/etc/. ./x',
    '/etc/.. /x',
    '/etc/.\u00a0./x',
    '/etc/a;cat /x',
    '/etc/a /x',
    '/etc/a ../x',
    '/etc/.. x',
    '/etc/‥ x',
    '/etc/..\u200b x',
    '/etc/.. #x',
    '/etc/$(cat x)',
  ];
  for (const path of [
    ...unclear,
    ...spaced,
    '',
    ' /etc/a',
    '/etc /a',
    '/etc x',
    '/et c/a',
    '/tmp/a /etc/x',
    '/etc\u200b/a',
  ])
    if (!path.includes('\u0000'))
      yield { comparison: { under: '/etc' }, value: JSON.stringify(path), answer: 'unclear' };
  for (const path of [
    '/',
    '/tmp',
    '/etcetera/a',
    '/tmp/etc/a',
    '/et',
    '/tmp/*',
    '/srv/[id]/page',
    '/etc.d/a',
    '/tmp//a',
    '/tmp/*.log',
    '/srv/[...slug]/page',
    '/srv/../tmp/a',
    '/tmp/..foo/etc',
    "/tmp/Mara's file (1).txt",
    '/tmp/./a b/etc',
  ])
    yield { comparison: { under: '/etc' }, value: JSON.stringify(path), answer: 'no' };
  for (const path of [
    '/etc',
    '/etc/',
    '/etc/a b/ü.txt',
    '/etc/...',
    '/etc/.hidden',
    '/etc/a~',
    '/etc/a.b',
    '/etc/..foo',
    '/etc/a.',
    "/etc/Mara's (1).txt",
    '/etc/100% sure',
    '/etc/a+b=c,d@e#f',
  ])
    yield { comparison: { under: '/etc' }, value: JSON.stringify(path), answer: 'yes' };
  yield { comparison: { under: '/etc' }, value: JSON.stringify(`/etc/${'a'.repeat(5000)}`), answer: 'unclear' };
  yield { comparison: { under: '/a/.../b' }, value: '"/A/.../b"', answer: 'unclear' };
}

function* cases(): Generator<Case> {
  for (const { comparison, value, answer } of comparisons()) {
    const name = 'tool';
    const when = { tool: 'tool', args: { '/p': comparison } };
    yield { when, name, args: `{"p":${value}}`, answer };
    // A member under a name that some take for the same one, alone or beside it.
    yield { when, name, args: `{"P":${value}}`, answer: 'unclear' };
    yield { when, name, args: `{"p":${value},"\\uff50":0}`, answer: 'unclear' };
    // Within another one.
    const inner = { tool: 'tool', args: { '/o/p': comparison } };
    yield { when: inner, name, args: `{"o":{"p":${value}}}`, answer };
    yield { when: inner, name, args: `{"o":[{"p":${value}}]}`, answer: 'unclear' };
    yield { when: inner, name, args: JSON.stringify({ o: `{"p":${value}}` }), answer: 'unclear' };
    yield { when: { tool: 'tool', args: { '/p/0': comparison } }, name, args: `{"p":[${value}]}`, answer };
    if (!/^[[{n]/.test(value))
      yield { when: { tool: 'tool', args: { '/p/0': comparison } }, name, args: `{"p":${value}}`, answer: 'unclear' };
    yield { when: { tool: 'tool', args: { '': comparison } }, name, args: value, answer };
    // Absent.
    for (const args of ['{}', '{"o":{}}', '{"q":1}', '{"o":null}'])
      for (const pointer of ['/p', '/o/p', '/o/0'])
        yield { when: { tool: 'tool', args: { [pointer]: comparison } }, name, args, answer: 'no' };
  }
  const shell = { tool: 'tool', shell: ['git push *'] };
  for (const [args, answer] of [
    ['{"command":"git push"}', 'yes'],
    ['{"command":"git push a"}', 'yes'],
    ['{"command":"git pull"}', 'no'],
    ['{}', 'no'],
    ['{"command":"git log && npm test | cat"}', 'no'],
    ['{"command":"$(git push)"}', 'unclear'],
    ['{"command":"env git push"}', 'unclear'],
    ['{"command":"sh -c x"}', 'unclear'],
    ['{"command":"git -C x push"}', 'unclear'],
    ['{"command":"/bin/git push"}', 'unclear'],
    ['{"command":"GIT push"}', 'unclear'],
    ['{"Command":"git push"}', 'unclear'],
    ...TYPES.filter((value) => value !== '"other"').map((value) => [`{"command":${value}}`, 'unclear']),
  ] as [string, Answer][])
    yield { when: shell, name: 'tool', args, answer };
  for (const tool of ['delete', 'del*te', ['x', 'delete']]) {
    for (const [name, answer] of [
      ['delete', 'yes'],
      ['remove', 'no'],
      ...spellings('delete').map((one) => [one, 'unclear']),
    ] as [string, Answer][])
      yield { when: { tool }, name, args: '{}', answer };
  }
}

const asking = ({ name, args }: Case): Asking => ({
  sourceId: 'src_1',
  kind: 'actions',
  calls: [{ name, args: parseExact(args) as Json }],
  now: 0,
});
const CASES = [...cases()];

test('[POL1] what cannot be told fits where a rule asks or rejects, and never where it approves, answers or hands over', () => {
  ok(CASES.length > 2000, String(CASES.length));
  const wrong = Map.groupBy(CASES, ({ when }) => JSON.stringify(when))
    .values()
    .flatMap((cases) =>
      [...KEEPING, ...GRANTING].flatMap((then) => {
        const list = prepare([{ name: 'r', when: cases[0]!.when, then }], 'UTC');
        const isExpected = ({ answer }: Case) => (GRANTING.includes(then) ? answer === 'yes' : answer !== 'no');
        return cases
          .filter((one) => (typeof search([list], asking(one)) === 'object') !== isExpected(one))
          .map((one) => ({ ...one, then }));
      }),
    )
    .toArray();
  deepStrictEqual(wrong.slice(0, 5), []);
});

test('[POL1] what cannot be told is denied at a gate that denies it, and not allowed by a rule that allows it', () => {
  const does = ({ when, name, args }: Case, rule: GateRule['does'], otherwise: 'allow' | 'ask') =>
    decide(
      { rules: [{ when, does: rule }], otherwise, timeZone: 'UTC' },
      name,
      {},
      {
        sourceId: 'src_1',
        argsText: args,
        now: 0,
      },
    ).does;
  const wrong = CASES.filter((one) => {
    const kept = one.answer === 'no' ? 'allow' : 'deny';
    // A name in another spelling is refused, whatever its rule says.
    const isDisguised = !/^(tool|delete|remove)$/.test(one.name);
    return (
      does(one, 'deny', 'allow') !== kept ||
      does(one, 'allow', 'ask') !== (isDisguised ? 'deny' : one.answer === 'yes' ? 'allow' : 'ask')
    );
  });
  deepStrictEqual(wrong.slice(0, 5), []);
});
