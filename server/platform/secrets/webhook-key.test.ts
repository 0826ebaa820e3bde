import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { verifyWebhook } from '../../dialects/client/beckon.mjs';
import { signWebhook, webhookKey } from './webhook-key.ts';

const HUB = Buffer.alloc(32, 7);
const [A, B] = ['src_01k9zq0000000000000000000a', 'src_01k9zq0000000000000000000b'];

test('the key of a source’s webhooks is one that a receiver may pin for ever, and no other source’s or hub’s', () => {
  strictEqual(webhookKey(HUB, A), 'whpk_iCCagJc7aklddSwLk/gD/5X9f32IzrGmtDuZ4CNa+1c=');
  deepStrictEqual(new Set([webhookKey(HUB, A), webhookKey(HUB, B), webhookKey(Buffer.alloc(32, 8), A)]).size, 3);
});

test('[DLV1] a signature v1a is of this webhook, by the key of its source alone', async () => {
  const [id, timestamp, body] = ['dlv_1', String(Math.floor(Date.now() / 1000)), '{"type":"inquiry.resolved"}'];
  const signature = signWebhook(HUB, A, { id, timestamp, body });
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  deepStrictEqual(await verifyWebhook(body, headers, webhookKey(HUB, A)), JSON.parse(body));
  const refused = await verifyWebhook(body, headers, webhookKey(HUB, B)).catch((error: Error) => error.message);
  strictEqual(refused, 'This webhook is not signed by the hub.');
});
