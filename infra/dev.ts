// The hub with restarts and the page with hot reload; the page's server passes /v1 and /live on to the hub.
import { spawn } from 'node:child_process';

// Its links lead to the page with hot reload, on Vite's port, and not to the built one.
const env = { PUBLIC_URL: 'http://localhost:5173', ...process.env };
const hub = spawn(process.execPath, ['--watch', 'server/main.ts', ...process.argv.slice(2)], { stdio: 'inherit', env });
const page = spawn('vite', ['web'], { stdio: 'inherit' });

for (const [child, other] of [
  [hub, page],
  [page, hub],
] as const) {
  child.on('exit', () => other.kill());
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => [hub, page].map((child) => child.kill(signal)));
