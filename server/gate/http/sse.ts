import { gather, WHOLE_BYTES } from '../whole.ts';

/**
 * A stream of server-sent events, cut into its events without changing a byte; what stays open at its end
 * comes last. Throws `TooLong` for an event above the limit.
 */
export async function* eventsOf(chunks: AsyncIterable<Buffer>, limit = WHOLE_BYTES): AsyncGenerator<Buffer> {
  const open = gather(limit);
  // The end of an event may be cut; Latin-1 maps bytes to characters one to one.
  let tail = '';
  for await (const chunk of chunks) {
    const text = tail + chunk.toString('latin1');
    const ends = /\r\n\r\n|\n\n|\r\r/g;
    let start = 0;
    while (ends.exec(text)) {
      const end = ends.lastIndex - tail.length;
      open.add(chunk.subarray(start, end));
      yield open.take();
      start = end;
    }
    const rest = chunk.subarray(start);
    open.add(rest);
    tail = start === 0 ? text.slice(-3) : rest.toString('latin1').slice(-3);
  }
  if (open.size() > 0) yield open.take();
}

/** The data of one event (HTML, 9.2.6), or undefined where it has none. */
export function dataOf(event: Buffer): string | undefined {
  const lines = event
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .flatMap((line) => /^data(?:: ?(.*))?$/s.exec(line)?.[1] ?? []);
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** The same event with other data. */
export function withData(event: Buffer, data: string): string {
  const others = event
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '' && !/^data(:|$)/.test(line));
  return `${[...others, ...dataLines(data)].join('\n')}\n\n`;
}

/** One message as an event. */
export function eventOf(message: string): string {
  return `event: message\n${dataLines(message).join('\n')}\n\n`;
}

function dataLines(message: string): string[] {
  return message.split(/\r\n|\n|\r/).map((line) => `data: ${line}`);
}
