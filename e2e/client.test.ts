import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { answer, asked } from './gate/people.ts';
import { type Hub, startHub } from './hub/hub.ts';
import { packagesOf } from './hub/packages.ts';
import { addSource, ownerDevice } from './hub/people.ts';
import { Program } from './hub/process.ts';

const CLIENT = join(import.meta.dirname, 'client');
/** As strict as a compiler can be, of the generated types too. */
const COMPILER = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    module: 'nodenext',
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
  },
  files: ['use.ts', 'hub.d.ts'],
};

describe('a client that is generated from /docs/json', { timeout: 240_000 }, () => {
  let hub: Hub;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'beckon-client-'));
    symlinkSync(join(await packagesOf(CLIENT), 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(CLIENT, 'use.ts'), join(folder, 'use.ts'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(COMPILER));
    hub = await startHub();
  });
  after(async () => {
    await hub?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function run(...command: string[]): Promise<string> {
    const { code, out, err } = await new Program(['env', '-C', folder, ...command]).ended;
    strictEqual(code, 0, out + err);
    return out;
  }

  test('Redocly, Spectral and an OpenAPI validator have nothing to say of the reference', async () => {
    writeFileSync(join(folder, 'hub.json'), await (await fetch(`${hub.url}/docs/json`)).text());
    writeFileSync(join(folder, 'ruleset.yaml'), 'extends: ["spectral:oas"]\n');
    const quiet = ['REDOCLY_TELEMETRY=off', 'REDOCLY_SUPPRESS_UPDATE_NOTICE=true'];
    const redocly = await run(...quiet, 'node_modules/.bin/redocly', 'lint', '--format=json', 'hub.json');
    const { totals, problems } = JSON.parse(redocly) as { totals: object; problems: object[] };
    deepStrictEqual({ totals, problems }, { totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
    const spectral = ['lint', '--quiet', '--ruleset=ruleset.yaml', '--format=json', '--fail-severity=hint', 'hub.json'];
    deepStrictEqual(JSON.parse(await run('node_modules/.bin/spectral', ...spectral)), []);
    deepStrictEqual(JSON.parse(await run('node_modules/.bin/validate-api', 'hub.json')), { valid: true });
  });

  test('it compiles, asks, reads the answer and lists, and a member of a wrong name does not compile', async () => {
    await run('node_modules/.bin/openapi-typescript', `${hub.url}/docs/json`, '-o', 'hub.d.ts');
    await run('node_modules/.bin/tsc', '-p', '.');
    const owner = await ownerDevice(hub);
    const { key } = await addSource(hub, owner, 'Typed');
    const answering = async () => {
      const [inquiry] = await asked(hub, owner);
      await answer(hub, owner, inquiry, { values: { colour: 'teal' } });
    };
    const [printed] = await Promise.all([run(process.execPath, 'use.ts', hub.url, key), answering()]);
    deepStrictEqual(JSON.parse(printed), {
      asked: [201, 'open', ['choice']],
      read: [true, 'answered', { colour: 'teal' }],
      listed: [[true, 'answered']],
      refused: [422, 'request.invalid', ['/dedline']],
      said: 'inquiry.resolved: answered',
    });
  });
});
