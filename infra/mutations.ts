// Breaks the code once for each rule, in a copy, and says what the simulation or the named test saw of it; one that
// nothing sees ends it with 1. What was seen is written into the table of
// server/simulation/README.md. By hand, some seconds for each: npm run mutations [-- RES1 DLV1]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSimulation, MUTATIONS, readTable, TABLE, toTable, type Mutation } from './house/mutations.ts';
import { root } from './house/tree.ts';

const SEEDS = '400';
const LONGEST = 120;
const copy = mkdtempSync(join(tmpdir(), 'beckon-mutation-'));
const wanted = process.argv.slice(2);
const seen = new Map<string, string>();
let unseen = 0;
try {
  const { stdout } = run('git', ['ls-files', '-z'], root);
  for (const file of stdout.split('\0').filter(Boolean)) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const chosen = [...MUTATIONS].filter(([rule]) => wanted.length === 0 || wanted.includes(rule));
  for (const [seenBy, own] of Map.groupBy(chosen, ([, one]) => one.seenBy)) {
    const rules = own.map(([rule]) => rule);
    const failed = isSimulation(seenBy) ? undefined : fails(rules, seenBy);
    if (failed !== undefined) throw new Error(`${seenBy} fails while nothing is broken: ${failed}`);
  }
  for (const [rule, mutation] of chosen) {
    const saw = mutate(rule, mutation);
    console.log(`${rule}: ${saw ?? 'NOBODY SAW IT'}`);
    if (saw === undefined) unseen++;
    else seen.set(rule, saw);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = unseen > 0 ? 1 : 0;
const known = new Map(readTable().map(([rule, , , saw]) => [rule, saw]));
const rows = toTable(new Map([...known, ...seen])).map((row) => `| ${row.join(' | ')} |`);
const text = readFileSync(join(root, TABLE), 'utf8');
const end = '| ---- | ------ | --------- | -------- |';
const head = text.slice(0, text.indexOf('\n| rule')).trimEnd();
writeFileSync(
  join(root, TABLE),
  [head, '', '| rule | tests of it | broken in | what went red |', end, ...rows, ''].join('\n'),
);
run('oxfmt', [TABLE], root);

/** The first promise, or the first test, that fails while the copy is broken like this. */
function mutate(rule: string, { file, found, broken, seenBy }: Mutation): string | undefined {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(found).length !== 2) throw new Error(`${file} has "${found}" not once`);
  writeFileSync(
    path,
    text.replace(found, () => broken),
  );
  try {
    return fails([rule], seenBy);
  } finally {
    writeFileSync(path, text);
  }
}

/** What fails first of what cites any of these rules. */
function fails(rules: string[], seenBy: string): string | undefined {
  const named = ['--test-name-pattern', `\\[(${rules.join('|')})\\]`, '--test-reporter', 'tap'];
  const args = isSimulation(seenBy) ? ['--seeds', SEEDS, '--first-failure'] : [];
  const { status, stdout } = run(process.execPath, [...(args.length > 0 ? [] : ['--test', ...named]), seenBy, ...args]);
  if (status === 0) return undefined;
  const saw = isSimulation(seenBy) ? /^\s*\+\s+'(.*?)',?$/m : /^\s*not ok \d+ - (.*)$/m;
  return (saw.exec(stdout)?.[1] ?? stdout.slice(-1500)).replaceAll('|', '/').slice(0, LONGEST);
}

function run(command: string, args: string[], cwd = copy) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: 300_000,
  });
  return { status, stdout: stdout + stderr };
}
