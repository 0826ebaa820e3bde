import { deepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { createChatParser, type ChatEvent } from './chat-parser.ts';
import { asks, chunkOf, DONE, inquiryFrame } from '../testing/frames.ts';

function heard(
  stream: string | Buffer,
  cut: (bytes: Buffer) => Buffer[] = (bytes) => [bytes],
  limit?: number,
): ChatEvent[] {
  const parser = createChatParser(limit);
  const said = cut(Buffer.from(stream)).flatMap((chunk) => parser.push(chunk));
  return [...said, ...parser.end()];
}
const sse = (frames: string[], end = '\n'): string => frames.map((frame) => `data: ${frame}${end}${end}`).join('');
const asked = (inquiryId: string, question: string): ChatEvent => ({
  type: 'asked',
  inquiryId,
  question,
  agent: 'Tool Calling Agent',
  runId: '202d02d5',
});

const QUESTION = '明天北京天气如何？🙂';
const STREAM = [
  chunkOf({ content: '你好' }),
  asks('a4cecc76', QUESTION),
  inquiryFrame({ inquiryId: 'a4cecc76', type: 'INQUIRY_END' }),
  asks('b', 'And now?'),
  DONE,
];
const SAID: ChatEvent[] = [
  asked('a4cecc76', QUESTION),
  { type: 'ended', inquiryId: 'a4cecc76' },
  asked('b', 'And now?'),
  { type: 'done' },
];

test('the frames of the article are read whatever ends their lines, cut at every offset', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const bytes = Buffer.from(sse(STREAM, end));
    deepStrictEqual(heard(bytes), SAID);
    for (let at = 0; at <= bytes.length; at++)
      deepStrictEqual(
        heard(bytes, () => [bytes.subarray(0, at), bytes.subarray(at)]),
        SAID,
      );
    deepStrictEqual(
      heard(bytes, () => [...bytes].map((byte) => Buffer.of(byte))),
      SAID,
    );
  }
});

test('cuts of any sizes, mixed line ends, comments and other fields change nothing', () => {
  const end = fc.constantFrom('\n', '\r\n', '\r');
  const noise = fc.constantFrom('', ': keep-alive', 'event: message', 'id: 7', 'retry: 10', 'nonsense', 'data2: x');
  const events = fc.tuple(...STREAM.map((frame) => fc.tuple(fc.constant(frame), end, end, noise, end)));
  fc.assert(
    fc.property(
      events,
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      fc.boolean(),
      (all, sizes, bom) => {
        // CR and LF are one end of a line.
        const lines = all.map(([frame, a, b, noisy, c]) => {
          const before = noisy === '' ? '' : noisy + c;
          return `${before}data:${frame}${a}${a === '\r' && b === '\n' ? '\r' : b}`;
        });
        const stream = (bom ? '\u{feff}' : '') + lines.join('');
        deepStrictEqual(
          heard(stream, (bytes) => cutBy(bytes, sizes)),
          SAID,
        );
      },
    ),
    { seed: 13, numRuns: 300 },
  );
});

test('whatever bytes come, the parser does not throw and hears no question in garbage', () => {
  const garbage = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.jsonValue({ maxDepth: 4 }).map((value) => Buffer.from(sse([JSON.stringify(value)]))),
    fc
      .record({ meta: fc.jsonValue({ maxDepth: 2 }), more: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 })) })
      .map(({ meta, more }) => Buffer.from(sse([inquiryFrame(meta as object, more)]))),
    fc.nat(asks('a', QUESTION).length).map((at) => Buffer.from(sse([asks('a', QUESTION).slice(0, at)]))),
  );
  fc.assert(
    fc.property(fc.array(garbage, { maxLength: 6 }), fc.integer({ min: 1, max: 50 }), (pieces, size) => {
      const said = heard(Buffer.concat(pieces), (bytes) => cutBy(bytes, [size]));
      deepStrictEqual(
        said.filter(({ type }) => type === 'asked'),
        [],
      );
    }),
    { seed: 13, numRuns: 500 },
  );
});

test('a question is read from an object, from _meta and from an event of several lines', () => {
  const meta = { question: 'Go?', inquiryId: 'x', type: 'INQUIRY' };
  const object = { chatos_additional_data: { mcp_progress_notification_data: { params: { _meta: meta } } } };
  deepStrictEqual(heard(sse([chunkOf(object)])), [asked('x', 'Go?')]);
  for (const end of ['\n', '\r\n', '\r']) {
    const lines = JSON.stringify(JSON.parse(asks('y', 'Stay?')), null, 1).split('\n');
    const event = lines.map((line) => `data: ${line}${end}`).join('');
    deepStrictEqual(heard(`\u{feff}${event}${end}`), [asked('y', 'Stay?')]);
  }
});

