import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connectClient, LINES, wordsOf } from '../mcp/clients.ts';
import { openScene, UPSTREAM_KEY, type Scene } from './scene.ts';

describe('a gate over HTTP', { timeout: 120_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene?.remove());

  for (const line of LINES) {
    test(`approve, edit, reject and respond, ${line}`, async () => {
      const client = await connectClient(scene.url, scene.key, line);
      const from = scene.upstream.ran.length;
      const call = (path: string) => client.call('write_note', { path });

      const approved = call('a');
      await scene.decide((await scene.held())[0], { type: 'approve' });
      deepStrictEqual(wordsOf(await approved), 'Wrote a');

      const edited = call('b');
      await scene.decide((await scene.held())[0], { type: 'edit', args: { path: 'c' } });
      deepStrictEqual((await edited).content, [
        { type: 'text', text: 'Wrote c' },
        { type: 'text', text: 'A person changed the arguments before this ran: {"path":"c"}' },
      ]);

      const rejected = call('d');
      await scene.decide((await scene.held())[0], { type: 'reject', message: 'Not that one.' });
      deepStrictEqual(await rejected, {
        content: [{ type: 'text', text: 'A person rejected this call; it was not run. Their words: Not that one.' }],
        isError: true,
      });

      const responded = call('e');
      await scene.decide((await scene.held())[0], { type: 'respond', message: 'It is there already.' });
      deepStrictEqual(wordsOf(await responded), 'It is there already.');

      deepStrictEqual(wordsOf(await client.call('read_note', { path: 'f' })), 'The note f');
      deepStrictEqual(scene.upstream.ran.slice(from), [
        { name: 'write_note', args: { path: 'a' } },
        { name: 'write_note', args: { path: 'c' } },
        { name: 'read_note', args: { path: 'f' } },
      ]);
      await client.close();
    });
  }

  test('upstream credentials are the gate’s, never the client’s key', () => {
    const keys = new Set(scene.upstream.headersSeen.map(({ authorization }) => authorization));
    deepStrictEqual([...keys], [UPSTREAM_KEY]);
  });
});
