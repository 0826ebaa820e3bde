import type { Tool } from '@modelcontextprotocol/client';
import { hasEnded } from '#shared/validity.ts';
import { chooseWait } from '../../hold.ts';
import { decide, decidedByName } from '../../../automation/rules/decide.ts';
import { readForSource } from '../../../inquiries/read.ts';
import {
  ended,
  goesOn,
  isNextRound,
  refusal,
  toolResult,
  undecided,
  withEdit,
  withReceipt,
  type AskAbout,
  type Reply,
  type ToolCall,
} from '../call.ts';
import {
  cancelCall,
  expectRound,
  invite,
  keepCall,
  callNames,
  takeCall,
  takeInvited,
  takeRound,
  type Approval,
  type Round,
} from '../continuations.ts';
import { CallCancelled, CallTimedOut, holdCall, createPeople, takenBack, type Place } from '../hold.ts';
import { textAt, withValue } from '../../json-text.ts';
import {
  errorMessage,
  readId,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  displayName,
  withoutState,
  type Id,
} from '../../messages.ts';
import type { CallHere } from '../../calls.ts';
import { forward, upstreamHeaders, sessionIsKnown, type Forwarded, type Watch } from './forward.ts';
import { checkParamHeaders, withParamHeaders, type Headers } from './headers.ts';
import type { Posted } from './message.ts';
import type { GateRequest } from './gate-request.ts';
import { currentTrace, inSpan, readTrace } from '../../../platform/trace.ts';

type PostedCall = Posted & { call: ToolCall };
/** A watch of the reply to what is sent. */
type WatchOf = (sent: string) => Watch;
type Held = {
  posted: PostedCall;
  body: Buffer | string;
  tool: Tool | undefined;
  watch: WatchOf | undefined;
};

const HELD_CHARACTERS = 524_288;
const TOO_LONG = 'The call was not run: it is longer than a call that a person decides may be (512 KiB).';

/**
 * A call of a tool: passed on as it is, answered in the tool's place, or held until a person has decided.
 * What is approved is what is sent on: the same bytes, or these bytes with the edited arguments in them.
 */
export function passCall(
  gateRequest: GateRequest,
  posted: Posted,
  bytes: Buffer | string,
  watch?: WatchOf,
): Promise<void> {
  const { params } = posted.message;
  const about = { 'beckon.gate': gateRequest.gate.name, 'gen_ai.tool.name': String(params?.['name']) };
  const trace = readTrace(params?._meta) ?? currentTrace();
  return inSpan({ name: 'gate call', about }, () => decideCall(gateRequest, posted, bytes, watch), { trace });
}

async function decideCall(...[gateRequest, posted, bytes, watch]: Parameters<typeof passCall>): Promise<void> {
  const { gates, gate, source, replyStream, origin } = gateRequest;
  const { text, message } = posted;
  const agent = displayName(gateRequest.client);
  const id = readId(message);
  const name = message.params?.['name'] as string;
  // Not read further: what is longer could not be shown to a person, and goes on with no round of this gate.
  const short = text.length <= HELD_CHARACTERS;
  const call = { name, argsText: short ? (textAt(text, ['params', 'arguments'], message) ?? '{}') : '' };
  const calling = { sourceId: source.id, agent, argsText: call.argsText, now: gates.inquiries.database.clock.now() };
  const tool = decidedByName(gate, name, calling) ? undefined : await gates.catalogue.tool(gate, name);
  const verdict = decide(gate, name, tool, calling);
  const round = short ? gates.rounds.read(callNames({ origin, call }), message.params) : undefined;
  // What a person decides and the upstream sees is the call as it was before its client carried a round in it.
  const own = typeof round === 'object' ? withoutState(posted) : posted;
  const held: Held = { posted: { ...posted, ...own, call }, body: own === posted ? bytes : own.text, tool, watch };
  if (verdict.does === 'allow') {
    gates.count('allowed');
    return forward(gateRequest, { method: 'POST', id, body: held.body, watch: watch?.(own.text) });
  }
  if (verdict.does === 'deny') {
    gates.count('denied');
    return reply(gateRequest, held.posted, refusal(verdict.text));
  }
  if (!short) return reply(gateRequest, held.posted, refusal(TOO_LONG));
  const refuse = (status: number, code: number, words: string): void =>
    replyStream.end(errorMessage({ id, code, message: words }), status);
  const fault = posted.modern ? checkParamHeaders(gateRequest.headers as Headers, tool, call.argsText) : undefined;
  if (fault) return refuse(400, fault.code, fault.message);
  const expected = isNextRound(own.message.params)
    ? await takeRound(gates.inquiries.database, toRound(gateRequest, held.posted, own.message.params?.['requestState']))
    : undefined;
  if (expected) {
    const asked = await readForSource(gates.inquiries, expected.inquiryId, source.id);
    const late = hasEnded(asked, gates.inquiries.database.clock.now());
    return late ? reply(gateRequest, held.posted, ended(asked)) : approved(gateRequest, held, expected);
  }
  // Asked for only now: the upstream may be a gate of this hub too, whose states pass.
  if (round === 'another')
    return refuse(400, INVALID_PARAMS, 'Invalid params: this requestState belongs to another call.');
  if (!/text\/event-stream|\*\/\*/.test(gateRequest.headers.accept ?? '*/*')) {
    const words = 'Not Acceptable: a call that waits for a person is answered as text/event-stream; accept that too.';
    return refuse(406, -32000, words);
  }
  // Its client may be gone once more before the question is found.
  if (gateRequest.asked !== undefined) await keep(gateRequest, posted.text, gateRequest.asked);
  if (!posted.modern && !(await sessionIsKnown(gateRequest, id))) return;
  const here: CallHere = { origin, requestId: id as Id, connection: gateRequest };
  await gates.calls.run(here, gates.pace.graceMs, () => askPerson(gateRequest, held, { verdict, round }, here));
}

