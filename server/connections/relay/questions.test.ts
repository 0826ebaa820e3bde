import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import {
  brotliCompressSync,
  constants,
  createGzip,
  createZstdCompress,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { sweep } from '../../inquiries/expire.ts';
import { readHistory } from '../../reports/history/read.ts';
import { keepCut } from './lost.ts';
import { connected, leased } from '../testing/streams.ts';
import { asks, chunkOf, DONE, inquiryFrame } from '../testing/frames.ts';
import { serve } from '../../platform/testing/listen.ts';
import { openListening } from '../testing/scene.ts';

const outcomes = (all: Inquiry[]) => all.map(({ resolution }) => resolution?.outcome);
const ended = (all: Inquiry[]): boolean => all.length > 0 && all.every(({ resolution }) => resolution);

test('[DLV1] a question in a stream is one inquiry on all devices, and its answer goes to the platform, signed', async (t) => {
  const s = await connected(t, undefined, { to: ['owner'], deadline: 55 });
  const [first, second] = [await s.stream(), await s.stream()];
  first.say(asks('a4cecc76', '明天北京天气如何？'), asks('a4cecc76', '明天北京天气如何？'));
  second.say(asks('a4cecc76', '明天北京天气如何？'), asks('b', 'And now?'));
  const [one, two, ...none] = await s.until(({ length }) => length > 1);
  ok(one && two);
  deepStrictEqual(
    [one.prompt, one.source, one.context, one.to, one.key, none, two.prompt],
    [
      '明天北京天气如何？',
      { id: s.connection.id, name: 'Lumen' },
      { agent: 'Tool Calling Agent', runId: '202d02d5' },
      ['owner'],
      'a4cecc76',
      [],
      'And now?',
    ],
  );
  strictEqual(Date.parse(one.deadlineAt) - Date.parse(one.openedAt), 55_000);
  deepStrictEqual(
    (await s.open()).map(({ id }) => id),
    [one.id, two.id],
  );
  await s.answer(one.id, { response: '晴' });
  await s.dispatcher.runDue();
  const [told, ...others] = s.answers.heard;
  ok(told);
  deepStrictEqual(
    [told.path, JSON.parse(told.body), others],
    ['/answer', { inquiryId: 'a4cecc76', response: '晴' }, []],
  );
  new Webhook(s.webhookSecret).verify(told.body, told.headers as Record<string, string>);
  // The platform repeats what it has asked: the answer stands.
  first.say(asks('a4cecc76', '明天北京天气如何？'), asks('c', 'More?'));
  await s.until(({ length }) => length > 2);
  deepStrictEqual(outcomes(await s.all()), ['answered', undefined, undefined]);
});

test('[RES6] a question goes when the platform has its answer, and all of a stream when that is whole', async (t) => {
  const s = await connected(t);
  const stream = await s.stream();
  stream.say(asks('a', 'One?'), asks('b', 'Two?'));
  await s.until(({ length }) => length > 1);
  stream.say(inquiryFrame({ inquiryId: 'a', type: 'INQUIRY_END' }), inquiryFrame({ inquiryId: 'z', type: 'OTHER' }));
  await s.until(([one]) => one?.resolution !== undefined);
  stream.say(DONE);
  const all = await s.until(ended);
  deepStrictEqual(
    all.map(({ resolution }) => [resolution?.outcome, resolution?.message]),
    [
      ['withdrawn', 'it was answered on the platform'],
      ['withdrawn', 'the conversation it was asked in has ended'],
    ],
  );
  // What is answered now is kept as late, and is not the platform's any more (RES6).
  for (const { id } of all) {
    const { won, resolution } = await s.answer(id, { response: 'too late' });
    deepStrictEqual([won, resolution.outcome], [false, 'withdrawn']);
  }
  deepStrictEqual(
    (await s.all()).map(({ late }) => late?.map(({ text }) => text)),
    [['too late'], ['too late']],
  );
  await s.dispatcher.runDue();
  deepStrictEqual(s.answers.heard, []);
});

test('a question goes with the tool call that asked it, unless two questions name one call', async (t) => {
  const s = await connected(t);
  const stream = await s.stream();
  const other = await s.stream();
  const ask = (inquiryId: string, tool_call_id?: string) =>
    inquiryFrame({ question: `${inquiryId}?`, inquiryId, type: 'INQUIRY', tool_call_id });
  const result = (tool_call_id: string): string => chunkOf({ role: 'tool', tool_call_id, content: '晴' });
  stream.say(ask('a', 'call_1'), ask('b', 'call_1'), ask('c', 'call_2'), ask('d', 'call_3'));
  // All of them are progress 1, which names no call: each server of a platform counts its own.
  stream.say(inquiryFrame({ type: 'THINKING_END' }), inquiryFrame({ type: 'ToolCall End' }), result('call_1'));
  stream.say(result('call_2'));
  const [, , c] = await s.until(([, , third]) => third?.resolution !== undefined);
  deepStrictEqual(
    [c?.resolution?.outcome, c?.resolution?.message],
    ['withdrawn', 'the tool call that asked it has ended'],
  );
  // A call of another stream is another call.
  other.say(result('call_3'), inquiryFrame({ type: 'ToolCall End', tool_call_id: 'call_3' }), ask('e'));
  await s.until(({ length }) => length > 4);
  deepStrictEqual(outcomes(await s.all()), [undefined, undefined, 'withdrawn', undefined, undefined]);
  stream.say(inquiryFrame({ type: 'ToolCall End', tool_call_id: 'call_3' }));
  await s.until(([, , , fourth]) => fourth?.resolution !== undefined);
  deepStrictEqual(outcomes(await s.all()), [undefined, undefined, 'withdrawn', 'withdrawn', undefined]);
});

for (const how of ['cut', 'leave', 'end'] as const)
  test(`[RES6] the questions of a stream without its end wait for a minute (${how})`, async (t) => {
    const s = await connected(t);
    const stream = await s.stream();
    stream.say(asks('a', 'One?'));
    await s.until(({ length }) => length > 0);
    stream[how]();
    await leased(s, 60_000);
    s.place.pass(59_000);
    await sweep(s.place.inquiries);
    deepStrictEqual(outcomes(await s.all()), [undefined]);
    // It is back: the same question waits as long as this stream.
    const again = await s.stream();
    again.say(asks('a', 'One?'));
    await leased(s, 75_000);
    again.cut();
    await leased(s, 60_000);
    s.place.pass(61_000);
    await sweep(s.place.inquiries);
    const [one] = await s.all();
    deepStrictEqual([one?.resolution?.outcome, one?.resolution?.message], ['withdrawn', 'its asker is gone']);
    await s.answer(one!.id, { response: 'too late', late: true }).catch(() => undefined);
    await s.dispatcher.runDue();
    deepStrictEqual([(await s.all())[0]?.late?.length, s.answers.heard], [1, []]);
  });

for (const how of ['cut', 'leave'] as const)
  test(`[WDR1] devices close the question of a lost line at once, and an answer within the minute is told the platform (${how})`, async (t) => {
    const s = await connected(t);
    const stream = await s.stream();
    stream.say(asks('a', 'One?'));
    const [one] = await s.until(({ length }) => length > 0);
    const told = (event: string) =>
      s.place.news.filter((news) => news.event === event).map(({ inquiryId }) => inquiryId);
    const shown = async () => (await s.open()).map(({ relayed, askerGoneAt }) => [relayed, askerGoneAt !== undefined]);
    deepStrictEqual(await shown(), [[true, false]]);
    // No time passes until they are told.
    stream[how]();
    while (told('asker gone').length === 0) await turn();
    deepStrictEqual([told('asker gone'), await shown()], [[one!.id], [[true, true]]]);
    const again = await s.stream();
    again.say(asks('a', 'One?'));
    while (told('asker back').length === 0) await turn();
    deepStrictEqual([told('asker back'), await shown()], [[one!.id], [[true, false]]]);
    again[how]();
    while (told('asker gone').length === 1) await turn();
    s.place.pass(59_000);
    await sweep(s.place.inquiries);
    const { won } = await s.answer(one!.id, { response: '晴' });
    await s.dispatcher.runDue();
    deepStrictEqual(
      [won, s.answers.heard.map(({ body }) => JSON.parse(body) as unknown)],
      [true, [{ inquiryId: 'a', response: '晴' }]],
    );
  });

// Linux alone tells which timer of a connection runs.
test(
  '[WDR1] both lines of a stream have a heartbeat of TCP, so that one which is dead without a word is lost too',
  {
    skip: process.platform !== 'linux',
  },
  async (t) => {
    const s = await connected(t);
    const [hub, platform] = [s.url, s.connection.baseUrl ?? ''].map((url) => Number(new URL(url).port));
    const stream = await s.stream();
    stream.say(asks('a', 'One?'));
    await s.until(({ length }) => length > 0);
    deepStrictEqual(
      [heartbeats(hub, stream.ports.client), heartbeats(stream.ports.hub, platform)],
      [[['01', '02']], [['01', '02']]],
    );
  },
);

/** State and timer of the sockets from this port to that one: 01 is established, 02 the keep-alive timer. */
function heartbeats(from: number | undefined, to: number | undefined): string[][] {
  const hex = (port = 0): string => port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local = '', remote = '']) => local.endsWith(`:${hex(from)}`) && remote.endsWith(`:${hex(to)}`))
    .map(([, , , state = '', , timer = '']) => [state, timer.slice(0, 2)]);
}

