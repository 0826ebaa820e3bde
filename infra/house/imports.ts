import { posix } from 'node:path';
import { specifiersOf } from './specifiers.ts';
import { isForTests, isTest, type SourceFile } from './tree.ts';

/**
 * Who may import whom inside server. A folder may always import itself and platform, and everyone may import shared.
 * A folder within another may have a row of its own: then only who names it may import it. Each row names only rows above
 * it, so the server has no cycles by construction.
 */
export const MAY_IMPORT: Record<string, string[]> = {
  platform: [],
  people: [],
  sources: [],
  devices: ['people', 'sources'],
  deliveries: ['devices', 'sources'],
  inquiries: ['people', 'sources', 'devices', 'deliveries'],
  notices: ['people', 'sources', 'devices', 'deliveries'],
  automation: ['people', 'sources', 'devices', 'deliveries', 'inquiries'],
  receipts: ['people', 'sources', 'devices', 'deliveries', 'inquiries'],
  audit: ['receipts'],
  reports: ['people', 'sources', 'devices', 'deliveries', 'inquiries', 'automation', 'audit'],
  live: ['people', 'sources', 'devices', 'deliveries', 'inquiries', 'notices', 'automation'],
  dialects: ['people', 'sources', 'devices', 'deliveries', 'inquiries', 'notices', 'automation'],
  mcp: ['people', 'sources', 'devices', 'deliveries', 'inquiries', 'notices', 'automation', 'reports'],
  'mcp/gate': [
    'people',
    'sources',
    'devices',
    'deliveries',
    'inquiries',
    'notices',
    'automation',
    'receipts',
    'dialects',
    'mcp',
  ],
  'protocols/device-grant': ['devices'],
  'protocols/acp': ['dialects', 'mcp'],
  'protocols/keycloak': ['people', 'sources', 'devices', 'deliveries', 'inquiries'],
  'protocols/aap': ['sources', 'deliveries', 'inquiries', 'dialects'],
  connections: ['people', 'sources', 'devices', 'deliveries', 'inquiries', 'notices', 'automation', 'dialects'],
};

const ANYTHING = ['cli', 'simulation', 'app.ts', 'jobs.ts', 'main.ts'];

/** The imports that the table forbids, one sentence each. What only tests load may wire up what it needs, and nobody imports a test. */
export function forbiddenImports(files: SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    importsOf(path, text)
      .filter((target) => isTest(target) || (!isForTests(path) && !mayImport(path, target)))
      .map((target) => `${path} may not import ${target}`),
  );
}

/** The folders of one domain of the server that import each other, one list for each knot; tests do not count. */
export function knots(files: SourceFile[]): string[] {
  const imports = new Map<string, Set<string>>();
  for (const { path, text } of files.filter((file) => file.path.startsWith('server/') && !isForTests(file.path))) {
    const within = importsOf(path, text).filter((target) => target.startsWith(`${domainOf(path)}/`));
    const folder = posix.dirname(path);
    imports.set(folder, new Set([...(imports.get(folder) ?? []), ...within.map((target) => posix.dirname(target))]));
  }
  return knotsIn(imports);
}

/** Files that import each other, over however many steps, types included; each circle as its sorted paths. */
export function circles(files: SourceFile[]): string[] {
  return knotsIn(new Map(files.map(({ path, text }) => [path, new Set(importsOf(path, text))])));
}

function knotsIn(imports: Map<string, Set<string>>): string[] {
  const reached = new Map([...imports.keys()].map((from) => [from, reachedFrom(from, imports)]));
  const knotOf = (from: string) =>
    [...imports.keys()].filter((other) => reached.get(from)?.has(other) && reached.get(other)?.has(from));
  return [...new Set([...imports.keys()].map((from) => knotOf(from).toSorted().join(' ')))]
    .filter((knot) => knot.includes(' '))
    .toSorted();
}

/** The folders and files of server that stand in no row. */
export function homeless(files: SourceFile[]): string[] {
  const known = [...Object.keys(MAY_IMPORT).map((row) => row.split('/')[0]), ...ANYTHING];
  return files
    .filter(({ path }) => path.startsWith('server/') && !known.includes(path.split('/')[1] ?? ''))
    .map(({ path }) => path);
}

function mayImport(from: string, to: string): boolean {
  const [side = '', folder = ''] = from.split('/');
  const [toSide = '', toFolder = ''] = to.split('/');
  if (toSide === 'shared' || side === 'infra') return true;
  if (side !== toSide) return false;
  if (side !== 'server' || ANYTHING.includes(folder)) return true;
  const [row, toRow] = [rowOf(from), rowOf(to)];
  return row === toRow || toFolder === 'platform' || (MAY_IMPORT[row] ?? []).includes(toRow);
}

function rowOf(path: string): string {
  const [, folder = '', inner = ''] = path.split('/');
  return `${folder}/${inner}` in MAY_IMPORT ? `${folder}/${inner}` : folder;
}

function reachedFrom(folder: string, imports: Map<string, Set<string>>): Set<string> {
  const reached = new Set([folder]);
  // A set hands out what is added to it while it is walked.
  for (const next of reached) imports.get(next)?.forEach((other) => reached.add(other));
  return reached;
}

function domainOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

// Paths from the root of the repository; packages and Node's own modules are not of interest here.
function importsOf(path: string, text: string): string[] {
  return specifiersOf(text)
    .map(({ name }) => name)
    .filter((name) => /^(\.|#shared\/)/.test(name))
    .map((name) => (name.startsWith('#') ? name.slice(1) : posix.join(posix.dirname(path), name)));
}
