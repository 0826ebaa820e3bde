import { deepStrictEqual, ok } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '../hub/until.ts';
import { openPrograms, program, type ProgramScene } from './programs.ts';
import { legacyCall, modernCall, modernHeaders, openSession, resultOf, sendRaw } from './raw.ts';
import { CHILD } from './wrapped.ts';

const MOST_UNREAD = 16 * 1024 * 1024;

describe('a hub before a program that says too much', { timeout: 120_000 }, () => {
  let s: ProgramScene;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'beckon-flood-'));
    const gate = (era: string) => ({
      upstream: program(CHILD.flood, { RECORD: join(folder, era) }),
      otherwise: 'allow',
    });
    s = await openPrograms({ modern: gate('modern'), legacy: gate('legacy') });
  });
  after(async () => {
    await s?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Sends a call and reads nothing of its reply but the head. */
  async function unread(gate: string, body: string, headers: Record<string, string>): Promise<ClientRequest> {
    const call = request(s.url(gate), {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${s.key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
    });
    call.on('error', () => {});
    await new Promise<void>((resolve) => {
      call.once('response', (reply) => {
        reply.pause();
        resolve();
      });
      call.end(body);
    });
    return call;
  }
  /** How much the program had said when it was read no more. */
  const heard = (era: string): Promise<number> =>
    until('the program to be read no more', () => {
      const file = join(folder, era);
      return existsSync(file) && Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
    });

  test('it is read no further while its client does not read, but goes on for the others after a moment', async () => {
    const flood = modernCall('flood', '{}', { progressToken: 1 });
    const call = await unread('modern', flood, modernHeaders('flood'));
    const said = await heard('modern');
    ok(said < MOST_UNREAD, `${said} bytes`);
    const other = await sendRaw(s.url('modern'), modernCall('look', '{}'), {
      key: s.key,
      headers: modernHeaders('look'),
    });
    deepStrictEqual([other.status, resultOf(await other.text)], [200, 'not flooded']);
    call.destroy();
  });

  test('the same holds for a session of an older revision', async () => {
    const session = await openSession(s.url('legacy'), s.key);
    const flood = legacyCall('flood', '{}', 1, ',"_meta":{"progressToken":1}');
    const call = await unread('legacy', flood, session);
    const said = await heard('legacy');
    ok(said < MOST_UNREAD, `${said} bytes`);
    const other = await sendRaw(s.url('legacy'), legacyCall('look', '{}', 2), { key: s.key, headers: session });
    deepStrictEqual([other.status, resultOf(await other.text)], [200, 'not flooded']);
    call.destroy();
    await (
      await sendRaw(s.url('legacy'), '', { key: s.key, headers: session, method: 'DELETE' })
    ).text;
  });
});