test('[ASK1] what was asked in streams that were cut with the hub is open for a minute after its start', async (t) => {
  const s = await connected(t);
  (await s.stream()).say(asks('a', 'One?'));
  await s.until(({ length }) => length > 0);
  s.place.pass(3_600_000 / 20);
  await keepCut(s.place.inquiries);
  await leased(s, 60_000);
  ok((await s.open())[0]?.askerGoneAt);
});

test('an inquiry of this hub is neither asked twice nor withdrawn by a stream that shows it', async (t) => {
  const s = await connected(t);
  const own = await s.place.ask({ prompt: 'Asked here' });
  const stream = await s.stream();
  const foreign = `inq_${'0'.repeat(26)}`;
  stream.say(
    asks(own, 'Asked here'),
    asks(foreign, 'Looks like ours'),
    inquiryFrame({ inquiryId: own, type: 'END' }),
    inquiryFrame({ type: 'ToolCall End' }),
    DONE,
  );
  const all = await s.until(ended);
  deepStrictEqual([all.map(({ key }) => key), (await s.open()).map(({ id }) => id)], [[foreign], [own]]);
});

test('[RES4] a decline and a deadline are told in the source’s texts, in the owner’s template and headers', async (t) => {
  const s = await connected(t, undefined, {
    answer: { answer: { id: '{inquiryId}', text: '[{response}] {other}' }, done: true },
    apiKey: 'sk-1',
    headers: { 'X-Team': 'ops' },
    texts: { declined: 'They said no.', expired: 'Nobody was there.' },
    deadline: 30,
  });
  const stream = await s.stream();
  stream.say(asks('{response}', 'One?'), asks('b', 'Two?'));
  const [one] = await s.until(({ length }) => length > 1);
  await s.answer(one!.id, { outcome: 'declined' });
  s.place.pass(31_000);
  await sweep(s.place.inquiries);
  await s.dispatcher.runDue();
  deepStrictEqual(
    s.answers.heard.map(({ body }) => JSON.parse(body) as unknown),
    [
      { answer: { id: '{response}', text: '[They said no.] {other}' }, done: true },
      { answer: { id: 'b', text: '[Nobody was there.] {other}' }, done: true },
    ],
  );
  // The key was given for the address of answers and not only for the platform's.
  deepStrictEqual(
    s.answers.heard.map(({ headers }) => [headers.authorization, headers['x-team']]),
    [1, 2].map(() => ['Bearer sk-1', 'ops']),
  );
});

