import { deepStrictEqual, rejects } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { DeciderRun } from '#shared/policies/decider.ts';
import { createApp } from '../../../app.ts';
import { connectV2 } from './clients.ts';
import { openScene, type Scene } from './scene.ts';

type Result = { content: { text: string }[]; structuredContent?: Record<string, unknown>; isError?: boolean };

describe('deciding for a person', { timeout: 60_000 }, () => {
  let scene: Scene;
  let answer: unknown = { answer: { text: 'Blue' }, undecided: null };
  let asked = 0;
  const model = createServer((request, reply) => {
    request.resume();
    asked++;
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify({ choices: [{ message: { content: JSON.stringify(answer) }, finish_reason: 'stop' }] }));
  });
  before(async () => {
    scene = await openScene(createApp);
    await new Promise<void>((done) => model.listen(0, '127.0.0.1', done));
  });
  after(async () => {
    await scene.stop();
    model.close();
  });

  test('[POL8] an agent is offered a decision in a person’s place only with the owner’s leave, and it resolves nothing', async (t) => {
    const { device, source } = scene.keys;
    const { port } = model.address() as AddressInfo;
    const made = {
      kind: 'chat',
      name: 'Helper',
      url: `http://127.0.0.1:${port}/v1`,
      model: 'm',
      instructions: 'Decide.',
    };
    const { id } = await scene.call<{ id: string }>('POST', '/v1/deciders', device, made);
    const { items } = await scene.call<{ items: { id: string; name: string }[] }>('GET', '/v1/sources', device);
    const sourceId = items.find(({ name }) => name === 'Agent')?.id;
    const choose = (agentMayAsk: boolean) =>
      scene.call('PATCH', `/v1/sources/${sourceId}`, device, {
        decider: { id, suggests: false, actions: false, agentMayAsk },
      });
    await choose(false);
    const { client } = await connectV2(t, scene.mcp(), source, 'modern');
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    const decide = (inquiryId: string) =>
      client.callTool({ name: 'decide_for_human', arguments: { inquiryId } }) as Promise<Result>;
    const ask = (body: object) => scene.call<Inquiry>('POST', '/v1/inquiries', source, body);
    const open = await ask({ prompt: 'Which colour?' });
    const without = await names();
    await rejects(decide(open.id), /Unknown tool/);

    await choose(true);
    const said = [await decide(open.id), await decide(open.id)].map((one) => one.content[0]?.text);
    const text =
      'Helper answers in the person’s place; no person decided this:\nBlue\nIf the person answers the inquiry itself, theirs counts.';
    const with_ = (await names()).filter((name) => !without.includes(name));
    deepStrictEqual([with_, said, asked], [['decide_for_human'], [text, text], 1]);
    deepStrictEqual((await scene.read(open.id)).resolution, undefined);
    const runs = await scene.call<{ items: DeciderRun[] }>('GET', `/v1/inquiries/${open.id}/runs`, device);
    deepStrictEqual(
      runs.items.map(({ why, decider, answer: one }) => [why, decider.name, one]),
      [['agent', 'Helper', { text: 'Blue' }]],
    );

    await scene.answer(open, { outcome: 'declined' });
    const declined = await decide(open.id);
    deepStrictEqual([declined.structuredContent?.['outcome'], asked], ['declined', 1]);
    answer = { answer: null, undecided: 'Not mine.' };
    const second = await ask({ prompt: 'Which shape?' });
    const undecided = (await decide(second.id)).content[0]?.text;
    const secret = await ask({ questions: [{ id: 'k', type: 'text', prompt: 'Key?', secret: true }] });
    const foreign = await scene.call<Inquiry>('POST', '/v1/inquiries', scene.keys.other, { prompt: 'Whose?' });
    const refused = [await decide(secret.id), await decide(foreign.id)].map((one) => [
      one.isError,
      one.content[0]?.text,
    ]);
    deepStrictEqual(
      [undecided, refused],
      [
        'Helper gave no answer either, so nobody decided: go on without it, or stop and say what is missing. (Helper leaves it to people: Not mine.)',
        [
          [true, 'No decider decides this (secret): go on without it, or stop and say what is missing.'],
          [true, 'There is no such inquiry for you.'],
        ],
      ],
    );
  });
});