async function keep({ gates, gate, origin, streamId }: GateRequest, text: string, inquiryId: string): Promise<void> {
  const row = { inquiryId, text, ms: gate.deadline * 1000 };
  if (streamId !== undefined) await keepCall(gates.inquiries.database, origin, streamId, row);
}

type Asked = { verdict: AskAbout['verdict']; round: (Place & { round: number }) | undefined };

async function askPerson(
  gateRequest: GateRequest,
  call: Held,
  { verdict, round }: Asked,
  here: CallHere,
): Promise<void> {
  const { gates, gate, source, replyStream, origin, streamId, sessionId, client, language } = gateRequest;
  const agent = displayName(client);
  const { posted, tool } = call;
  const { database } = gates.inquiries;
  const { requestId } = here;
  const abort = new AbortController();
  let cancelled: CallCancelled | undefined;
  here.cancel = (reason) => abort.abort((cancelled = takenBack(reason)));
  const lost = (): void => abort.abort(replyStream.closed.reason);
  replyStream.closed.addEventListener('abort', lost);
  if (replyStream.closed.aborted) lost();
  const progressToken = posted.message.params?._meta?.['progressToken'];
  const known = { progressToken, client, begunAt: gateRequest.begunAt, waitSeconds: gateRequest.waitSeconds };
  const wait = await chooseWait(gates, { sourceId: source.id, modern: posted.modern, ...known });
  let first: NodeJS.Timeout | undefined;
  try {
    let asked = '';
    const onAsked = async (inquiryId: string): Promise<void> => {
      asked = inquiryId;
      await keep(gateRequest, posted.text, inquiryId);
      clearTimeout(first);
      const question = `${gate.name}: ${posted.call.name}`;
      first = setTimeout(() => replyStream.commit({ question, inquiryId }), gates.pace.firstFrameMs);
    };
    // Who has neither a session nor a stream to come back to has cancelled by closing.
    const graceMs = streamId === undefined ? undefined : gates.pace.graceMs;
    const waitMs = Math.max(0, wait.ms - (performance.now() - gateRequest.begunAt));
    const asking = { gate, source, sessionId, streamId, agent, language, signal: abort.signal };
    const about = { ...asking, call: posted.call, verdict, tool };
    const invited = { origin, call: posted.call, agent };
    const resumed = gateRequest.asked !== undefined;
    const named = sessionId !== undefined || resumed;
    const place = round ?? (named ? undefined : await takeInvited(database, invited));
    const comesBack = place !== undefined || resumed;
    const people = createPeople(gates, { ...about, requestId, graceMs, onAsked, comesBack });
    const held = await holdCall(people, { ...about, waitMs, place });
    clearTimeout(first);
    here.cancel = undefined;
    const { reason } = abort.signal;
    // From the decision on nobody finds it: what may have run is never sent again.
    if (streamId !== undefined && (held !== 'gone' || reason instanceof CallCancelled))
      await takeCall(database, origin, streamId);
    if (held === 'gone') {
      // Taken back while it was being let go of.
      if (cancelled && cancelled !== reason) await cancelCall(gates, origin, requestId, cancelled.message);
      await wait.noteGivenUp(isByClock(reason, posted));
      return gone(gateRequest, requestId, abort.signal);
    }
    if (held.type === 'undecided') {
      const next = goesOn(wait, posted.message) ? gates.rounds.after(round) : undefined;
      return await comeAgain(gateRequest, call, { ...held.place, inquiryId: asked }, next);
    }
    if (held.type === 'reply') return reply(gateRequest, posted, held, held.inquiryId);
    replyStream.keep();
    await approved(gateRequest, call, held);
  } finally {
    here.cancel = undefined;
    clearTimeout(first);
    replyStream.closed.removeEventListener('abort', lost);
  }
}

