const NEWLINE = 0x0a;

/** The largest message that is looked into, as in the official SDK; a longer one passes unread. */
export const LINE_BYTES = 32 * 1024 * 1024;

/**
 * Passes a stream of lines on byte for byte, each when it is whole, and none for which `passes` says no. A line of our own
 * is put between two others, never into one.
 */
export function createLines(
  write: (bytes: Buffer) => void,
  { passes, max = LINE_BYTES }: { passes: (line: Buffer) => boolean; max?: number },
) {
  let parts: Buffer[] = [];
  let size = 0;
  /** The beginning of a line that is too long has passed, and its end has not. */
  let inside = false;
  const waiting: Buffer[] = [];

  const release = (): void => {
    const line = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    parts = [];
    size = 0;
    if (inside || passes(line)) write(line);
  };
  const take = (part: Buffer, ends: boolean): void => {
    parts.push(part);
    size += part.length;
    if (size > max) inside = true;
    if (ends || inside) release();
    if (ends) inside = false;
    if (!inside) for (const line of waiting.splice(0)) write(line);
  };
  return {
    push(chunk: Buffer): void {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at + 1), true);
        from = at + 1;
      }
      // Copied: the chunk may be a window into memory that is used again.
      if (from < chunk.length) take(Buffer.from(chunk.subarray(from)), false);
    },
    /** Nothing follows: what has no end of line passes as it is. */
    end: (): void => {
      if (parts.length > 0) release();
    },
    insert(message: object): void {
      const line = Buffer.from(`${JSON.stringify(message)}\n`);
      if (inside) waiting.push(line);
      else write(line);
    },
  };
}
