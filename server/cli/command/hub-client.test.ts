import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { serve } from '../../platform/testing/listen.ts';
import { hubClient, waitForResolution } from './hub-client.ts';

test('[APR1] the command line takes an approval that ended for none, whoever read it in time, by the clock of the hub', async (t) => {
  const answer = { decisions: [{ type: 'approve' as const }] };
  const validUntil = '2026-01-01T12:01:00.000Z';
  const resolution = { outcome: 'answered', at: '2026-01-01T12:00:00.000Z', validUntil, answer, text: 'Approved.' };
  let date = 'Thu, 01 Jan 2026 12:00:00 GMT';
  const collected: Partial<Inquiry> = {};
  const url = await serve(t, (_request, response) => {
    response.writeHead(200, { date, 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'inq_1', resolution, ...collected } as Partial<Inquiry>));
  });
  const wait = async () => {
    const seconds = { seconds: 1, signal: new AbortController().signal };
    return (await waitForResolution(hubClient(url, 'key'), 'inq_1', seconds))?.outcome;
  };
  const inTime = await wait();
  date = 'Thu, 01 Jan 2026 12:01:00 GMT';
  const late = await wait();
  // Another process of the same key read it in time.
  collected.collectedAt = '2026-01-01T12:00:10.000Z';
  deepStrictEqual([inTime, late, await wait()], ['answered', 'expired', 'expired']);
});

test('[APR1] the command line takes an approval that ended while its process slept for none, whatever the late reply says', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-01-01T12:00:00.000Z') });
  const resolution = { outcome: 'answered', validUntil: '2026-01-01T12:01:00.000Z', text: 'Approved.' };
  const url = await serve(t, (request, response) => {
    response.writeHead(200, { date: 'Thu, 01 Jan 2026 12:00:00 GMT', 'content-type': 'application/json' });
    // Answered at once, and read after a minute.
    if (request.method === 'GET') t.mock.timers.tick(60_000);
    response.end(JSON.stringify(request.method === 'GET' ? { id: 'inq_1', resolution } : { id: 'inq_1' }));
  });
  const hub = hubClient(url, 'key');
  const { id } = await hub.ask({ prompt: 'Pay?' });
  const read = await waitForResolution(hub, id, { seconds: 1, signal: new AbortController().signal });
  deepStrictEqual(read?.outcome, 'expired');
});