// A client of the new era gives up by closing, an older one by words of its clock; other words are a person's.
function isByClock(reason: unknown, { modern }: Posted): boolean {
  return modern ? !(reason instanceof CallCancelled) : reason instanceof CallTimedOut;
}

// The client calls again by itself where it follows rounds and has not followed too many; else its model does.
async function comeAgain(
  gateRequest: GateRequest,
  { posted, tool }: Held,
  { inquiryId, ...place }: Place & { inquiryId: string },
  round: number | undefined,
): Promise<void> {
  const { gates, replyStream, language, origin, client } = gateRequest;
  const { call } = posted;
  if (round === undefined) {
    const left = { ...place, inquiryId, ms: gates.pace.graceMs };
    // Within a session it is found by that.
    if (origin.sessionId === undefined)
      await invite(gates.inquiries.database, { origin, call, agent: displayName(client) }, left);
    return reply(gateRequest, posted, undecided(language, tool));
  }
  const requestState = gates.rounds.mint(callNames({ origin, call }), { ...place, round });
  const result = { resultType: 'input_required', requestState };
  replyStream.end(JSON.stringify({ jsonrpc: '2.0', id: readId(posted.message), result }));
}

async function approved(
  gateRequest: GateRequest,
  { posted, body, tool, watch }: Held,
  approval: Approval,
): Promise<void> {
  const { argsText } = approval;
  const { gate, gates, source } = gateRequest;
  const chosen = argsText === undefined ? posted.text : withValue(posted.text, ['params', 'arguments'], argsText);
  const receipt = gate.receipt && (await gates.receipt(approval.inquiryId, source.id, gate.upstream.url));
  const sent = receipt ? withReceipt(chosen, receipt) : chosen;
  const edited: Partial<Forwarded> = {
    body: sent === posted.text ? body : sent,
    ...(argsText === undefined ? {} : { headers: withParamHeaders(upstreamHeaders(gateRequest), tool, argsText) }),
  };
  const watched = posted.modern || argsText !== undefined;
  await forward(gateRequest, {
    method: 'POST',
    id: readId(posted.message),
    ...edited,
    // Up to 2025-11-25 a lost connection is no cancel: what was approved runs on, but not for ever.
    signal: posted.modern ? undefined : gateRequest.replyStream.abandoned,
    watch: watched ? watchApproved(gateRequest, posted, approval, watch?.(sent)) : watch?.(sent),
  });
}

function watchApproved(
  gateRequest: GateRequest,
  posted: PostedCall,
  approval: Approval,
  watch: Watch | undefined,
): Watch {
  const { gates, language } = gateRequest;
  const { inquiryId, argsText } = approval;
  return async (message, text) => {
    const seen = watch ? await watch(message, text) : 'pass';
    if (seen !== 'pass') return seen;
    // The upstream may want to hear more before it is done: the same approved call comes back with its state.
    const { resultType, requestState } = message.result ?? {};
    if (posted.modern && resultType === 'input_required')
      await expectRound(gates.inquiries.database, toRound(gateRequest, posted, requestState), { inquiryId, argsText });
    // Its agent knows the arguments that it sent, and would take the result for theirs.
    const changed = argsText === undefined ? text : withEdit(text, message, { argsText, language });
    return changed === text ? 'pass' : { pass: changed };
  };
}

function toRound({ origin }: GateRequest, { call }: PostedCall, state: unknown): Round {
  return { origin, call, requestState: typeof state === 'string' ? state : undefined };
}

function reply(
  { replyStream, gates }: GateRequest,
  { message, modern }: PostedCall,
  answer: Reply,
  inquiryId?: string,
): void {
  replyStream.keep();
  if (inquiryId !== undefined) replyStream.onWritten(() => gates.inquiries.collected.add(inquiryId));
  replyStream.end(JSON.stringify({ jsonrpc: '2.0', id: readId(message), result: toolResult(answer, modern) }));
}

function gone({ replyStream, gates }: GateRequest, id: Id, signal: AbortSignal): void {
  // A call that was taken back gets no reply (MCP, cancellation).
  if (signal.reason instanceof CallCancelled) return replyStream.end(undefined, 202);
  if (signal.aborted || replyStream.streaming() || !gates.inquiries.waiters.stopping()) return replyStream.break();
  const message = 'The hub is stopping; send the same call again and it finds its question.';
  replyStream.end(errorMessage({ id, code: INTERNAL_ERROR, message }), 503);
}
