const NEWLINE = 0x0a;

/** The largest message that passes in one line; images and files travel in them. */
export const LINE_BYTES = 64 * 1024 * 1024;

/**
 * Cuts a stream of bytes into the lines of MCP's stdio transport, without their newline, and hands over
 * each as it was written. A line above `max` bytes is handed to `onTooLong` once, in place of all that follows.
 */
export function lineReader(
  onLine: (line: Buffer) => void,
  { max = LINE_BYTES, onTooLong }: { max?: number; onTooLong: () => void },
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  let stopped = false;
  return (chunk) => {
    let from = 0;
    while (!stopped) {
      const at = chunk.indexOf(NEWLINE, from);
      const part = chunk.subarray(from, at < 0 ? undefined : at);
      size += part.length;
      if (size > max) {
        stopped = true;
        parts = [];
        return onTooLong();
      }
      if (at < 0) {
        // Copied: the chunk may be a window into memory that is used again.
        if (part.length > 0) parts.push(Buffer.from(part));
        return;
      }
      const line = parts.length === 0 ? part : Buffer.concat([...parts, part]);
      parts = [];
      size = 0;
      from = at + 1;
      if (line.length > 0) onLine(line);
    }
  };
}
