import { invalid } from '#shared/faults.ts';
import { AppError } from '#shared/problem.ts';
import { BODY_LIMIT } from '../../platform/http/http.ts';

const MAX_DEPTH = 64;

/**
 * Throws what `parseExact` throws for the same thing over HTTP: nesting deeper than 64, U+0000, half of a surrogate
 * pair, a member `__proto__`, more than 256 KiB of text; and binary attachments. It keeps its own stack, because
 * socket.io has parsed the text already and a recursion could exhaust ours.
 */
export function refuseUnsafe(payload: unknown): void {
  const rest: { value: unknown; depth: number }[] = [{ value: payload, depth: 0 }];
  let bytes = 0;
  const take = (text: string) => {
    bytes += Buffer.byteLength(text) + 3;
    if (text.includes('\u0000')) throw unsafe('A text contains the character U+0000.');
    if (!text.isWellFormed()) throw unsafe('A text contains half of a surrogate pair.');
  };
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, depth } = next;
    bytes += 2;
    if (typeof value === 'string') take(value);
    else if (Buffer.isBuffer(value)) throw unsafe('Binary attachments are not taken.');
    else if (typeof value === 'object' && value !== null) {
      if (depth === MAX_DEPTH)
        throw new AppError(400, 'request.malformed', `The JSON nests deeper than ${MAX_DEPTH} levels.`);
      for (const [member, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) take(member);
        if (member === '__proto__') throw unsafe('A member may not be named "__proto__".');
        rest.push({ value: inner, depth: depth + 1 });
      }
    }
    if (bytes > BODY_LIMIT)
      throw new AppError(413, 'request.too_large', 'The event is larger than this hub takes (256 KiB).');
  }
}

function unsafe(reason: string): AppError {
  return invalid([{ path: '', code: 'text.unsafe', message: `cannot be taken: ${reason}` }]);
}
