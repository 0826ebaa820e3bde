import { handOver } from './hand-over.mjs';
import { installPackages } from './install.mjs';
import { buildPage } from './page.mjs';

installPackages();
buildPage();
handOver('server/cli/main.ts', ['serve', ...process.argv.slice(2)]);
