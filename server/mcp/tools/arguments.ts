import { z } from 'zod';
import { invalid, parseOrRefuse } from '#shared/faults.ts';
import { BODY_LIMIT } from '../../platform/http/http.ts';
import type { SourceCaller, DeviceCaller } from '../../platform/http/access.ts';
import type { Call } from './call.ts';

/** The arguments of a call as this schema has them; throws 422 with every fault. */
export function readArguments<T extends z.ZodType>({ args }: Call, schema: T): z.output<T> {
  if (Buffer.byteLength(JSON.stringify(args)) > BODY_LIMIT)
    throw invalid([{ path: '', code: 'request.too_large', message: 'is more than 256 KiB' }]);
  return parseOrRefuse(schema, args);
}

/** An id as a model may write it. */
export const InquiryId = z
  .string()
  .trim()
  .max(100)
  .regex(/^\P{Cc}*$/u, 'holds a control character');

/** The source behind a call of a tool of sources. */
export function sourceOf({ visit: { caller } }: Call): SourceCaller {
  if (caller.kind !== 'source') throw new Error('A tool of sources was reached by a device.');
  return caller;
}

/** The device behind a call of a tool of devices. */
export function deviceOf({ visit: { caller } }: Call): DeviceCaller {
  if (caller.kind !== 'device') throw new Error('A tool of devices was reached by a source.');
  return caller;
}
