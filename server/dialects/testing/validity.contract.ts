import { deepStrictEqual, match } from 'node:assert/strict';
import { ONE, ran, testsOn, type OpenPlace, type Scene } from './scene.ts';

const ASK = '/v1/ask/trial?validFor=100';

/** How whoever asked through a framework is told that an approval ended; the same on every engine. */
export function validityContract(openOn: OpenPlace): void {
  const test = testsOn(openOn);
  const approved = async (s: Scene, more: Record<string, string> = {}): Promise<string> => {
    const { body } = await s.call('POST', `${ASK}&wait=0`, ONE, more);
    const [inquiry] = await s.open(1);
    await s.decide(inquiry!, 'approve');
    return `/v1/asks/${(body as { ask: string }).ask}`;
  };

  test('[APR1] [door] a first reading after the end has the framework’s words for “nobody decided”, never a yes', async (s) => {
    const path = await approved(s);
    await s.pass(100_000);
    const { status, body } = await s.call('GET', path);
    const [[, said]] = (body as { runs: [[string, string]] }).runs;
    deepStrictEqual(status, 200);
    match(said, /^Not decided: the approval ended at \d{4}-.*Z, before it was used\. Nothing was run\./);
  });

  test('[APR1] [door] what was read in time reads the same afterwards, and says until when it was to be run', async (s) => {
    const path = await approved(s, { 'idempotency-key': 'k' });
    const first = await s.call('GET', path);
    const until = first.headers.get('beckon-valid-until') ?? '';
    // What was collected is written a moment after the reply.
    await s.p.inquiries.collected.stop();
    await s.pass(1_000_000);
    const again = await s.call('GET', path);
    const asked = await s.begin(ASK, ONE, { 'idempotency-key': 'k' });
    const seen = [first.body, again.body, await asked.body];
    const named = [again.headers.get('beckon-valid-until'), asked.headers.get('beckon-valid-until')];
    deepStrictEqual([seen, named, until.endsWith('Z')], [[ran(1), ran(1), ran(1)], [until, until], true]);
  });

  test('[APR1] [door] the text of an approval that ended before it was read says that nobody decided', async (s) => {
    const { body } = await s.call('POST', '/v1/inquiries', {
      actions: [{ name: 'pay', args: {}, allowed: ['approve'] }],
      validFor: 100,
    });
    const { id } = body as { id: string };
    const [inquiry] = await s.open(1);
    await s.decide(inquiry!, 'approve');
    await s.pass(100_000);
    const read = await fetch(`${s.node.url}/v1/inquiries/${id}`, {
      headers: { authorization: `Bearer ${s.key}`, accept: 'text/plain' },
    });
    match(await read.text(), /^Not decided: the approval ended at/);
  });

  test('[APR1] [door] a call for the headers alone collects nothing, of an inquiry or of an ask', async (s) => {
    const path = await approved(s);
    const { body } = await s.call('GET', '/v1/inquiries');
    const { id } = (body as { items: [{ id: string }] }).items[0];
    const headers = { authorization: `Bearer ${s.key}` };
    const paths = [path, `${path}?wait=5`, `/v1/inquiries/${id}`, `/v1/inquiries/${id}?wait=5`];
    for (const one of paths) deepStrictEqual((await fetch(s.node.url + one, { method: 'HEAD', headers })).status, 200);
    await s.p.inquiries.collected.stop();
    await s.pass(100_000);
    const [[, said]] = ((await s.call('GET', path)).body as { runs: [[string, string]] }).runs;
    match(said, /^Not decided: the approval ended at/);
  });

  test('[APR1] [door] the text of an approval that was read in time names its end in a header, also to a call that would wait', async (s) => {
    const { body } = await s.call('POST', '/v1/inquiries', {
      actions: [{ name: 'pay', args: {}, allowed: ['approve'] }],
      validFor: 100,
    });
    const { id } = body as { id: string };
    const [inquiry] = await s.open(1);
    await s.decide(inquiry!, 'approve');
    const headers = { authorization: `Bearer ${s.key}`, accept: 'text/plain' };
    const read = async (query: string) => fetch(`${s.node.url}/v1/inquiries/${id}${query}`, { headers });
    const until = (await read('')).headers.get('beckon-valid-until');
    await s.p.inquiries.collected.stop();
    await s.pass(1_000_000);
    deepStrictEqual([until?.endsWith('Z'), (await read('?wait=5')).headers.get('beckon-valid-until')], [true, until]);
  });
}
