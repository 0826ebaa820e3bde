import { deepStrictEqual, doesNotMatch } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { toPublished } from './readme.ts';

test('the published README starts with npx, and its links lead to the repository', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const published = toPublished(readme, 'https://example.org/beckon');
  deepStrictEqual(published.split('\n').slice(2, 6), [
    '```sh',
    'npx beckon    # runs; prints a sign-in link',
    "npx beckon connect claude    # Claude Code's permission prompts are on your phone now",
    '```',
  ]);
  doesNotMatch(published, /npm (start|run -s)|\]\((?!https:)|src(set)?="(?!https:)/);
});
