import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { createApp } from '../../app.ts';
import { saysAll } from '../routes/as-text.ts';
import { openScene, type Scene } from '../../mcp/testing/scene.ts';

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

test('a secret, which is in no text, is not taken as collected by a caller that gets the text', () => {
  const asked = (secret: boolean) => ({ questions: [{ id: 'q', type: 'text', prompt: 'Key?', secret }] }) as Inquiry;
  const as = (accept: string) => ({ headers: { accept } });
  deepStrictEqual(
    [saysAll(as('text/plain'), asked(true)), saysAll(as('text/plain'), asked(false)), saysAll(as('*/*'), asked(true))],
    [false, true, true],
  );
});
