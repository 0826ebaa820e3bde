import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { createApp } from '../../app.ts';
import { openScene } from '../../mcp/endpoint/testing/scene.ts';

test('a call that waits gets of an answered inquiry what a later read gets, member by member', async (t) => {
  const scene = await openScene(createApp);
  t.after(() => scene.stop());
  const read = (path: string) => scene.call<Inquiry>('GET', path, scene.keys.source);
  const asked = scene.call<Inquiry>('POST', '/v1/inquiries?wait=60', scene.keys.source, { prompt: 'Blue?' });
  const { id } = await scene.asked('Blue?');
  const waiting = read(`/v1/inquiries/${id}?wait=60`);
  await scene.answer(await scene.asked('Blue?'), { text: 'Blue.' });
  const later = await read(`/v1/inquiries/${id}`);
  deepStrictEqual([await asked, await waiting, later.state], [later, later, 'answered']);
});
