// Not by eventsource-parser: it hands over what an event says, and what passes must pass as the bytes that came.

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
export function eventData(event: Buffer): string | undefined {
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
export function toEvent(message: string): string {
  return `event: message\n${dataLines(message).join('\n')}\n\n`;
}

function dataLines(message: string): string[] {
  return message.split(/\r\n|\n|\r/).map((line) => `data: ${line}`);
}

/** The largest part of a reply that is read as a whole; what merely passes may be of any length. */
export const WHOLE_BYTES = 64 * 1024 * 1024;

/** What had to be read as a whole is longer than that. */
export class TooLong extends Error {
  constructor(bytes: number) {
    super(`it is longer than ${bytes / 1024 / 1024} MB`);
  }
}

export type Whole = {
  /** Throws `TooLong` where there would be more than the limit. */
  add(bytes: Uint8Array): void;
  /** All that was added since the last time. */
  take(): Buffer;
  size(): number;
};

/** Gathers pieces of whatever size into one, in time and memory that go with the bytes and not with the pieces. */
export function gather(limit = WHOLE_BYTES): Whole {
  let room = Buffer.alloc(0);
  let size = 0;
  return {
    add(bytes) {
      const next = size + bytes.length;
      if (next > limit) throw new TooLong(limit);
      if (next > room.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(next, Math.min(2 * room.length, limit), 4096));
        room.copy(larger, 0, 0, size);
        room = larger;
      }
      room.set(bytes, size);
      size = next;
    },
    take() {
      const whole = room.subarray(0, size);
      room = Buffer.alloc(0);
      size = 0;
      return whole;
    },
    size: () => size,
  };
}
