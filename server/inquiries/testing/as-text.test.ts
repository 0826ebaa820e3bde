import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Inquiry } from '#shared/inquiry.ts';
import { createApp } from '../../app.ts';
import type { Database } from '../../platform/database.ts';
import { openScene, type Scene } from '../../mcp/endpoint/testing/scene.ts';

/** A call of a source that accepts this: its status, its type and its text as it came. */
async function said({ url, keys }: Scene, method: string, path: string, accept: string, body?: object) {
  const reply = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${keys.source}`, accept, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return [reply.status, reply.headers.get('content-type'), await reply.text()];
}
const TEXT = 'text/plain; charset=utf-8';

test('an asker that accepts plain text gets the words of the answer and nothing else, and nothing before there is one', async (t) => {
  const scene = await openScene(createApp);
  t.after(() => scene.stop());
  deepStrictEqual(await said(scene, 'POST', '/v1/inquiries', 'text/plain', { prompt: 'Blue?' }), [201, TEXT, '']);
  const asked = await scene.asked('Blue?');
  const blue = `/v1/inquiries/${asked.id}`;
  deepStrictEqual(await said(scene, 'GET', blue, 'text/plain'), [200, TEXT, '']);
  const waiting = said(scene, 'GET', `${blue}?wait=60`, 'text/plain');
  await scene.answer(asked, { text: ' Light blue.\n' });
  deepStrictEqual(await waiting, [200, TEXT, ' Light blue.\n']);
  deepStrictEqual(await said(scene, 'GET', blue, 'text/plain;q=0.9, */*'), [200, TEXT, ' Light blue.\n']);

  for (const accept of ['*/*', 'application/json, text/plain, */*'])
    deepStrictEqual((await said(scene, 'GET', blue, accept))[1], 'application/json; charset=utf-8');
  const [status, type] = await said(scene, 'GET', '/v1/inquiries/inq_none', 'text/plain');
  deepStrictEqual([status, type], [404, 'application/problem+json; charset=utf-8']);
});

test('a secret, which is in no text, is collected by a reply that carries it and by no text before', async (t) => {
  let database: Database | undefined;
  const scene = await openScene((settings, opened, ...rest) => createApp(settings, (database = opened), ...rest));
  t.after(() => scene.stop());
  const collectedAt = async (id: string) =>
    (await database?.read.selectFrom('inquiries').select('collected_at').where('id', '=', id).executeTakeFirst())
      ?.collected_at;
  const collected = async (id: string) => {
    while ((await collectedAt(id)) === null) await pause(5);
  };
  const key = await answered(scene, { questions: [{ id: 'key', type: 'text', prompt: 'Key?', secret: true }] });
  const plain = await answered(scene, { questions: [{ id: 'key', type: 'text', prompt: 'City?' }] });
  for (const query of ['', '?wait=60']) {
    const [status, type, text = ''] = await said(scene, 'GET', `${key}${query}`, 'text/plain');
    deepStrictEqual([status, type, String(text).includes('1234')], [200, TEXT, false]);
  }
  // What was collected before this is written with it or earlier.
  await said(scene, 'GET', plain, 'text/plain');
  await collected(idIn(plain));
  deepStrictEqual(await collectedAt(idIn(key)), null);
  const [, , json] = await said(scene, 'GET', key, 'application/json');
  deepStrictEqual((JSON.parse(String(json)) as Inquiry).resolution?.answer, { values: { key: '1234' } });
  await collected(idIn(key));
});

/** Where a question is read that was asked and answered with 1234. */
async function answered(scene: Scene, body: object): Promise<string> {
  const inquiry = await scene.call<Inquiry>('POST', '/v1/inquiries', scene.keys.source, body);
  await scene.answer(inquiry, { values: { key: '1234' } });
  return `/v1/inquiries/${inquiry.id}`;
}

const idIn = (path: string): string => path.split('/').at(-1) ?? '';
