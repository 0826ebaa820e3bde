import { z } from 'zod';
import { readForSource } from '../../inquiries/read.ts';
import { readAsSource } from '../../inquiries/store.ts';
import { InquiryId, readArguments, requireSource, type Call, type ToolResult } from './call.ts';
import { outcomeResult, toolResult } from './result.ts';
import { Aside } from './schema.ts';

/**
 * What the decider of this source would answer where nobody did. It resolves nothing and collects nothing; what somebody
 * decided is handed over as it is.
 */
export async function decideForHuman(call: Call): Promise<ToolResult> {
  const { inquiryId, ...aside } = readArguments(call, z.object({ inquiryId: InquiryId, ...Aside.shape }));
  const { parts, words } = call;
  const sourceId = requireSource(call).id;
  const inquiry = await readAsSource(parts.inquiries.database, inquiryId, sourceId);
  const said = await parts.deciders.say(inquiry, aside);
  const now = parts.inquiries.database.clock.now();
  if (!said) return outcomeResult(await readForSource(parts.inquiries, inquiryId, sourceId), words, { now });
  const { name, answer, text } = said;
  const message = answer ? words.decidedFor(name, text) : words.undecided(name, text);
  return toolResult(message, {
    status: answer ? 'decided' : 'undecided',
    inquiryId,
    by: { kind: 'decider', label: name },
    ...(answer ? { answer } : {}),
  });
}
