import type { SourceFile } from './tree.ts';

const RULE = /^- \*\*([A-Z]{3}\d+)\*\*/gm;
// A title is a string that begins with the ids in brackets: '[RES1] …' or '[RES1] [WDR1] …'.
// Tags may follow: [door], through the wire, which what stands in e2e is anyway; [race]; [crash].
const CITATION = /['"`]((?:\[(?:[A-Z]{3}\d+|door|race|crash)\]\s*)+)/g;
/** What these rules promise holds in a race, and after a crash. */
const RACES = ['APR5', 'APR6', 'ASK2', 'ASK5', 'RES1', 'RES2', 'WDR1', 'LIV1', 'POL2', 'POL4', 'POL5', 'POL6'];
const CRASHES = ['ASK1', 'LIV1', 'DLV1', 'DIA2', 'POL8', 'POL9'];

/** Rules without a test of each kind that they need, tests of unknown rules and rules that stand twice, one sentence each. */
export function disagreements(rules: string, tests: SourceFile[]): string[] {
  const known = [...rules.matchAll(RULE)].map((match) => match[1] ?? '');
  const cited = tests.flatMap(({ path, text }) => citations(text).map((one) => ({ path, ...one })));
  const lack = (id: string, what: string, has: (one: (typeof cited)[number]) => boolean): string[] =>
    !known.includes(id) || cited.some((one) => one.id === id && has(one)) ? [] : [`${id} has no test ${what}`];
  return [
    ...known.filter((id, index) => known.indexOf(id) !== index).map((id) => `${id} stands twice`),
    ...known.filter((id) => !cited.some((citation) => citation.id === id)).map((id) => `${id} is cited by no test`),
    ...known.flatMap((id) =>
      lack(id, 'through a door', (one) => one.path.startsWith('e2e/') || one.tags.includes('door')),
    ),
    ...RACES.flatMap((id) => lack(id, 'of a race', ({ tags }) => tags.includes('race'))),
    ...CRASHES.flatMap((id) => lack(id, 'of a crash', ({ tags }) => tags.includes('crash'))),
    ...cited.filter(({ id }) => !known.includes(id)).map(({ path, id }) => `${path} cites ${id}, which is no rule`),
  ];
}

function citations(text: string): { id: string; tags: string[] }[] {
  return [...text.matchAll(CITATION)].flatMap(([, words = '']) => {
    const tags = [...words.matchAll(/\[([a-z]+)\]/g)].map(([, tag = '']) => tag);
    return (words.match(/[A-Z]{3}\d+/g) ?? []).map((id) => ({ id, tags }));
  });
}

const KINDS: [kind: string, has: (path: string, tags: string[]) => boolean][] = [
  ['simulation', (path) => path.endsWith('/simulation.sim.test.ts')],
  ['race', (_path, tags) => tags.includes('race')],
  ['crash', (_path, tags) => tags.includes('crash')],
  ['browser', (path) => path.endsWith('.e2e.ts')],
  ['contract', (path) => path.endsWith('.contract.ts')],
];

/** Each rule in its order, with the kinds of tests that cite it; of none of these kinds are tests of a unit or a hub. */
export function kindsOfTests(rules: string, tests: SourceFile[]): Map<string, string> {
  const cited = tests.flatMap(({ path, text }) => citations(text).map((one) => ({ path, ...one })));
  const kindsOf = (id: string) =>
    KINDS.flatMap(([kind, has]) => (cited.some((one) => one.id === id && has(one.path, one.tags)) ? [kind] : []));
  return new Map([...rules.matchAll(RULE)].map(([, id = '']) => [id, kindsOf(id).join(', ') || 'unit, hub']));
}
