import { z } from 'zod';
import { Num } from '#shared/inquiry.ts';
import { readHistory } from '../../inquiries/history/read.ts';
import { readOpen } from '../../inquiries/inbox.ts';
import { InquiryId, deviceOf, readArguments } from './arguments.ts';
import type { Call, ToolResult } from './call.ts';

const Input = z.object({
  state: z.enum(['open', 'resolved']).default('open'),
  cursor: InquiryId.optional(),
  limit: Num.pipe(z.int().min(1).max(100)).default(50),
});

/** What a person is asked, as their device sees it. */
export async function listInquiries(call: Call): Promise<ToolResult> {
  const { state, cursor, limit } = readArguments(call, Input);
  const { read, clock } = call.parts.inquiries.database;
  const device = deviceOf(call);
  const viewer = { personId: device.person.id, deviceId: device.id };
  const page =
    state === 'open'
      ? await readOpen(read, viewer, { limit, cursor, now: clock.now() })
      : await readHistory(read, viewer, { limit, cursor });
  return { content: [{ type: 'text', text: JSON.stringify(page) }], structuredContent: page };
}
