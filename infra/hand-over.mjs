import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { pinnedNode, root } from './install.mjs';

/** Runs a script under the pinned Node as if it were this process: same terminal, signals and exit code. */
export function handOver(script, args) {
  const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const child = spawn(pinnedNode, [script, ...args], { cwd: root, stdio: 'inherit', env: { ...process.env, PATH } });
  let told = false;
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => {
      told = true;
      // A terminal sends its Ctrl-C to the whole group, so the child has heard it already.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  // npm ends the shell between it and this process, which tells nobody.
  const parent = process.ppid;
  const watch = () => !told && process.ppid !== parent && child.kill('SIGTERM');
  if (process.env.npm_lifecycle_event) setInterval(watch, 250).unref();
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
