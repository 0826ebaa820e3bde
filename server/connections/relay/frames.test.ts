import { deepStrictEqual, doesNotMatch, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Framed, progressFrame, resolvedFrame } from '../../dialects/client/beckon.mjs';
import { readForSource } from '../../inquiries/read.ts';
import { withdrawInquiry } from '../../inquiries/withdraw.ts';
import { asks } from '../testing/frames.ts';
import { connected } from '../testing/streams.ts';
import { createChatParser } from './chat-parser.ts';

const ARTICLE = '明天北京天气如何？';
const NASTY =
  '"a" \\ \r\n\n\t\v\f\u0001\u001c\u0085\u2028\u2029🙂 data: [DONE]\n\ndata: {"type":"END"} </script> \\u0022 {response}';
const about = { agent: 'Tool Calling Agent', runId: '202d02d5' };

const inquiry = (question: string, id = 'a4cecc76'): Framed => ({
  id,
  title: 'Weather',
  prompt: question,
  openedAt: '2025-08-27T05:27:52.000Z',
  source: { name: 'Lumen' },
  context: about,
  resolution: { at: '2025-08-27T05:28:00.999Z' },
});

/** A frame with the JSON in its JSON read. */
function read(frame: string): unknown {
  match(frame, /^data: .*\n\n$/);
  // No reader of lines, whichever it takes for their ends, cuts it.
  doesNotMatch(frame.slice(0, -2), /[\p{Cc}\u2028\u2029]/u);
  return JSON.parse(frame.slice(6), (name, value: unknown) =>
    name === 'mcp_progress_notification_data' ? JSON.parse(value as string) : value,
  );
}

test('the client writes the frames of the article, and one for the end', () => {
  const frame = (type: string, progress: number, created: number) => {
    const method = 'notifications/progress';
    const meta = { question: ARTICLE, inquiryId: 'a4cecc76', type };
    const params = { meta, progressToken: 1, progress, total: null, message: null, method };
    const mcp_progress_notification_data = { method, params, jsonrpc: '2.0' };
    return {
      id: 'chatcmpl-202d02d5',
      created,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { chatos_additional_data: { mcp_progress_notification_data } } }],
      agent_info: { name: about.agent, run_id: about.runId },
    };
  };
  deepStrictEqual(
    [progressFrame, resolvedFrame].map((write) => read(write(inquiry(ARTICLE)))),
    [frame('INQUIRY', 0, 1756272472), frame('INQUIRY_RESOLVED', 1, 1756272480)],
  );
});

test('the hub reads in a stream what the client wrote into it, whatever is asked', () => {
  const asked = fc
    .oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), fc.constantFrom(NASTY, 'x\u2028'.repeat(16_000)))
    .filter((question) => question.trim() !== '' && !question.includes('\0'));
  fc.assert(
    fc.property(asked, (question) => {
      const one = inquiry(question);
      const frames = [progressFrame(one), resolvedFrame(one)];
      frames.forEach(read);
      deepStrictEqual(createChatParser().push(Buffer.from(frames.join(''))), [
        { type: 'asked', inquiryId: one.id, question, ...about },
        { type: 'ended', inquiryId: one.id },
      ]);
    }),
    { seed: 13, numRuns: 300 },
  );
});

const PROGRAM = `
import json, sys
from beckon import progress_frame, resolved_frame
print(json.dumps([[progress_frame(one), resolved_frame(one)] for one in json.load(sys.stdin)]))
`;

test('the client in Python writes the same frames', () => {
  const { context: _none, prompt: _absent, resolution: _open, ...bare } = inquiry('');
  const inquiries: Framed[] = [inquiry(ARTICLE), inquiry(NASTY), bare, { ...bare, context: { agent: 'a' } }];
  const { stdout, stderr } = spawnSync('python3', ['-c', PROGRAM], {
    cwd: join(import.meta.dirname, '../../dialects/client'),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    input: JSON.stringify(inquiries),
    encoding: 'utf8',
  });
  deepStrictEqual(stderr, '');
  deepStrictEqual(
    (JSON.parse(stdout) as string[][]).map((frames) => frames.map(read)),
    inquiries.map((one) => [read(progressFrame(one)), read(resolvedFrame(one))]),
  );
});

test('an inquiry that lives here is asked once and ends by itself, in whichever stream its frames stand', async (t) => {
  const s = await connected(t);
  const { inquiries, sourceId } = s.place;
  const id = await s.place.ask({ prompt: NASTY, context: about });
  const own = () => readForSource(inquiries, id, sourceId);
  const stream = await s.stream();
  stream.write(progressFrame(await own()) + progressFrame(await own()) + resolvedFrame(await own()));
  // What was said before is through once this is asked.
  stream.write(`data: ${asks('after', 'And now?')}\n\n`);
  await s.until(({ length }) => length > 0);
  deepStrictEqual(
    (await s.open()).map(({ prompt }) => prompt),
    [NASTY, 'And now?'],
  );
  await withdrawInquiry(inquiries, sourceId, id);
  stream.write(resolvedFrame(await own()));
  stream.write('data: [DONE]\n\n');
  await s.until(([one]) => one?.resolution !== undefined);
  deepStrictEqual([(await s.all()).length, (await own()).resolution?.outcome], [1, 'withdrawn']);
});
