import { deepStrictEqual, rejects, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { eventData, toEvent, eventsOf, gather, TooLong } from './sse.ts';

async function cut(bytes: Buffer, size: number): Promise<string[]> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const events: string[] = [];
  for await (const event of eventsOf(chunks())) events.push(event.toString());
  return events;
}

test('a stream is cut into its events wherever its chunks end, and no byte changes', async () => {
  const events = ['id: 1\ndata: {"a":"é🙈"}\n\n', ': keep\r\n\r\n', 'data: a\rdata: b\r\r', 'data: open'];
  const bytes = Buffer.from(events.join(''));
  for (const size of [1, 2, 3, 7, bytes.length]) deepStrictEqual([size, await cut(bytes, size)], [size, events]);
});

test('the data of an event is all its data lines', () => {
  const data = ['id: 1\ndata: a\ndata:b\n\n', ': data: no\n\n', 'event: x\n\n'].map((event) =>
    eventData(Buffer.from(event)),
  );
  deepStrictEqual(data, ['a\nb', undefined, undefined]);
  deepStrictEqual(toEvent('{"a":\n1}'), 'event: message\ndata: {"a":\ndata: 1}\n\n');
});

test('an event that never ends is read once, and no longer than the limit', async () => {
  let sent = 0;
  async function* endless() {
    for (;;) {
      sent += 1;
      yield Buffer.from('data: x\n');
    }
  }
  await rejects(async () => {
    for await (const event of eventsOf(endless(), 800_000)) deepStrictEqual(event, undefined);
  }, TooLong);
  deepStrictEqual(sent, 100_001);
});

test('pieces of any size become one, and what is taken is forgotten', () => {
  const whole = gather(100);
  for (const piece of ['a', 'é', '', '🙈']) whole.add(Buffer.from(piece));
  deepStrictEqual([whole.size(), whole.take().toString(), whole.size(), whole.take().toString()], [7, 'aé🙈', 0, '']);
  whole.add(Buffer.alloc(100, 'x'));
  throws(() => whole.add(Buffer.from('y')), TooLong);
});
