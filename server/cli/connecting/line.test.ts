import { deepStrictEqual, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { serve } from '../../platform/testing/listen.ts';
import { AppError } from '#shared/problem.ts';
import { listAgents, type Agent } from './agents.ts';
import { findLine } from './line.ts';

const KEY = `bks_${'k'.repeat(43)}`;

for (const name of Object.keys(listAgents({})))
  test(`${name}: its key goes to the hub that it was made for, and to no other`, async (t) => {
    const [own, other] = [await hub(t, 404), await hub(t, 401)];
    const { agent, env } = await connected(t, name, own.url);
    deepStrictEqual(await findLine(agent, terminal({ ...env, BECKON_URL: own.url })), { url: own.url, key: KEY });
    const none = { url: other.url, key: undefined };
    deepStrictEqual(await findLine(agent, terminal({ ...env, BECKON_URL: other.url })), none);
    deepStrictEqual(await findLine(agent, terminal({ ...env, BECKON_URL: own.url }), `${other.url}/`), none);
    deepStrictEqual(await findLine(agent, terminal({ ...env, PORT: new URL(other.url).port })), {
      ...none,
      url: none.url.replace('localhost', '127.0.0.1'),
    });
    deepStrictEqual([own.keys, other.keys], [[`Bearer ${KEY}`], Array(3).fill('Bearer bks_none')]);
  });

for (const status of [403, 429])
  test(`a hub that says ${status} has not said that it knows the key`, async (t) => {
    const { url } = await hub(t, status);
    const { agent, env } = await connected(t, 'cursor', url);
    const refused = (error: unknown): boolean => error instanceof AppError && error.status === status;
    await rejects(findLine(agent, terminal({ ...env, BECKON_URL: url, BECKON_KEY: KEY })), refused);
  });

/** Something that says this to everybody, and the keys that it was sent. */
async function hub(t: TestContext, status: number): Promise<{ url: string; keys: unknown[] }> {
  const keys: unknown[] = [];
  const url = await serve(t, ({ headers }, reply) => {
    keys.push(headers.authorization);
    reply
      .writeHead(status, { connection: 'close' })
      .end(JSON.stringify({ code: status === 404 ? 'inquiry.unknown' : 'test', detail: 'A test.' }));
  });
  return { url, keys };
}

/** An agent whose files lead to this hub. */
async function connected(
  t: TestContext,
  name: string,
  url: string,
): Promise<{ agent: Agent; env: Record<string, string> }> {
  const home = mkdtempSync(join(tmpdir(), 'beckon-line-'));
  t.after(() => rmSync(home, { recursive: true }));
  const env = { HOME: home, DATA_DIR: join(home, 'data') };
  const agent = listAgents(env)[name] as Agent;
  for (const { file, put } of agent.parts) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, put('', { url, key: KEY }));
  }
  return { agent, env };
}

const terminal = (env: Record<string, string>) => ({ env, out: { write() {} }, err: { write() {} } });
