import { z } from 'zod';
import { holdCall } from '../waiting/hold.ts';
import { legOf } from '../waiting/legs.ts';
import { InquiryId, readArguments, sourceOf } from './arguments.ts';
import type { Call, ToolResult, Unfinished } from './call.ts';

const Input = z.object({ inquiryId: InquiryId });

/** Goes on waiting for an inquiry of this source. It only reads: its end, however it comes, leaves the inquiry open. */
export async function getAnswer(call: Call): Promise<ToolResult | Unfinished> {
  const { inquiryId } = readArguments(call, Input);
  return holdCall(call, { sourceId: sourceOf(call).id, inquiryId, by: 'source', leg: legOf(call) });
}
