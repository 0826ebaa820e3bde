import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNode, isRecent, nodeIn, npm, QUIET, refuse, root } from './node.mjs';

const modules = join(root, 'node_modules');

/** The pinned Node that `npm ci` put into node_modules. */
export const pinnedNode = nodeIn(modules);

/** Makes node_modules equal to package-lock.json; when that fails, says why and ends the process with 1. */
export function installPackages() {
  if (isInstalled()) return;
  console.log('Installing packages (once, and again when package-lock.json changes) …');
  // npm leaves out native parts that do not name the Node it runs on: an old one must not run it.
  const ended = npm(['ci', ...QUIET], root, isRecent() ? process.execPath : fetchElsewhere());
  if (ended.status !== 0) refuse('The packages could not be installed; npm says why above. Is this machine online?');
  if (!isInstalled())
    refuse('npm did not install the Node that Beckon needs; try "npm rebuild node" and then this again.');
}

// In a folder of its own, because npm empties node_modules before it fills it.
function fetchElsewhere() {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-node-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return fetchNode(folder);
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
