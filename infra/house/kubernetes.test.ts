import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../server/platform/settings.ts';
import { root } from './tree.ts';

type Manifest = { apiVersion: string; kind: string; metadata: { name: string }; [more: string]: unknown };
type Container = {
  ports: { name: string; containerPort: number }[];
  env: { name: string }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  volumeMounts: { name: string }[];
} & Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', { httpGet: { path: string; port: string } }>;
type Pod = {
  metadata: { labels: object };
  spec: { terminationGracePeriodSeconds: number; volumes: { name: string }[]; containers: [Container] };
};

const folder = join(root, 'infra/kubernetes');
const files = globSync('*.yaml', { cwd: folder }).toSorted();
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((one) => one.toJS() as Manifest),
);
const named = <T>(kind: string): T => manifests.find((one) => one.kind === kind) as T;

/** As the API names them: `v1` and `apps/v1` are modules of the package. */
const moduleOf = ({ apiVersion }: Manifest): string => `kubernetes-models/${apiVersion}`;

async function faultsOf(manifest: Manifest): Promise<string | undefined> {
  const kinds = (await import(moduleOf(manifest))) as Record<string, new (data: object) => { validate(): void }>;
  const Kind = kinds[manifest.kind];
  if (!Kind) return `There is no ${manifest.kind} in ${manifest.apiVersion}.`;
  try {
    new Kind(manifest).validate();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** What TypeScript says of these manifests as literals of the API's types, which allow no other member. */
function excess(some: Manifest[]): string {
  // Below this node_modules, where TypeScript finds the types.
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(join(cache, 'kubernetes-'));
  try {
    const lines = some.map(
      (one, at) =>
        `import { type I${one.kind} as T${at} } from '${moduleOf(one)}';\nexport const m${at}: T${at} = ${JSON.stringify(one, null, 2)};\n`,
    );
    writeFileSync(join(made, 'manifests.ts'), lines.join(''));
    const options = [
      '--noEmit',
      '--ignoreConfig',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      '',
    ];
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), ...options, join(made, 'manifests.ts')],
      { encoding: 'utf8', cwd: made },
    );
    return stdout;
  } finally {
    rmSync(made, { recursive: true });
  }
}

test('every manifest is what the API of Kubernetes takes, and names no member that it does not know', async () => {
  deepStrictEqual(
    manifests.map(({ kind }) => kind),
    'ServiceAccount ConfigMap Deployment Service PodDisruptionBudget Ingress NetworkPolicy Secret'.split(' '),
  );
  deepStrictEqual(
    await Promise.all(manifests.map(faultsOf)),
    manifests.map(() => undefined),
  );
  strictEqual(excess(manifests), '');
});

test('the check of manifests bites: a wrong type, a missing member, one that is spelled wrong', async () => {
  const deployment = named<Manifest>('Deployment');
  const changed = (from: string, to: string): Manifest =>
    JSON.parse(JSON.stringify(deployment).replace(from, to)) as Manifest;
  match((await faultsOf(changed('"replicas":2', '"replicas":"two"'))) ?? '', /replicas must be integer/);
  match((await faultsOf(changed('"selector":', '"selectors":'))) ?? '', /must have required property selector/);
  match(excess([changed('"readinessProbe"', '"readynessProbe"')]), /"readynessProbe"' does not exist/);
});

test('what the manifests name of one another and of the hub is there', () => {
  const { spec } = named<{ spec: { selector: { matchLabels: object }; replicas: number; template: Pod } }>(
    'Deployment',
  );
  const [hub] = spec.template.spec.containers;
  const [config, secret] = [named<{ data: object }>('ConfigMap'), named<{ stringData: object }>('Secret')];
  const known = SETTINGS.map(({ name }) => name as string);
  const set = [...Object.keys(config.data), ...Object.keys(secret.stringData), ...hub.env.map(({ name }) => name)];
  const selectors = [
    spec.selector.matchLabels,
    named<{ spec: { selector: object } }>('Service').spec.selector,
    named<{ spec: { selector: { matchLabels: object } } }>('PodDisruptionBudget').spec.selector.matchLabels,
    named<{ spec: { podSelector: { matchLabels: object } } }>('NetworkPolicy').spec.podSelector.matchLabels,
  ];
  const probes = [hub.startupProbe, hub.livenessProbe, hub.readinessProbe];
  deepStrictEqual(
    {
      unknown: set.filter((name) => !known.includes(name) && name !== 'POD_IP'),
      // What several nodes cannot do without.
      missing: ['PUBLIC_URL', 'DATABASE_URL', 'REDIS_URL', 'SEALING_KEY', 'NODE_URL', 'TRUST_PROXY'].filter(
        (name) => !set.includes(name),
      ),
      selectors,
      volumes: hub.volumeMounts.map(({ name }) => name),
      port: hub.ports,
      probes: probes.map(({ httpGet }) => [httpGet.path, httpGet.port]),
      nodes: spec.replicas,
    },
    {
      unknown: [],
      missing: [],
      selectors: selectors.map(() => spec.template.metadata.labels),
      volumes: spec.template.spec.volumes.map(({ name }) => name),
      port: [{ name: 'http', containerPort: 4275 }],
      probes: [
        ['/healthz', 'http'],
        ['/healthz', 'http'],
        ['/readyz', 'http'],
      ],
      nodes: 2,
    },
  );
  // The pause before the stop, and what server/main.ts allows.
  const { lifecycle } = hub as unknown as { lifecycle: { preStop: { sleep: { seconds: number } } } };
  const [, stop = ''] = /STOP_WITHIN_MS = ([\d_]+)/.exec(readFileSync(join(root, 'server/main.ts'), 'utf8')) ?? [];
  const needed = lifecycle.preStop.sleep.seconds + Number(stop.replace('_', '')) / 1000;
  strictEqual(spec.template.spec.terminationGracePeriodSeconds >= needed, true);
});
