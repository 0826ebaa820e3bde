import type { SourceFile } from './tree.ts';

const RULE = /^- \*\*([A-Z]{3}\d+)\*\*/gm;
// A title is a string that begins with the ids in brackets: '[RES1] …' or '[RES1] [WDR1] …'.
const CITATION = /['"`]((?:\[[A-Z]{3}\d+\]\s*)+)/g;

/** Rules without a test, tests of unknown rules and rules that stand twice, one sentence each. */
export function disagreements(rules: string, tests: SourceFile[]): string[] {
  const known = [...rules.matchAll(RULE)].map((match) => match[1] ?? '');
  const cited = tests.flatMap(({ path, text }) => citations(text).map((id) => ({ path, id })));
  return [
    ...known.filter((id, index) => known.indexOf(id) !== index).map((id) => `${id} stands twice`),
    ...known.filter((id) => !cited.some((citation) => citation.id === id)).map((id) => `${id} is cited by no test`),
    ...cited.filter(({ id }) => !known.includes(id)).map(({ path, id }) => `${path} cites ${id}, which is no rule`),
  ];
}

function citations(text: string): string[] {
  return [...text.matchAll(CITATION)].flatMap((match) => (match[1] ?? '').match(/[A-Z]{3}\d+/g) ?? []);
}