test('the end of a tool call is heard by its own id, never by a progress token, and nothing else is taken for it', () => {
  const notified = (type: string | undefined, meta: object = {}, beside: object = {}, progressToken: unknown = 7) =>
    chunkOf({
      ...beside,
      chatos_additional_data: {
        mcp_progress_notification_data: { params: { meta: { ...meta, type }, progressToken } },
      },
    });
  const id = { tool_call_id: 'call_1' };
  const result = (tool_call_id: unknown, role = 'tool') => chunkOf({ role, tool_call_id, content: '北京' });
  const ends = (frame: string) => heard(sse([frame]));
  const ended: ChatEvent[] = [{ type: 'call_ended', call: 'call_1' }];
  for (const type of ['ToolCall End', 'TOOL_CALL_END', 'ToolCallEnd', 'tool_call_ended']) {
    deepStrictEqual(ends(notified(type, id)), ended, type);
    deepStrictEqual(ends(notified(type, {}, id)), ended, type);
    deepStrictEqual(ends(notified(type)), [], type);
  }
  deepStrictEqual(ends(result('call_1')), ended);
  const others = ['END', 'THINKING_END', 'LLM_CALL_END', 'CallEnd', 'KEEPALIVE', 'TOOL_CALL_ENDLESS', '', undefined];
  const none = [
    ...others.map((type) => notified(type, id)),
    ...[undefined, null, '', 7, ['call_1'], 'x'.repeat(201)].flatMap((tool_call_id) => [
      notified('TOOL_CALL_END', { tool_call_id }),
      result(tool_call_id),
    ]),
    result('call_1', 'assistant'),
    chunkOf({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'a', arguments: '{"tool_call_id":"b"}' } }] }),
  ];
  deepStrictEqual(heard(sse(none)), []);
  const meta = { question: 'Go?', inquiryId: 'x' };
  const named = (frame: string) => (ends(frame)[0] as Extract<ChatEvent, { type: 'asked' }>).call;
  deepStrictEqual(
    [{}, id].flatMap((one) => [named(notified('INQUIRY', { ...meta, ...one })), named(notified('INQUIRY', meta, one))]),
    [undefined, undefined, 'call_1', 'call_1'],
  );
});

test('half a frame at the end says nothing, and [DONE] needs no empty line after it', () => {
  deepStrictEqual(heard(`data: ${asks('a', 'Go?')}`), []);
  deepStrictEqual(heard(`data: ${asks('a', 'Go?')}\n`), []);
  deepStrictEqual(heard('data: [DONE]'), [{ type: 'done' }]);
  deepStrictEqual(heard('data: [DONE]\n'), [{ type: 'done' }]);
  deepStrictEqual(heard('data: [DONE'), []);
  deepStrictEqual(heard(sse([asks('a', 'Go?')]) + ': [DONE]\n\n'), [asked('a', 'Go?')]);
});

test('a frame above the limit says nothing, costs no memory and hides no frame after it', () => {
  const large = asks('large', 'x'.repeat(3000));
  const small = asks('small', 'Go?');
  const cut = (bytes: Buffer): Buffer[] => cutBy(bytes, [7]);
  deepStrictEqual(heard(sse([large, small]), cut, 2000), [asked('small', 'Go?')]);
  const lines = `data: ${'y'.repeat(3000)}\n: none\n`;
  deepStrictEqual(heard(`${lines}data: ${asks('tail', 'Go?')}\n\n${sse([small])}`, cut, 2000), [asked('small', 'Go?')]);
});

test('a long line in chunks of one byte costs its own size and not that of its chunks', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    // What is outside the heap is counted until its holder was collected before.
    collect();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const parser = createChatParser();
  const byte = Buffer.from('x');
  const before = used();
  for (let at = 0; at < 1_000_000; at++) parser.push(byte);
  const grown = used() - before;
  ok(grown < 4_000_000, `${grown} bytes`);
  parser.push(Buffer.from('\n\n'));
  const left = used() - before;
  ok(left < 1_000_000, `${left} bytes`);
});

test('a question that cannot be stored or shown says nothing', () => {
  const bad = [
    ['', 'Go?'],
    ['with space', 'Go?'],
    ['x'.repeat(201), 'Go?'],
    ['a', ''],
    ['a', ' \n'],
    ['a', 'nul \0'],
    ['a', 'half \ud83d'],
    ['a', 'x'.repeat(65_537)],
    [7, 'Go?'],
    ['a', null],
  ];
  deepStrictEqual(heard(sse([inquiryFrame({ inquiryId: 'a', question: 'Go?' })])), []);
  deepStrictEqual(heard(sse(bad.map(([inquiryId, question]) => asks(inquiryId as string, question as string)))), []);
});

function cutBy(bytes: Buffer, sizes: number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}
