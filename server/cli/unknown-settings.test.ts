import { deepStrictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '../platform/settings.ts';
import { unknownSettings } from './unknown-settings.ts';

const said = (...names: string[]) =>
  unknownSettings(Object.fromEntries(names.map((name) => [name, 's3cret'])), ['restored']);
const line = (what: string) => `The hub does not read ${what}; "beckon serve --help" lists its settings.`;

test('a variable that is no setting is named with the nearest one, and never its value', () => {
  deepStrictEqual(
    [
      said('DATABSE_URL'),
      said('BECKON_PORT'),
      said('BECKON_RETENTION_DAYS', 'Beckon_Port'),
      said('BECKON_COLOUR'),
      said('retain_days'),
      said('npm_config_restored', 'npm_config_port', 'npm_config_cache'),
    ],
    [
      line('DATABSE_URL (did you mean DATABASE_URL?)'),
      line('BECKON_PORT (did you mean PORT?)'),
      line('BECKON_RETENTION_DAYS'),
      line('BECKON_COLOUR'),
      line('retain_days (did you mean RETAIN_DAYS?)'),
      line('npm_config_restored (did you mean npm start -- --restored?), npm_config_port (did you mean PORT?)'),
    ],
  );
});

test('nothing is said of settings, of what agents and tests are given, and of what belongs to other programs', () => {
  const cluster = ['BECKON_SERVICE_HOST', 'BECKON_SERVICE_PORT_HTTP', 'BECKON_PORT', 'BECKON_PORT_4275_TCP_ADDR'];
  const known = ['BECKON_URL', 'BECKON_KEY', 'BECKON_WEBHOOK_SECRET', 'BECKON_TEST_CLOCK'];
  const foreign = [
    'PATH',
    'HOME',
    'PWD',
    'NODE_ENV',
    'NODE_OPTIONS',
    'HOSTNAME',
    'REDIS_HOST',
    'DATABASE_PORT',
    'USER',
  ];
  deepStrictEqual(
    [
      said(...SETTINGS.map(({ name }) => name), 'LOGLEVEL'),
      said(...known),
      said(...foreign, 'npm_config_user_agent', 'npm_lifecycle_event', '_'),
      said('KUBERNETES_SERVICE_HOST', ...cluster),
      unknownSettings({ BECKON_PORT: ' ', DATABSE_URL: undefined }, []),
    ],
    [undefined, undefined, undefined, undefined, undefined],
  );
});

test('a starting hub says it once, beside what keeps it from starting', () => {
  const main = join(import.meta.dirname, 'main.ts');
  const env = { PATH: process.env['PATH'], BECKON_PORT: '8080', PORT: 'x' };
  const { status, stderr } = spawnSync(process.execPath, [main, 'serve'], { env, encoding: 'utf8', timeout: 60_000 });
  const sentences = [
    line('BECKON_PORT (did you mean PORT?)'),
    'The setting PORT must be a number; see "beckon serve --help".',
  ];
  deepStrictEqual([status, stderr.trim().split('\n')], [1, sentences]);
});