test('[DLV1] an answer is tried until it is taken, and 410 says that the platform had another one', async (t) => {
  const s = await connected(t, (response, nth) => response.writeHead(nth === 1 ? 500 : 410).end());
  (await s.stream()).say(asks('a', 'One?'));
  const [one] = await s.until(({ length }) => length > 0);
  await s.answer(one!.id, { response: 'yes' });
  const states = async () => {
    const row = await s.database.read.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow();
    const { collected_at } = await s.database.read.selectFrom('inquiries').selectAll().executeTakeFirstOrThrow();
    return [row.state, row.attempt_count, collected_at];
  };
  await s.dispatcher.runDue();
  deepStrictEqual(await states(), ['pending', 1, null]);
  s.place.pass(6_000);
  await s.dispatcher.runDue();
  deepStrictEqual(await states(), ['gone', 2, null]);
  s.place.pass(86_400_000);
  await s.dispatcher.runDue();
  strictEqual(s.answers.heard.length, 2);
});

for (const [status, ...told] of [[409, true], [410, true], [200], [400], [404]] as const)
  test(`that the platform had another answer stands in the history and is told the devices, at 409 and 410 alone (${status})`, async (t) => {
    const s = await connected(t, (response) => response.writeHead(status).end());
    (await s.stream()).say(asks('a', 'One?'), asks('b', 'Two?'), asks('c', 'Three?'));
    const [one, two] = await s.until(({ length }) => length > 2);
    await s.answer(one!.id, { response: 'yes' });
    await s.answer(two!.id, { outcome: 'declined' });
    // Nobody answered it: there is no answer that was not taken.
    s.place.pass(301_000);
    await sweep(s.place.inquiries);
    await s.dispatcher.runDue();
    strictEqual(s.answers.heard.length, 3);
    const { items } = await readHistory(s.database.read, s.place.phone, { limit: 10 });
    deepStrictEqual(
      items.map(({ notTaken }) => notTaken),
      told.length > 0 ? [undefined, true, true] : [undefined, undefined, undefined],
    );
    const news = () => s.place.news.flatMap(({ event, inquiryId }) => (event === 'not_taken' ? [inquiryId] : []));
    while (news().length < told.length * 2) await turn();
    deepStrictEqual(news(), told.length > 0 ? [one!.id, two!.id] : []);
  });

