// Packs @beckon/client into a folder: `node infra/pack/client.ts FOLDER`. Needs no network.
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

type Entry = { types: string; default: string };
type Package = {
  version: string;
  license: string;
  keywords: string[];
  publishConfig: object;
  exports: Record<string, Entry>;
};

const root = resolve(import.meta.dirname, '../..');
const README = `# @beckon/client

Asks people through a Beckon hub, and waits for what they say. For browsers and Node 20 or newer; needs no other package.

\`\`\`js
import { approve, ask, choose, confirm } from '@beckon/client';

await ask('Ship it?');
await approve('refund', { cents: 1200 });
await choose('Where?', ['production', 'staging']);
\`\`\`

\`@beckon/client/langchain\` has \`humanInTheLoop({interruptOn})\`, middleware of \`createAgent\`.

\`BECKON_URL\` and \`BECKON_KEY\` say where the hub is and who asks; in a browser, the options \`url\` and \`apiKey\` do.
`;

const [destination] = process.argv.slice(2);
if (destination === undefined) {
  console.error('Say where to: node infra/pack/client.ts FOLDER');
  process.exit(2);
}
const { version, license, keywords, publishConfig, exports } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Package;
const folder = mkdtempSync(join(tmpdir(), 'beckon-client-'));
try {
  const clients = Object.entries(exports).filter(([name]) => /^\.\/client(\/|$)/.test(name));
  for (const file of ['LICENSE', ...globSync('server/dialects/client/*.{mjs,d.mts}', { cwd: root })])
    copyFileSync(join(root, file), join(folder, basename(file)));
  writeFileSync(join(folder, 'README.md'), README);
  const described = {
    name: '@beckon/client',
    version,
    description: 'Asks people through a Beckon hub: approvals, questions and choices',
    keywords,
    license,
    publishConfig,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    // Who imports the middleware has its framework.
    peerDependencies: { langchain: '>=1.0.0' },
    peerDependenciesMeta: { langchain: { optional: true } },
    exports: Object.fromEntries(clients.map(([name, entry]) => [name.replace('/client', ''), here(entry)])),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(described, undefined, 2)}\n`);
  const pack = ['pack', '--loglevel=error', '--pack-destination', resolve(destination)];
  process.exitCode = spawnSync('npm', pack, { cwd: folder, stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function here(entry: Entry): Entry {
  return { types: `./${basename(entry.types)}`, default: `./${basename(entry.default)}` };
}
