import { z } from 'zod';
import { AppError } from '#shared/problem.ts';
import { readForSource } from '../../inquiries/read.ts';
import { collectWith } from '../../inquiries/wait.ts';
import { withdrawInquiry } from '../../inquiries/withdraw.ts';
import { outcomeResult } from '../result.ts';
import { InquiryId, readArguments, sourceOf } from './arguments.ts';
import type { Call, ToolResult } from './call.ts';

const Input = z.object({ inquiryId: InquiryId, reason: z.string().max(2000).optional() });

/** Takes an inquiry back; one that was resolved first is handed over instead. */
export async function withdrawInquiryTool(call: Call): Promise<ToolResult> {
  const { inquiryId, reason } = readArguments(call, Input);
  const { parts, words } = call;
  const { inquiries } = parts;
  const sourceId = sourceOf(call).id;
  try {
    return outcomeResult(await withdrawInquiry(inquiries, sourceId, inquiryId, reason), words);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'inquiry.already_resolved') throw error;
    const inquiry = await readForSource(inquiries, inquiryId, sourceId);
    const result = outcomeResult(inquiry, words);
    if (call.era === 'modern') collectWith(inquiries, call.visit.reply, inquiry);
    return { ...result, content: [{ type: 'text', text: words.alreadyResolved }, ...result.content] };
  }
}
