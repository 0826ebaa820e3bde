import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { nodeIn, refuse, root } from './node.mjs';

/** Runs a script of this repository under the pinned Node, with its programs at hand, compiled once (0.3 s of each start). */
export function handOver(script, args) {
  const modules = join(root, 'node_modules');
  const PATH = [join(modules, '.bin'), process.env.PATH].join(delimiter);
  const env = { NODE_COMPILE_CACHE: join(modules, '.cache/node'), ...process.env, PATH };
  runAs(nodeIn(modules), [script, ...args], { cwd: root, env });
}

/** Runs a program as if it were this process: same terminal, signals and exit code. */
export function runAs(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: 'inherit' });
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
  child.on('error', (error) => {
    // A signal that could not be sent is told here too, and its program runs on.
    if (child.pid === undefined) refuse(`${command} cannot be started: ${error.code}.`);
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
