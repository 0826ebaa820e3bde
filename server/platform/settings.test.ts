import { deepStrictEqual, rejects, throws } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from './engines/open.ts';
import { loadSealingKey } from './secrets/sealing-key.ts';
import { readSettings, SettingsError } from './settings.ts';
import { retainHistory } from './stored.ts';

const refused = (env: Record<string, string>, says: RegExp) =>
  throws(
    () => readSettings(env),
    (error: Error) => error instanceof SettingsError && says.test(error.message) && !error.message.includes('\n'),
  );

test('no setting keeps nothing or takes nothing', () => {
  for (const name of ['RETAIN_DAYS', 'RATE_LIMIT', 'OPEN_LIMIT'])
    for (const value of ['0', '-1', '0.5', '00', '-0'])
      refused({ [name]: value }, new RegExp(`^The setting ${name} must be (1 or more|a whole number); see`));
});

test('a blank setting is none', () => {
  const { RETAIN_DAYS, PORT, RATE_LIMIT } = readSettings({ RETAIN_DAYS: ' ', PORT: '\t', RATE_LIMIT: '' });
  deepStrictEqual([RETAIN_DAYS, PORT, RATE_LIMIT], [90, 4275, 60_000]);
});

test('a hub with Redis and a database of its own does not start', () => {
  const redis = { REDIS_URL: 'redis://127.0.0.1:6379', NODE_URL: 'http://10.0.0.5:4275' };
  refused(redis, /^The setting DATABASE_URL must be set beside REDIS_URL: /);
  const whole = { ...redis, DATABASE_URL: 'postgres://db/beckon' };
  deepStrictEqual(readSettings(whole, { serves: true }).REDIS_URL, redis.REDIS_URL);
});

test('a hub beside others says where they reach it, and a command beside that hub need not', () => {
  const env = { REDIS_URL: 'redis://127.0.0.1:6379', DATABASE_URL: 'postgres://db/beckon' };
  throws(() => readSettings(env, { serves: true }), { message: /^The setting NODE_URL must be set beside REDIS_URL/ });
  deepStrictEqual(readSettings(env).NODE_URL, undefined);
});

test('the address of a hub is an origin: page and calls stand at fixed paths', () => {
  for (const name of ['PUBLIC_URL', 'NODE_URL']) {
    for (const good of ['https://hub.example', 'https://hub.example/', 'https://Hub.example:443', 'http://[::1]:4275'])
      deepStrictEqual(readSettings({ [name]: good })[name as 'PUBLIC_URL'], good);
    for (const bad of ['beckon', 'beckon/', '?a', '#a', '//x', 'beckon?a=1'])
      refused({ [name]: `https://hub.example/${bad}` }, new RegExp(`^The setting ${name} must be a protocol, a host`));
    refused({ [name]: 'https://me:secret@hub.example' }, new RegExp(`^The setting ${name} must be a protocol, a host`));
  }
});

test('[SEC1] trusted issuers are read as a rule is: no member twice, one claim for an issuer, keys over HTTP', () => {
  const one = { issuer: 'https://idp.example', audience: 'beckon', jwksUrl: 'https://idp.example/keys' };
  const both = [one, { ...one, audience: 'chat' }];
  deepStrictEqual(
    readSettings({ TRUSTED_ISSUERS: JSON.stringify(both) }).TRUSTED_ISSUERS,
    both.map((entry) => ({ ...entry, subjectClaim: 'sub' })),
  );
  const list = /^The setting TRUSTED_ISSUERS must be a JSON list/;
  refused({ TRUSTED_ISSUERS: JSON.stringify([one]).replace('{', '{"issuer":"https://other.example",') }, list);
  refused({ TRUSTED_ISSUERS: JSON.stringify([{ ...one, jwksUrl: 'file:///etc/passwd' }]) }, list);
  refused(
    { TRUSTED_ISSUERS: JSON.stringify([one, { ...one, audience: 'chat', subjectClaim: 'nick' }]) },
    /^The setting TRUSTED_ISSUERS must have one "subjectClaim" for all entries of https:\/\/idp\.example/,
  );
});

test('a folder that cannot be made is one sentence', { timeout: 10_000 }, async () => {
  const dataDir = '/proc/nope/data';
  await rejects(openDatabase({ dataDir }), { code: 'database.unusable' });
  await rejects(loadSealingKey({ dataDir, database: {} as never }), { code: 'sealing_key.unusable' });
});

test('a history is shortened only on purpose, once, and by no node that was not told', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-settings-'));
  const database = await openDatabase({ dataDir });
  t.after(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true });
  });
  const start = (days: number, shrink = false) =>
    retainHistory(database, days, shrink).then(
      () => 'starts',
      (error: { code: string }) => error.code,
    );
  const starts = [];
  for (const [days, shrink] of [[90], [30], [90], [365], [364], [364, true], [364], [365], [364]] as const)
    starts.push(await start(days, shrink));
  const refusal = 'history.shrinks';
  deepStrictEqual(starts, ['starts', refusal, 'starts', 'starts', refusal, 'starts', 'starts', 'starts', refusal]);
});
