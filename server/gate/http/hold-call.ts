import { decidedByName, refusal, toolResult, verdictOf, type Reply, type ToolCall } from '../call.ts';
import { expectRetry, isRetry, takeRetry, type Continuation } from '../continuations.ts';
import { CallCancelled, holdCall } from '../hold.ts';
import type { Tool } from '@modelcontextprotocol/client';
import { paramFaultOf } from '../stdio/headers.ts';
import { forward, headersOf, type Forwarded } from './forward.ts';
import { withParamHeaders, type Headers } from './headers.ts';
import { withValue } from './json-text.ts';
import { errorMessage, idOf, INTERNAL_ERROR, type Posted, type RpcId } from './message.ts';
import { probeSession } from './probe.ts';
import type { Watch } from './relay.ts';
import { forgetResumable, keepWhileHeld, runResumable } from './resume.ts';
import type { Visit } from './visit.ts';

export type PostedCall = Posted & { call: ToolCall };
/** A watch of the reply to what is sent. */
type WatchOf = (sent: string) => Watch;

const HELD_CHARACTERS = 524_288;
const TOO_LONG = 'The call was not run: it is longer than a call that a person decides may be (512 KiB).';

/**
 * A call of a tool: passed on as it is, answered in the tool's place, or held until a person has decided.
 * What is approved is what is sent on: the same bytes, or these bytes with the edited arguments in them.
 */
export async function passCall(
  visit: Visit,
  posted: PostedCall,
  body: Buffer | string,
  watch?: WatchOf,
): Promise<void> {
  const { gates, gate } = visit;
  const { call } = posted;
  const id = idOf(posted.message);
  const known = decidedByName(gate, call.name) ? undefined : await gates.catalogue.tool(gate, call.name);
  const verdict = verdictOf(gate, call.name, known);
  if (verdict.does === 'allow') {
    gates.count('allowed');
    return forward(visit, { method: 'POST', id, body, watch: watch?.(posted.text) });
  }
  if (verdict.does === 'deny') {
    gates.count('denied');
    return reply(visit, posted, refusal(verdict.text));
  }
  // Kept in memory until somebody decides: what is longer could not be shown to them anyway.
  if (posted.text.length > HELD_CHARACTERS) return reply(visit, posted, refusal(TOO_LONG));
  const fault = posted.modern ? paramFaultOf(visit.headers as Headers, known, call.argsText) : undefined;
  if (fault) return visit.outlet.end(JSON.stringify({ jsonrpc: '2.0', id, error: fault }), 400);
  const round = roundOf(visit, posted);
  const retried = isRetry(posted.message.params) ? await takeRetry(gates.inquiries.database, round) : undefined;
  if (retried) return approved(visit, posted, body, { tool: known, approval: retried, watch });
  const { accept } = visit.headers;
  if (accept !== undefined && !/text\/event-stream|\*\/\*/.test(accept)) {
    const message = 'Not Acceptable: a call that waits for a person is answered as text/event-stream; accept that too.';
    return visit.outlet.end(JSON.stringify(errorMessage({ id, code: -32000, message })), 406);
  }
  if (!posted.modern && !(await probeSession(visit, id))) return;
  await runResumable(visit, (present) => askPerson(present, posted, body, known, watch));
}

