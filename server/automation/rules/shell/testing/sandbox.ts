import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** What a shell made of a line: each program it started with its words, and whether all ended well. */
export type Run = { shell: string; line: string; calls: string[][]; well: boolean };

const SHELLS = [
  'dash',
  'bash',
  'bash -O extglob -O nullglob -O dotglob',
  'zsh',
  'zsh -o extendedglob -o kshglob -o magicequalsubst -o rcquotes -o braceccl -o nullglob',
];
const FILES = ['a', 'b', 'status', '-rf', '=', 'evil'];

// Makes every mount read-only but the one of the log, $1, and ends the script where $2 can still be written.
const CLOSE = `
mount --make-rprivate / && mount --bind "$1" "$1" || exit 1
while read -r _ _ _ _ place _; do
  [ "$place" = "$1" ] || mount -o remount,bind,ro "$place" 2>/dev/null
done </proc/self/mountinfo
if (: >"$2/open") 2>/dev/null; then exit 1; fi
`;

/** Whether a test may make a mount namespace on this machine. */
export function mayIsolate(): boolean {
  return spawnSync('unshare', ['-rm', 'true']).status === 0;
}

/**
 * Runs each line in each shell, where the only programs are stubs of these names that write down their words. Isolated,
 * all but that log is read-only, so that a shell that writes ends badly. Returns also the names of files that are new.
 */
export function runInSandbox(
  lines: string[],
  programs: string[],
  isolated: boolean,
): { runs: Run[]; written: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-shells-'));
  const [bin, work, log] = ['bin', 'work', 'log'].map((name) => join(folder, name)) as [string, string, string];
  try {
    for (const path of [bin, work, log]) mkdirSync(path);
    for (const path of [...programs.map((name) => join(bin, name)), join(work, 'run')]) {
      writeFileSync(path, `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@" >"${log}/$RUN.$$"\n`);
      chmodSync(path, 0o755);
    }
    for (const name of FILES) writeFileSync(join(work, name), '');
    const before = readdirSync(work);
    const commands = SHELLS.flatMap((shell, s) =>
      lines.map((line, l) => `RUN=${s}.${l} ${pathOf(shell)} -c ${quoted(line)} || : >${log}/${s}.${l}.failed`),
    );
    const settings = `cd ${work}\nexport PATH=${bin} HOME=${work}\nexec </dev/null >/dev/null 2>&1`;
    writeFileSync(join(folder, 'script'), [isolated ? CLOSE : '', settings, ...commands].join('\n'));
    const args = [...(isolated ? ['-rm', '/bin/sh'] : []), join(folder, 'script'), log, folder];
    const ended = spawnSync(isolated ? 'unshare' : '/bin/sh', args, {
      env: { PATH: process.env['PATH'] },
      timeout: 120_000,
      encoding: 'utf8',
    });
    if (ended.status !== 0) throw new Error(`The shells did not run to their end: ${ended.signal} ${ended.stderr}`);
    return { runs: runsOf(lines, log), written: readdirSync(work).filter((name) => !before.includes(name)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runsOf(lines: string[], log: string): Run[] {
  const files = Map.groupBy(readdirSync(log), (name) => name.split('.', 2).join('.'));
  return SHELLS.flatMap((shell, s) =>
    lines.map((line, l) => {
      const names = files.get(`${s}.${l}`) ?? [];
      const calls = names.filter((name) => /\.\d+$/.test(name)).map((name) => readFileSync(join(log, name), 'utf8'));
      const well = calls.length === names.length;
      return { shell, line, calls: calls.map((call) => call.split('\0').slice(0, -1)), well };
    }),
  );
}

function pathOf(shell: string): string {
  const [name = '', ...options] = shell.split(' ');
  const place = (process.env['PATH'] ?? '').split(delimiter).find((one) => existsSync(join(one, name)));
  if (place === undefined) throw new Error(`${name} is missing: install it, for a line must mean the same in it.`);
  return [join(place, name), ...options].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
