#!/usr/bin/env node
// The program of the package. Any Node can read this file; one that is too old for the hub fetches the pinned one once.
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runAs } from '../hand-over.mjs';
import { fetchNode, isRecent } from '../node.mjs';

const args = process.argv.slice(2);

if (!isRecent()) {
  const cache = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), '.cache');
  runAs(fetchNode(join(cache, 'beckon')), [fileURLToPath(import.meta.url), ...args], {});
} else {
  module.enableCompileCache();
  // Whatever folder it is started in, it is the same hub.
  const presets = process.env.DATA_DIR ? {} : { DATA_DIR: join(homedir(), '.beckon') };
  const { runHere } = await import('../../dist/beckon.js');
  await runHere(args.length > 0 ? args : ['serve'], presets);
}