test('a stream asks at most 20 questions at once, and a question without an address for its answer is not asked', async (t) => {
  const s = await connected(t);
  const stream = await s.stream();
  stream.say(...Array.from({ length: 30 }, (_, at) => asks(`q${at}`, `Question ${at}`)));
  stream.say(inquiryFrame({ inquiryId: 'q0', type: 'END' }));
  await s.until(([first]) => first?.resolution !== undefined);
  strictEqual((await s.all()).length, 20);
  stream.say(DONE);
  await s.until((all) => all.every(({ resolution }) => resolution));
  await s.call('PATCH', `/v1/connections/${s.connection.id}`, { answerUrl: null });
  const other = await s.stream();
  other.say(asks('none', 'Where to?'));
  other.end();
  await written(s);
  strictEqual((await s.all()).length, 20);
});

test('a question is asked as its connection is now, whenever its stream was opened', async (t) => {
  const s = await connected(t);
  const stream = await s.stream();
  const path = `/v1/connections/${s.connection.id}`;
  await s.call('PATCH', path, { deadline: 77 });
  stream.say(asks('a', 'One?'));
  const [one] = await s.until(({ length }) => length > 0);
  strictEqual(Date.parse(one!.deadlineAt) - Date.parse(one!.openedAt), 77_000);
  stream.say(inquiryFrame({ inquiryId: 'a', type: 'END' }));
  await s.until(ended);
  await s.call('PATCH', path, { answerUrl: null });
  stream.say(asks('b', 'Two?'));
  stream.end();
  await written(s);
  deepStrictEqual(outcomes(await s.all()), ['withdrawn']);
});

