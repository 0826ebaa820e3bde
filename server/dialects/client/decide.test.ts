import { deepStrictEqual, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { toolApproval } from './ai-sdk.mjs';
import { decide } from './decide.mjs';

test('[APR1] a run that comes back to its question after the approval ended is refused, with words for the model', async (t) => {
  const resolution = { outcome: 'answered', answer: { decisions: [{ type: 'approve' }] }, text: 'Approved.' };
  let validUntil = '2026-01-01T00:00:00.000Z';
  const hub = createServer((_request, response) => {
    response.setHeader('beckon-valid-until', validUntil).end(JSON.stringify({ ...resolution, validUntil }));
  }).listen(0, '127.0.0.1');
  t.after(() => hub.close());
  await once(hub, 'listening');
  const url = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  const decided = () => decide({ name: 'pay', args: {}, allowed: ['approve'] }, { url, apiKey: 'a' });
  const text = `The approval ended at ${validUntil}: do not run it. Ask again if it is still needed.`;
  deepStrictEqual(await decided(), { type: 'refuse', text });
  validUntil = '9999-01-01T00:00:00.000Z';
  deepStrictEqual(await decided(), { type: 'approve', validUntil });
});

test('[APR1] what ended while the rest of its turn was decided is refused by the hub’s clock, where this machine’s is late', async (t) => {
  let date = 'Thu, 01 Jan 2026 12:00:00 GMT';
  const validUntil = '2026-01-01T12:01:00.000Z';
  const answer = { decisions: [{ type: 'approve' }] };
  const hub = createServer((_request, response) => {
    const until = date.includes('12:00') ? validUntil : '2026-01-01T13:00:00.000Z';
    response.setHeader('date', date).end(JSON.stringify({ outcome: 'answered', answer, validUntil: until, text: '' }));
  }).listen(0, '127.0.0.1');
  t.after(() => hub.close());
  await once(hub, 'listening');
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-01-01T11:00:00.000Z') });
  const url = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  const approval = toolApproval({ url, apiKey: 'a' });
  const messages: [] = [];
  deepStrictEqual(await approval({ toolCall: { toolName: 'pay', input: {} }, messages }), 'approved');
  date = 'Thu, 01 Jan 2026 12:02:00 GMT';
  await rejects(approval({ toolCall: { toolName: 'tell', input: {} }, messages }), /ended while/);
});
