// Runs under whatever Node the machine has, before the pinned one is there: plain JavaScript, built-in modules only.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const QUIET = ['--loglevel=error', '--no-audit', '--no-fund'];

/** The pinned Node that `npm ci` put into node_modules. */
export const pinnedNode = nodeIn(modules);

function nodeIn(folder) {
  return join(folder, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** Makes node_modules equal to package-lock.json; when that fails, says why and ends the process with 1. */
export function installPackages() {
  if (isInstalled()) return;
  console.log('Installing packages (once, and again when package-lock.json changes) …');
  // npm leaves out native parts that do not name the Node it runs on: an old one must not run it.
  const ended = npm(['ci', ...QUIET], root, isRecent() ? process.execPath : fetchNode());
  if (ended.status !== 0) refuse('The packages could not be installed; npm says why above. Is this machine online?');
  if (!isInstalled())
    refuse('npm did not install the Node that Beckon needs; try "npm rebuild node" and then this again.');
}

function isRecent() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 12);
}

// The pinned Node in a folder of its own, because npm empties node_modules before it fills it.
function fetchNode() {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-node-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { devDependencies, allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = { private: true, dependencies: { node: devDependencies.node }, allowScripts };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const ended = npm(['install', ...QUIET, '--no-package-lock'], folder);
  const fetched = nodeIn(join(folder, 'node_modules'));
  if (ended.status !== 0 || !existsSync(fetched)) {
    refuse(`Node ${devDependencies.node} could not be fetched; npm says why above. Is this machine online?`);
  }
  return fetched;
}

// npm notes what it installed in node_modules/.package-lock.json, whichever of its commands did it.
function isInstalled() {
  try {
    const wanted = readLock(join(root, 'package-lock.json'));
    const present = readLock(join(modules, '.package-lock.json'));
    const missing = Object.entries(wanted).some(
      ([path, { version, optional }]) => path !== '' && !optional && present[path]?.version !== version,
    );
    return !missing && existsSync(pinnedNode);
  } catch {
    return false;
  }
}

function readLock(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

function npm(args, cwd, node = process.execPath) {
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
  if (ended.status !== 0) process.stderr.write(`${ended.stdout}${ended.stderr}`);
  return ended;
}

/** One sentence for the person at the keyboard, and the end. */
export function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}
