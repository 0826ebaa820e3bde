// Runs under whatever Node the machine has, before the pinned one is there: plain JavaScript, built-in modules only.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const QUIET = ['--loglevel=error', '--no-audit', '--no-fund'];

/** True where the Node that runs this is new enough for the hub. */
export function isRecent() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 12);
}

/** The Node that npm put into this node_modules. */
export function nodeIn(modules) {
  return join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** Fetches the pinned Node into a folder of its own below this one, unless it is there; when that fails, ends the process with 1. */
export function fetchNode(cache) {
  const { devDependencies, allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folder = join(cache, `node-${devDependencies.node}`);
  const fetched = nodeIn(join(folder, 'node_modules'));
  if (existsSync(fetched)) return fetched;
  process.stderr.write(`This is Node ${process.version}. Fetching ${devDependencies.node}, once, into ${folder} … `);
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  const manifest = { private: true, dependencies: { node: devDependencies.node }, allowScripts };
  writeFileSync(join(fresh, 'package.json'), JSON.stringify(manifest));
  const ended = npm(['install', ...QUIET, '--no-package-lock'], fresh);
  if (ended.status === 0 && existsSync(nodeIn(join(fresh, 'node_modules')))) take(fresh, folder);
  rmSync(fresh, { recursive: true, force: true });
  process.stderr.write(existsSync(fetched) ? 'done.\n' : '\n');
  if (existsSync(fetched)) return fetched;
  return refuse(
    `Beckon needs Node 24.12 or later, this is ${process.version}, and Node ${devDependencies.node} could not be fetched; is this machine online? https://nodejs.org has it, too.`,
  );
}

// Two processes that start at once both fetch, and the first to be done wins.
function take(fresh, folder) {
  // What somebody emptied would stay in the way for ever.
  if (!existsSync(nodeIn(join(folder, 'node_modules')))) rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** Runs npm under a Node, in a folder; what it wrote is shown only when it failed. */
export function npm(args, cwd, node = process.execPath) {
  const script = process.env.npm_execpath;
  const options = {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) },
  };
  const ended =
    script && /\.[cm]?js$/.test(script)
      ? spawnSync(node, [script, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (ended.status !== 0) process.stderr.write(`${ended.stdout ?? ''}${ended.stderr ?? ''}`);
  return ended;
}

/** One sentence for the person at the keyboard, and the end. */
export function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}
