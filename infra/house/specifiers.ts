/** What a file imports, as written; `typeOnly` for what is gone when the code runs. */
export type Specifier = { name: string; typeOnly: boolean };

const STATEMENT = /^(?:import|export)\s+(type\s+)?(?:[\w$*{},\s]+\sfrom\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]/g;

export function specifiersOf(text: string): Specifier[] {
  const statements = [...text.matchAll(STATEMENT)].map((match) => ({
    name: match[2] ?? '',
    typeOnly: match[1] !== undefined,
  }));
  const dynamic = [...text.matchAll(DYNAMIC)].map((match) => ({ name: match[1] ?? '', typeOnly: false }));
  return [...statements, ...dynamic];
}
