import { deepStrictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { canonical, parseExact } from '#shared/json.ts';
import { verifyReceipt } from '../dialects/client/receipt.mjs';
import { checkReceipt, placesOf } from './receipts.ts';

type Vector = {
  name: string;
  receipt: string;
  tool: string;
  args: string;
  valid: boolean;
  now?: number;
  alg?: 'ES256';
};
type Vectors = { issuer: string; now: number; keys: { keys: object[] }; vectors: Vector[] };

const here = import.meta.dirname;
const { issuer, keys, vectors, ...common } = JSON.parse(
  readFileSync(join(here, 'testing/vectors.json'), 'utf8'),
) as Vectors;
const guide = readFileSync(join(here, '../../infra/receipts.md'), 'utf8');
const expected = vectors.map(({ name, valid }) => [name, valid]);
const eddsa = vectors.filter(({ alg }) => alg === undefined);

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-receipts-'));
  writeFileSync(join(folder, 'keys.json'), JSON.stringify(keys));
});
after(() => rmSync(folder, { recursive: true }));

/** Whether the program of the guide takes each of them, in a folder with what it is given. */
function runs(command: string, args: string[], vector: Vector): boolean {
  const { receipt, tool, now = common.now } = vector;
  writeFileSync(join(folder, 'args.json'), canonical(parseExact(vector.args)));
  const given = [...args, receipt, 'keys.json', issuer, tool, 'args.json'];
  const { status, stdout } = spawnSync(command, given, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      NOW: String(now),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: join(here, '../dialects/client'),
    },
  });
  return status === 0 && stdout.trim() === 'person:ada';
}

function blockOf(language: string, holds: string): string {
  const blocks = guide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'));
  return [...blocks].map(([, text = '']) => text).find((text) => text.includes(holds)) ?? '';
}

test('[APR2] the hub takes exactly the receipts of the vectors that are valid', async () => {
  const seen = vectors.map(async ({ name, receipt, tool, args, now = common.now }) => {
    const claims = await checkReceipt(receipt, { ...keys, issuer, now: now * 1000 });
    const meant = claims?.aud === undefined;
    return [name, claims !== undefined && meant && placesOf(claims, tool, parseExact(args)).length > 0];
  });
  deepStrictEqual(await Promise.all(seen), expected);
});

test('[APR2] so does the client for JavaScript, whatever byte is flipped', async () => {
  const takes = ({ receipt, tool, args, now = common.now }: Vector) =>
    verifyReceipt(receipt, { keys, issuer, tool, args, now: now * 1000 }).then(
      () => true,
      () => false,
    );
  deepStrictEqual(await Promise.all(vectors.map(async (one) => [one.name, await takes(one)])), expected);
  const [good] = vectors as [Vector];
  const flipped = Array.from(good.receipt, (was, at) => {
    const receipt = good.receipt.slice(0, at) + (was === 'A' ? 'B' : 'A') + good.receipt.slice(at + 1);
    return takes({ ...good, receipt });
  });
  deepStrictEqual(new Set(await Promise.all(flipped)), new Set([false]));
});

test('[APR2] so does the client for Python, whatever byte is flipped', () => {
  const program = `
import json, sys
from receipt import verify_receipt
given = json.load(sys.stdin)
def takes(one, receipt):
    now = one.get("now", given["now"])
    try:
        verify_receipt(receipt, keys=given["keys"], issuer=given["issuer"], tool=one["tool"], args=one["args"], now=now)
    except ValueError:
        return False
    return True
seen = [[one["name"], takes(one, one["receipt"])] for one in given["vectors"]]
good = given["vectors"][0]
text = good["receipt"]
flips = [text[:at] + ("B" if text[at] == "A" else "A") + text[at + 1:] for at in range(0, len(text), 7)] + [text[:-1] + "_"]
deep = {**good, "args": "[" * 100000 + "]" * 100000}
print(json.dumps([seen, [one for one in flips if takes(good, one)], takes(deep, text)]))
`;
  const input = JSON.stringify({ issuer, keys, ...common, vectors: eddsa });
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const options = { cwd: join(here, '../dialects/client'), input, env, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync('python3', ['-c', program], options);
  const seen: unknown = JSON.parse(stdout || 'null');
  deepStrictEqual([seen, stderr], [[eddsa.map(({ name, valid }) => [name, valid]), [], false], '']);
});

test('[APR2] so do the verifiers of the guide, where each is a program of its own', () => {
  const module = join(here, '../dialects/client/receipt.mjs');
  writeFileSync(
    join(folder, 'verify.mjs'),
    blockOf('js', 'verifyReceipt').replace('./receipt.mjs', `file://${module}`),
  );
  writeFileSync(join(folder, 'verify.py'), blockOf('python', 'verify_receipt'));
  writeFileSync(join(folder, 'verify.sh'), blockOf('sh', 'openssl'));
  deepStrictEqual(
    eddsa.map((one) => [one.name, runs('sh', ['verify.sh'], one)]),
    eddsa.map(({ name, valid }) => [name, valid]),
  );
  // These two go by this machine’s clock.
  const [good, , , other] = eddsa as [Vector, Vector, Vector, Vector];
  for (const [command, file] of [
    [process.execPath, 'verify.mjs'],
    ['python3', 'verify.py'],
  ] as const)
    deepStrictEqual([runs(command, [file], good), runs(command, [file], other)], [true, false], file);
});
