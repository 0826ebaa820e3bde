import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from './dialect.ts';

type Fixture = { title: string; body: unknown; asks?: unknown; outcomes?: { reply?: unknown }[] };
type Examples = Record<string, { summary: string; value: unknown }>;

/** For the documentation: what each dialect takes and gives, from the first of its fixtures that asks people. */
export function readExamples(dialects: Dialect[]): { bodies: Examples; replies: Examples } {
  const bodies: Examples = {};
  const replies: Examples = {};
  for (const { name, label } of dialects) {
    const folder = join(import.meta.dirname, name, 'fixtures');
    const fixtures = globSync('*.json', { cwd: folder })
      .toSorted()
      .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fixture);
    const { title, body, outcomes = [] } = fixtures.find(({ asks }) => asks !== undefined) ?? {};
    if (body === undefined) continue;
    bodies[name] = { summary: `${label}: ${title}`, value: body };
    replies[name] = { summary: label, value: outcomes.find(({ reply }) => reply !== undefined)?.reply };
  }
  return { bodies, replies };
}
