import { NewNotice } from '#shared/wire.ts';
import { sendNotice } from '../../notices/send.ts';
import { toolResult } from '../result.ts';
import { readArguments, sourceOf } from './arguments.ts';
import type { Call, ToolResult } from './call.ts';

/** Tells people something that needs no answer. */
export async function sendNoticeTool(call: Call): Promise<ToolResult> {
  const { to } = call.visit.overrides;
  const given = { ...readArguments(call, NewNotice), ...(to ? { to } : {}) };
  const { notice } = await sendNotice(call.parts.notices, sourceOf(call).id, given);
  return toolResult(call.words.noticeSent, { noticeId: notice.id });
}