/** Waits until a stream is a contact: by then all that it said was heard. */
async function written({ call, connection }: Awaited<ReturnType<typeof connected>>): Promise<void> {
  for (;;) {
    const { body } = await call('GET', `/v1/connections/${connection.id}/contacts`);
    if ((body as { items: unknown[] }).items.length > 0) return;
  }
}

test('a platform that asks and takes back without end asks 60 times a minute, and repeats cost nothing', async (t) => {
  const s = await connected(t);
  const stream = await s.stream();
  const both = (id: string): string[] => [asks(id, `${id}?`), inquiryFrame({ inquiryId: id, type: 'END' })];
  stream.say(asks('first', 'First?'));
  for (const round of [0, 1, 2]) {
    stream.say(...Array.from({ length: 40 }, (_, at) => both(`q${round}-${at}`)).flat());
    // The last one of a round that is heard.
    stream.say(asks('first', 'First?'), ...both(`mark${round}`));
    await s.until((all) => all.length >= [42, 60, 60][round]!);
  }
  stream.say(inquiryFrame({ inquiryId: 'first', type: 'END' }));
  const all = await s.until(([first]) => first?.resolution !== undefined);
  strictEqual(all.length, 60);
});

test('packed streams are read as they come, damaged ones as far as they go', async (t) => {
  const s = await openListening(t);
  const frame = (id: string): string => `data: ${asks(id, `Packed as ${id}?`)}\n\n`;
  const wide = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 27 } });
  wide.write(frame('wide'));
  wide.write(Buffer.alloc(1_000_000, '\n'));
  wide.end();
  const window = await buffer(wide);
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const packed: Record<string, () => Buffer> = {
    gzip: () => gzipSync(frame('gzip')),
    deflate: () => deflateSync(frame('deflate')),
    br: () => brotliCompressSync(frame('br')),
    zstd: () => zstdCompressSync(frame('zstd')),
    unknown: () => Buffer.from(frame('unknown')),
  };
  const base = await serve(t, ({ url = '' }, response) => {
    const kind = url.slice(1);
    const encoding = ['flushed', 'damaged', 'bomb'].includes(kind) ? 'gzip' : kind === 'wide' ? 'zstd' : kind;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding });
    if (kind === 'bomb') return void response.end(bomb);
    if (kind === 'wide') return void response.write(window);
    if (kind === 'damaged') return void response.end(Buffer.concat([gzipSync(frame('damaged')).subarray(0, 40), bomb]));
    if (kind !== 'flushed') return void response.write((packed[kind] as () => Buffer)());
    const gzip = createGzip();
    gzip.pipe(response);
    gzip.write(frame('flushed'));
    gzip.flush();
  });
  const { url } = await s.connect({ name: 'P', kind: 'chatcompletions', baseUrl: base, answerUrl: `${base}/answer` });
  const calls = [...Object.keys(packed), 'damaged', 'bomb', 'wide', 'flushed'].map((kind) =>
    request(`${url}/${kind}`, (response) => void response.on('error', () => {}).resume())
      .on('error', () => {})
      .end(),
  );
  const expected = ['br', 'deflate', 'flushed', 'gzip', 'zstd'];
  for (let keys: string[] = []; keys.length < expected.length; await turn()) {
    keys = (await s.open()).map(({ prompt = '' }) => /as (\w+)/.exec(prompt)?.[1] ?? '').toSorted();
    if (keys.length >= expected.length) deepStrictEqual(keys, expected);
  }
  for (const call of calls) call.destroy();
});
