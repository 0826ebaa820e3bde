import { waitFor, type ClientWait } from '../../mcp/pace.ts';
import { refusal, toolResult, undecided, type Reply, type ToolCall } from '../call.ts';
import { decidedByName, decide } from '../../policies/decide.ts';
import { expectRetry, isRetry, takeRetry, type Continuation } from '../continuations.ts';
import { CallCancelled, holdCall, type Undecided } from '../hold.ts';
import type { Tool } from '@modelcontextprotocol/client';
import type { Leg, LegOf } from '../waiting/legs.ts';
import { forward, headersOf, type Forwarded } from './forward.ts';
import { paramFaultOf, withParamHeaders, type Headers } from './headers.ts';
import { textAt, withoutValue, withValue } from '../json-text.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, type Id } from '../messages.ts';
import { errorMessage, idOf, type Posted } from './message.ts';
import { probeSession } from './probe.ts';
import type { Watch } from './relay.ts';
import { forgetResumable, keepWhileHeld, runResumable } from './resume.ts';
import type { Visit } from './visit.ts';

type PostedCall = Posted & { call: ToolCall };
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
  { text, message, batch, modern }: Posted,
  bytes: Buffer | string,
  watch?: WatchOf,
): Promise<void> {
  const { gates, gate } = visit;
  const name = message.params?.['name'] as string;
  const known = decidedByName(gate, name) ? undefined : await gates.catalogue.tool(gate, name);
  const verdict = decide(gate, name, known);
  // Not read further: what is longer could not be shown to a person, and goes on with no leg of this gate.
  const short = text.length <= HELD_CHARACTERS;
  const argsText = short ? (textAt(text, ['params', 'arguments'], message) ?? '{}') : '';
  const given: PostedCall = { text, message, batch, modern, call: { name, argsText } };
  const leg = short ? gates.legs.read(legOf(visit, given), message.params) : undefined;
  const isLeg = typeof leg === 'object';
  const posted = isLeg ? withoutLeg(given) : given;
  const body = isLeg ? posted.text : bytes;
  const id = idOf(message);
  if (verdict.does === 'allow') {
    gates.count('allowed');
    return forward(visit, { method: 'POST', id, body, watch: watch?.(posted.text) });
  }
  if (verdict.does === 'deny') {
    gates.count('denied');
    return reply(visit, posted, refusal(verdict.text));
  }
  if (!short) return reply(visit, posted, refusal(TOO_LONG));
  const fault = modern ? paramFaultOf(visit.headers as Headers, known, argsText) : undefined;
  if (fault) return visit.outlet.end(JSON.stringify({ jsonrpc: '2.0', id, error: fault }), 400);
  const round = roundOf(visit, posted);
  const retried = isRetry(posted.message.params) ? await takeRetry(gates.inquiries.database, round) : undefined;
  if (retried) return approved(visit, posted, body, { tool: known, approval: retried, watch });
  // Asked for only now: the upstream may be a gate of this hub too, whose states pass.
  if (leg === 'another') {
    const message = 'Invalid params: this requestState belongs to another call.';
    return visit.outlet.end(JSON.stringify(errorMessage({ id, code: INVALID_PARAMS, message })), 400);
  }
  const { accept } = visit.headers;
  if (accept !== undefined && !/text\/event-stream|\*\/\*/.test(accept)) {
    const message = 'Not Acceptable: a call that waits for a person is answered as text/event-stream; accept that too.';
    return visit.outlet.end(JSON.stringify(errorMessage({ id, code: -32000, message })), 406);
  }
  if (!posted.modern && !(await probeSession(visit, id))) return;
  await runResumable(visit, (present) => askPerson(present, { posted, body, tool: known, leg, watch }));
}

type Asking = {
  posted: PostedCall;
  body: Buffer | string;
  tool: Tool | undefined;
  leg: Leg | undefined;
  watch: WatchOf | undefined;
};

async function askPerson(visit: Visit, asking: Asking): Promise<void> {
  const { posted, body, tool, leg, watch } = asking;
  const { gates, gate, source, outlet, sessionId, agent, language } = visit;
  const requestId = idOf(posted.message) as Id;
  const abort = new AbortController();
  const lost = (): void => abort.abort(outlet.closed.reason);
  outlet.closed.addEventListener('abort', lost);
  if (outlet.closed.aborted) lost();
  const forget = gates.cancellable.add({ gate: gate.name, sourceId: source.id, sessionId, requestId }, abort);
  const kept = keepWhileHeld(visit, posted.text);
  const wait = waitOf(visit, posted);
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
      waitMs: Math.max(0, wait.ms - (performance.now() - visit.begunAt)),
      leg,
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
    if (held.type === 'undecided') return comeAgain(visit, asking, held, wait);
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

// A round of the upstream's, which this hub knows nothing of, cannot be sent again after a leg: its state has no room.
function waitOf({ gates, waitSeconds }: Visit, { message, modern }: PostedCall): ClientWait {
  const meta = message.params?.['_meta'] as { progressToken?: unknown } | undefined;
  const wait = waitFor({ modern, progressToken: meta?.progressToken, waitSeconds }, gates.pace);
  return wait.becomes === 'leg' && isRetry(message.params) ? { ...wait, becomes: 'pending' } : wait;
}

// The client calls again by itself where it follows legs and has not followed too many; else its model does.
function comeAgain(visit: Visit, { posted, tool, leg }: Asking, held: Undecided, { becomes }: ClientWait): void {
  const { gates, outlet, language } = visit;
  const round = (leg?.round ?? 0) + 1;
  if (becomes !== 'leg' || round >= gates.pace.legRounds) return reply(visit, posted, undecided(language, tool));
  const { inquiryId, ordinal } = held;
  const requestState = gates.legs.mint(legOf(visit, posted), { inquiryId, ordinal, round });
  const result = { resultType: 'input_required', requestState };
  outlet.end(JSON.stringify({ jsonrpc: '2.0', id: idOf(posted.message), result }));
}

function legOf({ gate, source }: Visit, { call }: PostedCall): LegOf {
  return { gate: gate.name, sourceId: source.id, call };
}

/** The call as it was before its client carried a leg in it: what a person decides and the upstream sees. */
function withoutLeg(posted: PostedCall): PostedCall {
  const { requestState: _leg, ...params } = posted.message.params ?? {};
  const text = withoutValue(posted.text, ['params', 'requestState']);
  return { ...posted, text, message: { ...posted.message, params } };
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
    // Up to 2025-11-25 a lost connection is no cancel: what was approved runs on, but not for ever.
    signal: posted.modern ? undefined : visit.outlet.abandoned,
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

function gone(visit: Visit, id: Id, signal: AbortSignal): void {
  const { outlet, gates } = visit;
  if (signal.reason instanceof CallCancelled) forgetResumable(visit);
  // A call that was taken back gets no reply (MCP, cancellation).
  if (signal.reason instanceof CallCancelled) return outlet.end(undefined, 202);
  if (signal.aborted) return outlet.break();
  if (outlet.streaming() || !gates.inquiries.waiters.stopping()) return outlet.break();
  const message = 'The hub is stopping; send the same call again and it finds its question.';
  outlet.end(JSON.stringify(errorMessage({ id, code: INTERNAL_ERROR, message })), 503);
}
