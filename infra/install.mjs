// Runs under whatever Node the machine has, before the pinned one is there: plain JavaScript, built-in modules only.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');

/** The pinned Node that `npm ci` put into node_modules. */
export const pinnedNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Makes node_modules equal to package-lock.json; when that fails, says why and ends the process with 1. */
export function installPackages() {
  if (isInstalled()) return;
  console.log('Installing packages (once, and again when package-lock.json changes) …');
  const ended = npm(['ci', '--loglevel=error', '--no-audit', '--no-fund']);
  if (ended.status !== 0) {
    process.stderr.write(`${ended.stdout}${ended.stderr}`);
    refuse('The packages could not be installed: "npm ci" says why above. Is this machine online?');
  }
  if (!isInstalled()) {
    refuse(
      'npm did not install the Node that Beckon needs. Allow its install script: npm rebuild node --ignore-scripts=false',
    );
  }
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

function npm(args) {
  const script = process.env.npm_execpath;
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 };
  if (script && /\.[cm]?js$/.test(script)) return spawnSync(process.execPath, [script, ...args], options);
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** One sentence for the person at the keyboard, and the end. */
export function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}
