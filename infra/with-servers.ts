// Runs a program beside a Postgres and a Redis of its own, which it finds in BECKON_TEST_POSTGRES_URL and _REDIS_URL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import './check/in-memory.ts';
import { privatePostgres } from '../server/platform/testing/postgres.ts';
import { privateRedis } from '../server/platform/testing/redis.ts';

const [program = 'true', ...args] = process.argv.slice(2);
const servers = await Promise.all([privatePostgres(), privateRedis()]);
const [postgres, redis] = servers;
const env = { ...process.env, BECKON_TEST_POSTGRES_URL: postgres.url, BECKON_TEST_REDIS_URL: redis.url };
const child = spawn(program, args, { stdio: 'inherit', env });
process.on('SIGTERM', () => child.kill('SIGTERM'));
// A terminal's Ctrl-C reaches the child as well; this process stays to stop the servers.
process.on('SIGINT', () => {});
const [code] = (await once(child, 'exit')) as [number | null];
await Promise.all(servers.map((server) => server.stop()));
process.exitCode = code ?? 1;
