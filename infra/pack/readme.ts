import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The README of the published package: its commands are those of `npx`, and its paths lead to the repository. */
export function toPublished(readme: string, repository: string): string {
  return readme
    .replaceAll('npm run -s beckon --', 'npx beckon')
    .replaceAll('npm start', 'npx beckon')
    .replaceAll(/ {2,}(?=# )/g, '    ')
    .replaceAll(/(\]\(|src="|srcset=")(?=[a-zA-Z])(?!https?:)/g, `$1${repository}/`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , repository = '', file = 'README.md'] = process.argv;
  if (!/^https:\/\/\S+[^/]$/.test(repository)) {
    console.error('Say where the repository is: node infra/pack/readme.ts https://example.org/beckon/raw/main [FILE]');
    process.exit(2);
  }
  writeFileSync(file, toPublished(readFileSync(file, 'utf8'), repository));
}