async function askPerson(
  visit: Visit,
  posted: PostedCall,
  body: Buffer | string,
  tool: Tool | undefined,
  watch?: WatchOf,
): Promise<void> {
  const { gates, gate, source, outlet, sessionId, agent, language } = visit;
  const requestId = idOf(posted.message) as RpcId;
  const abort = new AbortController();
  const lost = (): void => abort.abort(outlet.closed.reason);
  outlet.closed.addEventListener('abort', lost);
  if (outlet.closed.aborted) lost();
  const forget = gates.cancellable.add({ gate: gate.name, sourceId: source.id, sessionId, requestId }, abort);
  const kept = keepWhileHeld(visit, posted.text);
  let first: NodeJS.Timeout | undefined;
  try {
    const held = await holdCall(gates, {
      gate,
      source,
      call: posted.call,
      tool,
      sessionId,
      graceMs: posted.modern ? undefined : gates.pace.graceMs,
      requestId,
      agent,
      language,
      signal: abort.signal,
      onAsked(inquiryId) {
        kept.asked(inquiryId);
        clearTimeout(first);
        const question = `${gate.name}: ${posted.call.name}`;
        first = setTimeout(() => outlet.commit({ question, inquiryId }), gates.pace.firstFrameMs);
      },
    });
    clearTimeout(first);
    forget();
    if (held !== 'gone' || abort.signal.reason instanceof CallCancelled) await kept.decided();
    if (held === 'gone') return gone(visit, requestId, abort.signal);
    const { inquiryId } = held;
    if (held.type === 'reply') return reply(visit, posted, held, inquiryId);
    outlet.keep();
    const approval: Continuation | undefined = inquiryId === undefined ? undefined : { ...held, inquiryId };
    await approved(visit, posted, body, { tool, approval, watch });
  } finally {
    clearTimeout(first);
    forget();
    outlet.closed.removeEventListener('abort', lost);
  }
}

type Approved = { tool: Tool | undefined; approval: Continuation | undefined; watch?: WatchOf | undefined };

async function approved(visit: Visit, posted: PostedCall, body: Buffer | string, with_: Approved): Promise<void> {
  const { tool, approval, watch: watchOf } = with_;
  const argsText = approval?.argsText;
  const sent = argsText === undefined ? posted.text : withValue(posted.text, ['params', 'arguments'], argsText);
  const edited: Partial<Forwarded> =
    argsText === undefined ? { body } : { body: sent, headers: withParamHeaders(headersOf(visit), tool, argsText) };
  const watch = watchOf?.(sent);
  await forward(visit, {
    method: 'POST',
    id: idOf(posted.message),
    ...edited,
    // Up to 2025-11-25 a lost connection is no cancel: what was approved runs to its end.
    signal: posted.modern ? undefined : new AbortController().signal,
    watch: posted.modern && approval ? watchRounds(visit, posted, approval, watch) : watch,
  });
}

// The upstream may want to hear more before it is done: the same approved call comes back with its state.
function watchRounds(visit: Visit, posted: PostedCall, approval: Continuation, watch: Watch | undefined): Watch {
  return async (message, text) => {
    const seen = watch ? await watch(message, text) : 'pass';
    if (seen === 'pass' && message.result?.['resultType'] === 'input_required') {
      const { requestState } = message.result;
      await expectRetry(
        visit.gates.inquiries.database,
        { ...roundOf(visit, posted), requestState: textOf(requestState) },
        approval,
      );
    }
    return seen;
  };
}

function roundOf({ source, gate }: Visit, { call, message }: PostedCall) {
  return { sourceId: source.id, gate: gate.name, call, requestState: textOf(message.params?.['requestState']) };
}

function textOf(state: unknown): string | undefined {
  return typeof state === 'string' ? state : undefined;
}

function reply({ outlet, gates }: Visit, { message, modern }: PostedCall, answer: Reply, inquiryId?: string): void {
  outlet.keep();
  if (inquiryId !== undefined) outlet.onWritten(() => gates.inquiries.collected.add(inquiryId));
  outlet.end(JSON.stringify({ jsonrpc: '2.0', id: idOf(message), result: toolResult(answer, modern) }));
}

function gone(visit: Visit, id: RpcId, signal: AbortSignal): void {
  const { outlet, gates } = visit;
  if (signal.reason instanceof CallCancelled) forgetResumable(visit);
  // A call that was taken back gets no reply (MCP, cancellation).
  if (signal.reason instanceof CallCancelled) return outlet.end(undefined, 202);
  if (signal.aborted) return outlet.break();
  if (outlet.streaming() || !gates.inquiries.waiters.stopping()) return outlet.break();
  const message = 'The hub is stopping; send the same call again and it finds its question.';
  outlet.end(JSON.stringify(errorMessage({ id, code: INTERNAL_ERROR, message })), 503);
}
