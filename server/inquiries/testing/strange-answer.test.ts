import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '#shared/problem.ts';
import { createApp } from '../../app.ts';
import { openScene } from '../../mcp/endpoint/testing/scene.ts';

test('[RES3] an answer without any member that an answer has is refused and what it has is named; beside one it is ignored', async (t) => {
  const scene = await openScene(createApp);
  t.after(() => scene.stop());
  const questions = [{ id: 'env', type: 'text', prompt: 'Where?' }];
  const { id } = await scene.call<{ id: string }>('POST', '/v1/inquiries', scene.keys.source, {
    title: 'Q',
    questions,
  });
  const answer = async (body: object) => {
    const reply = await fetch(`${scene.url}/v1/inquiries/${id}/answer`, {
      method: 'POST',
      headers: { authorization: `Bearer ${scene.keys.device}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { code, faults, won } = (await reply.json()) as Problem & { won?: boolean };
    return [reply.status, won ?? code, faults?.map(({ code: kind, message }) => `${kind}: ${message}`)];
  };
  const sends = 'send response, text, values, other, decisions or markdown, or "outcome": "declined"';
  deepStrictEqual(
    [
      await answer({ valeus: { env: 'staging' }, comment: 'hm', answerId: '1' }),
      await answer({ answerId: '2' }),
      await answer({ values: { env: 'staging' }, comment: 'hm' }),
    ],
    [
      [422, 'answer.does_not_fit', [`answer.unknown: holds no answer but valeus, comment: ${sends}`]],
      [422, 'answer.does_not_fit', [`answer.missing: holds no answer: ${sends}`]],
      [200, true, undefined],
    ],
  );
});
