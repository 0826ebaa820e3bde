import type { Words } from './words/vocabulary.ts';
import { z } from 'zod';
import { AnswerBody, type AnswerReply } from '#shared/answer.ts';
import type { HandReply } from '#shared/hands.ts';
import { Num } from '#shared/schemas/values.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { refuseStrangeAnswer } from '../../inquiries/check.ts';
import { readHistory } from '../../reports/history/read.ts';
import { readOpen } from '../../inquiries/read.ts';
import { toAnswerer } from '../../inquiries/answerer.ts';
import { requireDevice, InquiryId, readArguments, type Call, type ToolResult } from './call.ts';
import { resolverName, toolResult } from './result.ts';
const Answer = AnswerBody.omit({ via: true, assertion: true, code: true }).extend({ inquiryId: InquiryId });
const Listing = z.object({
  state: z.enum(['open', 'resolved']).default('open'),
  cursor: InquiryId.optional(),
  limit: Num.pipe(z.int().min(1).max(100)).default(50),
});

/** What a person is asked, as their device sees it. */
export async function listInquiries(call: Call): Promise<ToolResult> {
  const { state, cursor, limit } = readArguments(call, Listing);
  const { read, clock } = call.parts.inquiries.database;
  const device = requireDevice(call);
  const viewer = { personId: device.person.id, deviceId: device.id };
  const page =
    state === 'open'
      ? await readOpen(read, viewer, { limit, cursor, now: clock.now() })
      : await readHistory(read, viewer, { limit, cursor });
  return { content: [{ type: 'text', text: JSON.stringify(page) }], structuredContent: page };
}

/** Answers in the name of the person whose device calls; a loser is told who won (RES2). */
export async function answerInquiryTool(call: Call): Promise<ToolResult> {
  refuseStrangeAnswer(call.args);
  const { inquiryId, ...body } = readArguments(call, Answer);
  const answerer = toAnswerer(requireDevice(call), 'mcp');
  const reply = await answerInquiry(call.parts.inquiries, answerer, inquiryId, body, call.mcpRequest.arrivedAt);
  return toolResult(describeReply(reply, call.words), reply);
}

function describeReply(reply: AnswerReply | HandReply, words: Words): string {
  if ('inquiry' in reply) {
    const { approved = [], approvals } = reply.inquiry;
    return words.held(approved.length, approvals?.count ?? 1);
  }
  const { won, resolution } = reply;
  const { outcome, by, at, text } = resolution;
  if (won) return words.won;
  if (outcome === 'expired' || outcome === 'withdrawn') return words.tooLate(outcome, at);
  return `${words.lost(resolverName(resolution), by.kind === 'person' ? by.device.name : by.label, at)}\n${text}`;
}
