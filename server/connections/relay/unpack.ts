import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress, constants } from 'node:zlib';

/** More than this is not kept for a stream that comes faster than it can be unpacked. */
const WAITING_BYTES = 1_048_576;
/** Words alone in the large frames of a platform reach about 85: what grows more is meant to. */
const MOST_FOLD = 100;
const UNPACKED_BYTES = 2_097_152;

/** RFC 9659: no content is packed with a larger window, for which the receiver has to have the memory. */
const ZSTD = { [constants.ZSTD_d_windowLogMax]: 23 };

const UNPACK = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush, params: ZSTD }),
};

export type Unpacked = { push(chunk: Buffer): void; end(): void };

/**
 * Hands the bytes of a packed stream on as soon as they can be read, and says once that there are no more. What is
 * damaged, grows beyond reason or comes too fast is not read on. Undefined: packed in a way that the hub does not know.
 */
export function unpack(
  encoding: string | undefined,
  { hear, over }: { hear(bytes: Buffer): void; over(): void },
): Unpacked | undefined {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '') return { push: hear, end: over };
  if (!Object.hasOwn(UNPACK, name)) return undefined;
  const stream = UNPACK[name as keyof typeof UNPACK]();
  let [packedBytes, unpackedBytes, stopped] = [0, 0, false];
  const stop = (): void => {
    if (stopped) return;
    stopped = true;
    stream.destroy();
  };
  stream.on('error', stop);
  stream.once('close', over);
  stream.on('data', (bytes: Buffer) => {
    unpackedBytes += bytes.length;
    if (unpackedBytes > UNPACKED_BYTES && unpackedBytes > packedBytes * MOST_FOLD) return stop();
    hear(bytes);
  });
  return {
    push(chunk) {
      if (stopped) return;
      if (stream.writableLength > WAITING_BYTES) return stop();
      packedBytes += chunk.length;
      stream.write(chunk);
    },
    end() {
      if (!stopped) stream.end();
    },
  };
}
