import { handOver } from './hand-over.mjs';
import { installPackages } from './install.mjs';

installPackages();
handOver('infra/check.ts', process.argv.slice(2));
