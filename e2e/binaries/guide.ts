import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const GUIDE = ['agents', 'claude-code', 'langgraph', 'editors']
  .map((name) => readFileSync(join(import.meta.dirname, `../../infra/${name}.md`), 'utf8'))
  .join('\n');

/** The snippets in a language below a heading of these guides, as a user copies them. */
export function snippetsOf(heading: string, language: string): string[] {
  const [, section] = GUIDE.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`the guide has no section "${heading}"`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].flatMap(([, of, code = '']) => (of === language ? [code] : []));
}

/** A snippet with the hub's address in it, and with its deadline where tests cannot wait as long as people may. */
export function filled(snippet: string, { url, deadline }: { url: string; deadline: number | string }): string {
  const [ADDRESS, DEADLINE] = ['https://beckon.example.com', 'deadline=3600'];
  if (!snippet.includes(ADDRESS) || !snippet.includes(DEADLINE))
    throw new Error(`the guide's snippet names no address or no deadline:\n${snippet}`);
  return snippet.replaceAll(ADDRESS, url).replaceAll(DEADLINE, `deadline=${deadline}`);
}
