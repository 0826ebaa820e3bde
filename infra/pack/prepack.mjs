// What "npm pack" does first: the page and the bundle are built from this clone.
import { spawnSync } from 'node:child_process';
import { installPackages, pinnedNode } from '../install.mjs';
import { root } from '../node.mjs';
import { buildPage } from '../page.mjs';

installPackages();
buildPage();
process.exitCode = spawnSync(pinnedNode, ['infra/pack/bundle.ts'], { cwd: root, stdio: 'inherit' }).status ?? 1;
