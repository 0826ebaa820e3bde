import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '../../server/platform/settings.ts';
import { root } from './tree.ts';

const HEAD = `# The settings of a hub, each with its default. Copy what you change to the environment, or to a file for
# "node --env-file=FILE server/cli/main.ts serve".
`;

test('.env.example lists exactly the settings that the hub reads', () => {
  const rows = SETTINGS.map((setting) => {
    const value = 'default' in setting ? setting.default : '';
    return `\n# ${setting.meaning}\n#${setting.name}=${value}\n`;
  });
  strictEqual(readFileSync(join(root, 'infra/.env.example'), 'utf8'), HEAD + rows.join(''));
});

test('compose.yaml and the systemd unit set nothing that the hub does not read', () => {
  const known = [...SETTINGS.map(({ name }) => name as string), 'NODE_ENV'];
  const compose = readFileSync(join(root, 'infra/compose.yaml'), 'utf8');
  const shared = /x-hub-settings:.*\n((?: {2}.*\n)+)/.exec(compose)?.[1] ?? '';
  const perNode = [...compose.matchAll(/\*hub-settings, (\w+):/g)].map((match) => match[1]);
  const unit = readFileSync(join(root, 'infra/beckon.service'), 'utf8');
  const inUnit = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap((match) => (match[1] ?? '').split(' '));
  const set = [...shared.matchAll(/^ {2}(\w+):/gm)].map((match) => match[1]);
  const named = [...set, ...perNode, ...inUnit.map((pair) => pair.split('=')[0])];
  deepStrictEqual(
    named.filter((name) => !known.includes(name ?? '')),
    [],
  );
  deepStrictEqual([set.length > 5, perNode.length, inUnit.length], [true, 2, 2]);
});
