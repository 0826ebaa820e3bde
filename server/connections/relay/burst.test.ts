import { deepStrictEqual, ok } from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { connected } from '../testing/streams.ts';
import { asks, chunkOf, inquiryFrame } from '../testing/frames.ts';
import { createChatParser } from './chat-parser.ts';
import { unpack } from './unpack.ts';

test('what ends a question is heard in a burst that is too large for new questions', async (t) => {
  const s = await connected(t);
  const stream = await s.stream();
  stream.say(asks('open', 'Open?'));
  await s.until(({ length }) => length > 0);
  const burst = Array.from({ length: 150 }, (_, at) => asks(`q${at}`, `Question ${at}?`));
  const call = { tool_call_id: 'call_1' };
  const ended = (inquiryId: string): string => inquiryFrame({ inquiryId, type: 'INQUIRY_END' });
  const again = Array.from({ length: 150 }, () => asks('open', 'Open?'));
  const first = inquiryFrame({ question: 'By a call?', inquiryId: 'called', type: 'INQUIRY', ...call });
  stream.say(...again, first, ...burst, ended('q0'), ended('open'), chunkOf({ role: 'tool', ...call, content: '晴' }));
  const byKey = (all: Awaited<ReturnType<typeof s.all>>) =>
    all
      .filter(({ key = '' }) => ['open', 'called', 'q0', 'q1'].includes(key))
      .map(({ key, resolution }) => [key, resolution?.outcome]);
  const found = await s.until((all) => all.length >= 20 && all.filter(({ resolution }) => resolution).length > 2);
  deepStrictEqual(byKey(found), [
    ['open', 'withdrawn'],
    ['called', 'withdrawn'],
    ['q0', 'withdrawn'],
    ['q1', undefined],
  ]);
});

test('a stream of line ends says nothing, and what comes after it is heard', () => {
  for (const line of ['\n', '\r', '\r\n', 'x\n', 'x\r']) {
    const parser = createChatParser();
    const chunk = Buffer.from(line.repeat(65_536 / line.length));
    const said = Array.from({ length: 16 }, () => parser.push(chunk)).flat();
    deepStrictEqual([said, parser.push(Buffer.from(`\n\ndata: [DONE]\n\n`))], [[], [{ type: 'done' }]]);
  }
});

test('what is packed beyond reason is not read on, and a stream of words in large frames is', async () => {
  const words = 'the a of hub platform 明天 weather in train early to answer and wait person'.split(' ');
  let seed = 13;
  const word = (): string => words[(seed = (seed * 48_271) % 2_147_483_647) % words.length]!;
  const events = Array.from({ length: 10_000 }, () => `data: ${chunkOf({ content: ` ${word()}` })}\n\n`).join('');
  // Its default is for files that are packed once.
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['br', (bytes: string | Buffer) => brotliCompressSync(bytes, fast)],
    ['zstd', zstdCompressSync],
  ] as const) {
    const read = async (bytes: Buffer): Promise<number> => {
      let length = 0;
      const over = Promise.withResolvers<void>();
      const unpacked = unpack(encoding, { hear: (some) => void (length += some.length), over: over.resolve });
      for (let at = 0; at < bytes.length; at += 16_384) {
        unpacked!.push(bytes.subarray(at, at + 16_384));
        await turn();
      }
      unpacked!.end();
      await over.promise;
      return length;
    };
    const packed = pack(events);
    deepStrictEqual(await read(packed), Buffer.byteLength(events), encoding);
    const bomb = await read(pack(Buffer.alloc(16_777_216, '\n')));
    ok(bomb < 3_000_000, `${encoding}: ${bomb} bytes`);
  }
});
