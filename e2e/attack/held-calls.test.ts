import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must } from '../hub/call.ts';
import { addSource } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { modernCall, modernHeaders, sendRaw } from '../gate/raw.ts';
import { startUpstream, type Upstream } from '../gate/upstream.ts';
import { openScene, type Scene } from './scene.ts';

for (const [engine, nodes] of [
  ['SQLite', 1],
  ['Postgres', 2],
] as const) {
  describe(
    `a held call whose right to run ends, on ${engine}, ${nodes} node${nodes > 1 ? 's' : ''}`,
    { timeout: 120_000 },
    () => {
      let scene: Scene;
      let upstream: Upstream;
      before(async () => {
        scene = await openScene(engine, nodes);
        upstream = await startUpstream();
      });
      after(async () => {
        await scene?.remove();
        await upstream?.close();
      });

      const revokeSource = (id: string) => must(scene.hub, `DELETE /v1/sources/${id}`, { token: scene.owner.token });

      for (const what of ['its source is revoked', 'its gate is deleted', 'its gate leaves its source out'] as const) {
        test(`[ASK5] a held call runs no more once ${what}`, async () => {
          const source = await addSource(scene.hub, scene.owner, 'Agent');
          const gate = { upstream: { url: upstream.url }, otherwise: 'ask' };
          await must(scene.hub, 'PUT /v1/gates/notes', { token: scene.owner.token, body: gate });
          const url = `${scene.other.url}/mcp/gate/notes`;
          const sent = sendRaw(url, modernCall('write_note', '{"path":"a"}'), {
            key: source.key,
            headers: modernHeaders('write_note'),
          });
          const [id = ''] = await until('the held call', async () => {
            const open = await scene.inbox();
            return open.length === 1 && open;
          });
          const { digest } = await must<{ digest: string }>(scene.hub, `GET /v1/inquiries/${id}`, {
            token: scene.owner.token,
          });
          if (what === 'its source is revoked') await revokeSource(source.source.id);
          else if (what === 'its gate is deleted')
            await must(scene.hub, 'DELETE /v1/gates/notes', { token: scene.owner.token });
          else {
            const body = { ...gate, sources: [scene.source.source.id] };
            await must(scene.hub, 'PUT /v1/gates/notes', { token: scene.owner.token, body });
          }
          await scene.answer({ id, digest }, { decisions: [{ type: 'approve' }] } as object);
          await (
            await sent
          ).text;
          deepStrictEqual(upstream.ran.splice(0), []);
          await until('nothing open', async () => (await scene.inbox()).length === 0, 10_000);
        });
      }
    },
  );
}
