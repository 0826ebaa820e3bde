import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { SOURCE_TOOLS } from '#shared/reference/source-tools.ts';
import { createApp } from '../../../app.ts';
import { connectV1, connectV2 } from './clients.ts';
import { openScene, type Scene } from './scene.ts';
import { exchange, openLegacy, saidBy, sendModern } from './wire.ts';

type Listed = {
  name: string;
  description?: string;
  inputSchema: { properties: Record<string, { description?: string }> };
};

describe('the tools', { timeout: 60_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene(createApp, { roundMs: 100, pendingMs: 20_000 });
  });
  after(() => scene.stop());

  const KEEPS = { resetTimeoutOnProgress: true, onprogress: () => undefined };

  test('[RES5] a source and a device each see their own tools and cannot call the other’s', async (t) => {
    const seen: Record<string, string[]> = {};
    for (const kind of ['source', 'device'] as const) {
      for (const era of ['legacy', 'modern'] as const) {
        const { client } = await connectV2(t, scene.mcp(), scene.keys[kind], era);
        seen[`${kind} ${era}`] = (await client.listTools()).tools.map(({ name }) => name);
        const foreign =
          kind === 'source' ? ['answer_inquiry', 'list_inquiries'] : ['send_inquiry', 'get_answer', 'send_notice'];
        for (const name of foreign) await rejects(client.callTool({ name, arguments: {} }), /Unknown tool/);
      }
    }
    const [ofSource, ofDevice] = [
      SOURCE_TOOLS.filter((name) => name !== 'decide_for_human'),
      ['list_inquiries', 'answer_inquiry'],
    ];
    deepStrictEqual(seen, {
      'source legacy': ofSource,
      'source modern': ofSource,
      'device legacy': ofDevice,
      'device modern': ofDevice,
    });
  });

  test('the query of a connection describes the tool and its parameters anew', async (t) => {
    const query =
      '?description=Ask+about+weather&description.prompt=Name+the+city&description.questions.options.label=City';
    for (const connect of [
      connectV1,
      (...[test, url, key]: Parameters<typeof connectV1>) => connectV2(test, url, key, 'auto'),
    ]) {
      const { client } = await connect(t, scene.mcp(query), scene.keys.source);
      const { tools } = (await client.listTools()) as { tools: Listed[] };
      const [asking, answering] = tools;
      const { properties } = asking?.inputSchema ?? { properties: {} };
      const options = (
        properties['questions'] as { items?: { properties: { options: { items: { properties: { label: object } } } } } }
      ).items?.properties.options.items.properties.label;
      deepStrictEqual(
        [asking?.description, properties['prompt']?.description, options],
        ['Ask about weather', 'Name the city', { description: 'City', type: 'string' }],
      );
      match(answering?.description ?? '', /^Go on waiting/);
    }
  });

  test('descriptions come in Chinese where the connection, or the source, says so', async (t) => {
    const { client } = await connectV2(t, scene.mcp('?locale=zh'), scene.keys.source, 'modern');
    const { tools } = await client.listTools();
    match(tools[0]?.description ?? '', /^向你所服务的人提问/);
    const calling = client.callTool({ name: 'send_inquiry', arguments: { prompt: '天气？' } }, KEEPS);
    const inquiry = await scene.asked('天气？');
    deepStrictEqual(inquiry.context, { agent: 'agent-v2', language: 'zh' });
    await scene.answer(inquiry, { outcome: 'declined' });
    match(JSON.stringify((await calling).content), /对方没有作答/);
  });

  test('[RES4] the texts of a source are what the model reads, with what a person said as it is', async (t) => {
    const { device } = scene.keys;
    const { items } = await scene.call<{ items: { id: string; name: string }[] }>('GET', '/v1/sources', device);
    const { id } = items.find(({ name }) => name === 'Other agent')!;
    const texts = { declined: '{who} passes on “{title}”: {message}' };
    await scene.call('PATCH', `/v1/sources/${id}`, device, { texts });
    const { client: asking } = await connectV2(t, scene.mcp(), scene.keys.other, 'modern');
    const calling = asking.callTool({ name: 'send_inquiry', arguments: { prompt: 'Mine {who}?' } }, KEEPS);
    await scene.answer(await scene.asked('Mine {who}?'), { outcome: 'declined', message: '{title} $& no' });
    deepStrictEqual((await calling).content, [{ type: 'text', text: 'owner passes on “Mine {who}?”: {title} $& no' }]);
  });

  test('to and deadline of the connection win over the model’s', async () => {
    const session = await openLegacy(scene.mcp('?deadline=3600&to=owner'), scene.keys.source);
    const call = await session.call('send_inquiry', { prompt: 'Set?', to: ['zoe'], deadline: 1 });
    const { to, openedAt, deadlineAt } = await scene.asked('Set?');
    deepStrictEqual([to, Date.parse(deadlineAt) - Date.parse(openedAt)], [['owner'], 3_600_000]);
    await scene.answer(await scene.asked('Set?'), { text: 'x' });
    strictEqual(await saidBy(call), 'x');
  });

  test('questions, options, suggestions and other answers go and come', async (t) => {
    const { client } = await connectV2(t, scene.mcp(), scene.keys.source, 'modern');
    const options = [
      { value: 's', label: 'Ship' },
      { value: 'w', label: 'Wait' },
    ];
    const questions = [
      { id: 'what', type: 'choice', prompt: 'Which?', options, allowOther: true },
      { id: 'key', type: 'text', prompt: 'The key?', secret: true },
    ];
    const calling = client.callTool({ name: 'send_inquiry', arguments: { prompt: 'Two things', questions } }, KEEPS);
    await scene.answer(await scene.asked('Two things'), { values: { what: 's', key: 'hunter2' } });
    const { content, structuredContent } = await calling;
    deepStrictEqual(content, [{ type: 'text', text: 'Which?: Ship\nThe key?: (given, not shown here)' }]);
    deepStrictEqual((structuredContent as { answer: unknown }).answer, { values: { what: 's', key: 'hunter2' } });
  });

  test('numbers beyond 2^53 in a call that wants approval survive, there and back', async () => {
    const args = '{"id":9007199254740993,"rate":1.0}';
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_inquiry","arguments":{"prompt":"Exact?","actions":[{"name":"pay","args":${args},"allowed":["approve","edit"]}]}}}`;
    const session = await openLegacy(scene.mcp(), scene.keys.source);
    const headers = { 'mcp-session-id': session.sessionId, 'mcp-protocol-version': '2025-11-25' };
    const call = await exchange(scene.mcp(), { key: scene.keys.source, body, headers });
    const inquiry = await scene.asked('Exact?');
    deepStrictEqual(inquiry.argsText, [args]);
    await scene.answer(inquiry, { decisions: [{ type: 'edit', argsText: '{"id":9007199254740995}' }] });
    strictEqual(
      (await saidBy(call))?.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, 'then'),
      'Approved with these arguments instead: {"id":9007199254740995}\nAsked: pay {"id":9007199254740993,"rate":1.0}\n' +
        'It may be run until then, and not after that.',
    );
    ok(call.text().includes('"args":{"id":9007199254740995}'));
  });

  test('a person’s agent lists what is asked and answers it; a later one is told who won', async (t) => {
    const asked = await scene.call<Inquiry>('POST', '/v1/inquiries', scene.keys.source, {
      prompt: 'By tool?',
      actions: [{ name: 'deploy', args: { to: 'prod' }, allowed: ['approve', 'reject'] }],
    });
    const { client } = await connectV2(t, scene.mcp(), scene.keys.device, 'modern');
    const listed = await client.callTool({ name: 'list_inquiries', arguments: {} });
    const { items } = listed.structuredContent as { items: Inquiry[] };
    const found = items.find(({ id }) => id === asked.id);
    strictEqual(found?.digest, asked.digest);
    const answering = (args: object) =>
      client.callTool({ name: 'answer_inquiry', arguments: { inquiryId: asked.id, ...args } });
    const unfit = await answering({ decisions: [{ type: 'approve' }] });
    deepStrictEqual([unfit.isError, /digest/.test(JSON.stringify(unfit.content))], [true, true]);
    const first = await answering({ decisions: [{ type: 'approve' }], digest: found?.digest });
    strictEqual((first.structuredContent as { won: boolean }).won, true);
    const second = await answering({ decisions: [{ type: 'reject' }], digest: found?.digest });
    match(JSON.stringify(second.content), /owner answered first, on Phone/);
    const { resolution } = await scene.read(asked.id);
    deepStrictEqual(resolution?.by.kind === 'person' ? resolution.by.via : undefined, 'mcp');
  });

  test('[APR4] an agent in a person’s name is that person, and is told how many have approved', async (t) => {
    await scene.call('POST', '/v1/people', scene.keys.device, { handle: 'anna' });
    const { id, digest } = await scene.call<Inquiry>('POST', '/v1/inquiries', scene.keys.source, {
      to: ['owner', 'anna'],
      approvals: { count: 2 },
      actions: [{ name: 'deploy', args: {}, allowed: ['approve'] }],
    });
    const { client } = await connectV2(t, scene.mcp(), scene.keys.device, 'modern');
    const args = { inquiryId: id, digest, decisions: [{ type: 'approve' }] };
    const [one, same] = [
      await client.callTool({ name: 'answer_inquiry', arguments: args }),
      await client.callTool({ name: 'answer_inquiry', arguments: args }),
    ];
    const text = '1 of 2 approved. Others have to approve the same before it is done.';
    deepStrictEqual([one.content, same.content], [[{ type: 'text', text }], [{ type: 'text', text }]]);
    const { state, approved } = await scene.read(id);
    deepStrictEqual([state, approved?.map(({ by }) => [by.handle, by.via])], ['open', [['owner', 'mcp']]]);
  });

  test('an inquiry is taken back, and one that was answered first is handed over instead', async (t) => {
    const { client } = await connectV1(t, scene.mcp(), scene.keys.source);
    const ask = (prompt: string) => scene.call<Inquiry>('POST', '/v1/inquiries', scene.keys.source, { prompt });
    const back = async (inquiryId: string) =>
      (await client.callTool({
        name: 'withdraw_inquiry',
        arguments: { inquiryId, reason: 'found it' },
      })) as unknown as {
        content: { text: string }[];
        structuredContent: { outcome: string };
        isError?: boolean;
      };
    const open = await ask('Take back?');
    strictEqual((await back(open.id)).structuredContent.outcome, 'withdrawn');
    deepStrictEqual((await scene.read(open.id)).resolution?.message, 'found it');
    const answered = await ask('Too late?');
    await scene.answer(answered, { text: 'yes' });
    const { content, structuredContent } = await back(answered.id);
    deepStrictEqual([structuredContent.outcome, content.at(-1)?.text], ['answered', 'yes']);
    strictEqual((await back('inq_none')).isError, true);
  });

  test('a notice is sent, and what is wrong with one is said', async (t) => {
    const { client } = await connectV2(t, scene.mcp(), scene.keys.source, 'legacy');
    const sent = await client.callTool({ name: 'send_notice', arguments: { title: 'Built', body: 'In 4 min' } });
    const { noticeId } = sent.structuredContent as { noticeId: string };
    const { items } = await scene.call<{ items: { id: string; title: string }[] }>(
      'GET',
      '/v1/notices',
      scene.keys.device,
    );
    deepStrictEqual([items[0]?.id, items[0]?.title], [noticeId, 'Built']);
    const refused = await client.callTool({ name: 'send_notice', arguments: { subject: 'Built' } });
    deepStrictEqual([refused.isError, /\/title is missing/.test(JSON.stringify(refused.content))], [true, true]);
  });

  test('[ASK5] get_answer collects no part of what a framework asked and waits for as a whole', async () => {
    const decisions = [{ type: 'approve' }];
    const asked = ['i1', 'i2'].map((id) => ({
      id,
      value: {
        action_requests: [{ name: `part_${id}`, args: {} }],
        review_configs: [{ action_name: `part_${id}`, allowed_decisions: ['approve'] }],
      },
    }));
    const reply = scene.call('POST', '/v1/ask/langgraph', scene.keys.source, asked);
    const [first, second] = [await scene.asked('part_i1'), await scene.asked('part_i2')];
    await scene.answer(first, { decisions });
    const read = await sendModern(scene.mcp(), scene.keys.source, {
      method: 'tools/call',
      params: { name: 'get_answer', arguments: { inquiryId: first.id } },
    });
    match((await saidBy(read)) ?? '', /^Approved/);
    await scene.answer(second, { decisions });
    // People who were asked anew would find it open.
    deepStrictEqual(await Promise.race([reply, scene.asked('part_i1')]), {
      resume: { i1: { decisions }, i2: { decisions } },
    });
  });

  test('[RES6] a late answer is offered by get_answer, marked as late', async () => {
    const call = await sendModern(scene.mcp('?deadline=1'), scene.keys.source, {
      method: 'tools/call',
      params: { name: 'send_inquiry', arguments: { prompt: 'Too slow?' } },
      token: 1,
    });
    match((await saidBy(call)) ?? '', /^Nobody answered in time/);
    const about = call.frames[0]?.params?.['meta'] as { inquiryId: string } | undefined;
    const inquiryId = about?.inquiryId ?? '';
    await scene.answer(await scene.read(inquiryId), { text: 'sorry, yes' });
    const again = await sendModern(scene.mcp(), scene.keys.source, {
      method: 'tools/call',
      params: { name: 'get_answer', arguments: { inquiryId } },
    });
    match((await saidBy(again)) ?? '', /^Nobody answered in time[^]*\nowner answered late: sorry, yes$/);
  });
});
