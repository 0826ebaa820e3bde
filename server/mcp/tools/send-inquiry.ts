import { Ask } from '#shared/inquiry.ts';
import { ask } from '../../inquiries/ask.ts';
import { renewLease } from '../../inquiries/lease.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { holdCall } from '../waiting/hold.ts';
import { legOf } from '../waiting/legs.ts';
import { readArguments, sourceOf } from './arguments.ts';
import type { Call, ToolResult, Unfinished } from './call.ts';

const MAX_AGENT = 200;

/**
 * Asks and waits. A call that comes again, after a lost connection, a restart or a time-out, finds the inquiry it
 * opened (ASK5); one whose fault is the asker's is refused with every fault and nobody is woken (ASK3).
 */
export async function sendInquiry(call: Call): Promise<ToolResult | Unfinished> {
  const { inquiries, pace } = call.parts;
  const { id: sourceId } = sourceOf(call);
  const leg = legOf(call);
  if (leg) {
    // Taken anew, so that it outlives this leg too.
    await renewLease(inquiries, leg.inquiryId, pace.legMs + pace.graceMs);
    return holdCall(call, { sourceId, inquiryId: leg.inquiryId, by: 'asker', leg });
  }
  const given = readAsk(call);
  const waitMs = untilDeadline(given, inquiries.database.clock.now());
  const { inquiryId, inquiry } = await ask(inquiries, { sourceId, ask: given, waitMs });
  return holdCall(call, { sourceId, inquiryId, first: inquiry, by: 'asker' });
}

function readAsk(call: Call): Ask {
  const { overrides, locale } = call.visit;
  const { latest, ...given } = readArguments(call, Ask);
  const agent = given.context?.agent ?? call.agent?.slice(0, MAX_AGENT);
  const language = given.context?.language ?? (overrides.locale === undefined ? undefined : locale);
  const context = { ...given.context, ...(agent ? { agent } : {}), ...(language ? { language } : {}) };
  return {
    ...given,
    ...(overrides.to ? { to: overrides.to } : {}),
    ...(overrides.deadlineSeconds === undefined
      ? latest === undefined
        ? {}
        : { latest }
      : { deadline: overrides.deadlineSeconds }),
    ...(Object.keys(context).length > 0 ? { context } : {}),
  };
}

// The lease of the call: it is let go of, or ended, whenever the call is; only a node that dies leaves it standing.
function untilDeadline({ deadline }: Ask, now: number): number {
  if (deadline === undefined) return DAY_MS;
  const ms = typeof deadline === 'number' ? deadline * 1000 : Date.parse(deadline) - now;
  return Math.max(1, Math.min(ms, 30 * DAY_MS));
}
