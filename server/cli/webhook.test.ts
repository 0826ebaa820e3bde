import { deepStrictEqual, match } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { readDelivery } from '../deliveries/read.ts';
import { addInquiry, dispatcherFor, enqueueNow } from '../deliveries/testing/scene.ts';
import { ensureOwner } from '../people/owner.ts';
import { openDatabase } from '../platform/engines/open.ts';
import { createSource } from '../sources/create.ts';
import { run } from './main.ts';

test('[DLV1] webhooks are listed, shown, tried now, replayed and paused from the command line', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-webhook-'));
  context.after(() => rmSync(dataDir, { recursive: true }));
  const beckon = async (...args: string[]) => {
    let [out, err] = ['', ''];
    const terminal = {
      env: { DATA_DIR: dataDir },
      out: { write: (text: string) => (out += text) },
      err: { write: (text: string) => (err += text) },
    };
    return { code: await run(args, terminal), out, err };
  };
  const database = await openDatabase({ dataDir });
  context.after(() => database.close());
  const owner = await ensureOwner(database);
  const { source } = await createSource(database, owner.id, { name: 'CI', webhookUrl: 'https://ci.example/hook' });
  const scene = { personId: owner.id, sourceId: source.id };
  await enqueueNow(database, {
    ...scene,
    inquiryId: await addInquiry(database, scene),
    at: database.clock.now() - 60_000,
  });
  // So long ago that it may be tried again.
  let [status, ago] = [503, 60_000];
  const send = async () => {
    const clock = { now: () => database.clock.now() - ago };
    const dispatcher = dispatcherFor(database, { clock, post: async () => ({ status, retryAfterMs: 3_600_000 }) });
    await dispatcher.runDue();
    await dispatcher.stop();
  };
  await send();

  const listed = JSON.parse((await beckon('webhook', 'list', '--source', 'CI', '--json')).out) as {
    items: WebhookDelivery[];
  };
  const id = listed.items[0]?.id ?? '';
  deepStrictEqual(
    listed.items.map(({ state, attemptCount }) => [state, attemptCount]),
    [['pending', 1]],
  );
  match(
    (await beckon('webhook', 'list')).out,
    new RegExp(`^ID +STATE +TRIES +LAST +NEXT +URL\\n${id}  pending  1 +503 `),
  );
  match(
    (await beckon('webhook', 'show', id)).out,
    /\nhttps:\/\/ci\.example\/hook\n.*503 .* ms\n\{"type":"inquiry\.resolved"/s,
  );
  deepStrictEqual(await beckon('webhook', 'list', '--state', 'failed', '--json'), {
    code: 0,
    out: '{"items":[]}\n',
    err: '',
  });

  [status, ago] = [204, 0];
  await send();
  const state = async () => (JSON.parse((await beckon('webhook', 'show', id, '--json')).out) as WebhookDelivery).state;
  deepStrictEqual(await state(), 'pending');
  const trying = beckon('webhook', 'try', id);
  while ((await readDelivery(database.read, id, { ownerId: owner.id })).state === 'pending') {
    // The command beside it has its turn.
    await turn();
    await send();
  }
  const tried = await trying;
  deepStrictEqual([tried.code, tried.err], [0, '']);
  match(tried.out, /delivered[^]*\n.*204 .* ms\n/);
  deepStrictEqual(await beckon('webhook', 'try', id), {
    code: 2,
    out: '',
    err: 'This delivery has ended; replay it to send it again.\n',
  });
  deepStrictEqual((await beckon('webhook', 'pause', 'CI')).out, 'The webhooks of "CI" are paused.\n');
  // Nothing is replayed within 5 s of its last attempt.
  await database.transaction((trx) =>
    trx
      .updateTable('delivery_attempts')
      .set({ at: Date.now() - 10_000 })
      .execute(),
  );
  deepStrictEqual((await beckon('webhook', 'replay', id)).code, 0);
  await send();
  deepStrictEqual(await state(), 'pending');
  deepStrictEqual((await beckon('webhook', 'resume', 'CI')).out, 'The webhooks of "CI" go on.\n');
  await send();
  deepStrictEqual(await state(), 'delivered');
  deepStrictEqual((await beckon('webhook', 'show', 'dlv_x')).code, 2);
  match((await beckon('webhook', 'list', '--state', 'lost')).err, /^--state must be one of pending, delivered/);
});
