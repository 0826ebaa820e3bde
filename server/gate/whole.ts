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
