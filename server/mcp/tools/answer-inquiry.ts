import type { AnswerReply } from '#shared/answer.ts';
import { AnswerBody } from '#shared/answer.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { answererOf } from '../../inquiries/routes/people.ts';
import { nameOf, toolResult } from '../result.ts';
import type { Words } from '../words/words.ts';
import { deviceOf, InquiryId, readArguments } from './arguments.ts';
import type { Call, ToolResult } from './call.ts';

const Input = AnswerBody.omit({ via: true }).extend({ inquiryId: InquiryId });

/** Answers in the name of the person whose device calls; a loser is told who won (RES2). */
export async function answerInquiryTool(call: Call): Promise<ToolResult> {
  const { inquiryId, ...body } = readArguments(call, Input);
  const answerer = answererOf(deviceOf(call), 'mcp');
  const reply = await answerInquiry(call.parts.inquiries, answerer, inquiryId, body, call.visit.arrivedAt);
  return toolResult(saidOf(reply, call.words), reply);
}

function saidOf({ won, resolution }: AnswerReply, words: Words): string {
  const { outcome, by, at, text } = resolution;
  if (won) return words.won;
  if (outcome === 'expired' || outcome === 'withdrawn') return words.tooLate(outcome, at);
  return `${words.lost(nameOf(resolution), by.kind === 'person' ? by.device.name : by.label, at)}\n${text}`;
}
