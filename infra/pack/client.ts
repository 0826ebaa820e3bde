// Packs @beckon/client into a folder: `node infra/pack/client.ts FOLDER`. Needs no network.
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

Middleware that holds calls of tools until people decide them: \`humanInTheLoop\` of \`@beckon/client/langchain\`,
\`runWithPeople\` of \`/openai-agents\`, \`canUseTool\` of \`/claude-agent-sdk\`, \`toolApproval\` of \`/ai-sdk\`, \`withPeople\` of
\`/deepagents\` and of \`/mcp\`.
\`@beckon/client/receipt\` has \`verifyReceipt\`, which verifies what was approved without the hub.

\`BECKON_URL\` and \`BECKON_KEY\` say where the hub is and who asks; in a browser, the options \`url\` and \`apiKey\` do.
`;
/** Who imports a middleware has its framework. */
const PEERS = {
  '@anthropic-ai/claude-agent-sdk': '>=0.3.0',
  '@openai/agents': '>=0.20.0',
  ai: '>=7.0.0',
  deepagents: '>=1.14.0',
  langchain: '>=1.0.0',
};

const [destination] = process.argv.slice(2);
if (destination === undefined) {
  console.error('Say where to: node infra/pack/client.ts FOLDER');
  process.exit(2);
}
const { version, license, keywords, publishConfig, exports } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Package;
mkdirSync(destination, { recursive: true });
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
    peerDependencies: PEERS,
    peerDependenciesMeta: Object.fromEntries(Object.keys(PEERS).map((name) => [name, { optional: true }])),
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
