/** As much of the protocol buffers' wire format as the services of Chromium's push speak. */

/** A field with an integer. */
export function integer(field: number, value: number | bigint): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

/** A field with a fixed 64-bit integer. */
export function fixed64(field: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([varint((field << 3) | 1), bytes]);
}

/** A field with text, bytes or another message. */
export function bytes(field: number, value: string | Buffer): Buffer {
  const content = Buffer.from(value);
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}

export function varint(value: number | bigint): Buffer {
  const septets: number[] = [];
  for (let rest = BigInt(value); septets.length === 0 || rest > 0n; rest >>= 7n) {
    septets.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
  }
  return Buffer.from(septets);
}

/** The integer that begins at `at`, and where it ends; undefined when the rest of it has not come yet. */
export function readVarint(from: Buffer, at: number): { value: number; end: number } | undefined {
  let value = 0n;
  for (let index = at, shift = 0n; index < from.length; index++, shift += 7n) {
    const septet = from[index] ?? 0;
    value |= BigInt(septet & 127) << shift;
    if (septet < 128) return { value: Number(value), end: index + 1 };
  }
  return undefined;
}

/** The text fields of a message, by number, each as often as it is there. */
export function readTexts(message: Buffer): Map<number, string[]> {
  const texts = new Map<number, string[]>();
  for (let at = 0; at < message.length;) {
    const tag = readVarint(message, at);
    const number = tag && readVarint(message, tag.end);
    if (!tag || !number) break;
    const [field, wire] = [Math.floor(tag.value / 8), tag.value % 8];
    if (wire === 2) {
      texts.set(field, [...(texts.get(field) ?? []), message.toString('utf8', number.end, number.end + number.value)]);
    }
    at = { 0: number.end, 1: tag.end + 8, 2: number.end + number.value, 5: tag.end + 4 }[wire] ?? message.length;
  }
  return texts;
}
