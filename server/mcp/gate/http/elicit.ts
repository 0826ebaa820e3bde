import { randomUUID } from 'node:crypto';
import { AppError } from '#shared/problem.ts';
import { canonical } from '#shared/json.ts';
import {
  toAsk,
  toElicitResult,
  type Elicitation,
  type ElicitResult,
} from '../../../dialects/elicitation/elicitation.ts';
import {
  answerRound,
  ClientGone,
  type Elicit,
  MOST_OF_STREAM,
  NOT_FOR_PEOPLE,
  roundForPeople,
  TOO_MANY,
} from '../elicitation/asking.ts';
import { type Asker, type Gates, askPeople } from '../hold.ts';
import { textAt, withValue } from '../../json-text.ts';
import { errorMessage, readId, INTERNAL_ERROR, INVALID_PARAMS, isId, type Id, type Message } from '../../messages.ts';
import { upstreamHeaders, type Seen, type Watch } from './forward.ts';
import { UpstreamError } from './upstream.ts';
import type { Headers } from './headers.ts';
import type { Posted } from './message.ts';
import type { GateRequest } from './gate-request.ts';

/** An upstream that takes no refusal is not waited for longer. */
const REFUSAL_MS = 5_000;
/** Takes what an upstream asks of its client to the people of the gate, and their answers back; `sent` is what it was sent. */
export function watchElicitation(
  gateRequest: GateRequest,
  posted: Posted | undefined,
): ((sent: string) => Watch) | undefined {
  if (gateRequest.gate.elicitation !== 'people') return undefined;
  const requests = watchRequests(gateRequest);
  return (sent) => {
    const rounds = posted ? watchRounds(gateRequest, posted, sent) : undefined;
    return (message, text) => (message.method === undefined && rounds ? rounds : requests)(message, text);
  };
}

/**
 * What a client answers where people answer in its place: only to what it was asked itself, under the upstream's own id.
 * Undefined for any other answer, which reaches no upstream (RES5).
 */
export function answerOfClient(gateRequest: GateRequest, { text, message, batch }: Posted): string | undefined {
  const id = batch ? undefined : gateRequest.gates.ids.given(placeOfIds(gateRequest), message.id);
  return id === undefined ? undefined : withValue(text, ['id'], JSON.stringify(id));
}

function placeOfIds({ origin }: GateRequest): string {
  return JSON.stringify(origin);
}

/** The client of this visit is there for what its upstream asks, until the result is called or it closes. */
export function enterPlace({ gates, gate, place, sessionId, replyStream }: GateRequest): () => void {
  if (gate.elicitation !== 'people') return () => undefined;
  const leave = gates.asking.enter(place, sessionId === undefined ? 0 : gates.pace.graceMs);
  replyStream.closed.addEventListener('abort', leave, { once: true });
  if (replyStream.closed.aborted) leave();
  return leave;
}

// Up to 2025-11-25 the upstream sends a request on a stream of the session and is answered by a POST.
function watchRequests(gateRequest: GateRequest): Watch {
  const { gates, gate, place } = gateRequest;
  let count = 0;
  const renamed = (text: string, path: string[], id: Id): Seen => ({
    pass: withValue(text, path, JSON.stringify(gates.ids.shown(placeOfIds(gateRequest), id))),
  });
  return async (message, text) => {
    const id = readId(message);
    if (message.method === 'elicitation/create' && id !== null) {
      const begun = count < MOST_OF_STREAM ? gates.asking.begin(place, JSON.stringify(id)) : 'full';
      // A stream that is resumed tells the same request again.
      if (begun === 'known') return 'drop';
      count += 1;
      // Waited for: the stream is read no faster than its upstream takes the refusals.
      if (begun === 'full') await refuse(gateRequest, id);
      else
        void answerRequest(gateRequest, id, message, begun.signal)
          .catch((error: unknown) =>
            gates.log.error({ err: error, gate: gate.name }, 'could not answer an elicitation'),
          )
          .finally(begun.done);
      return 'drop';
    }
    if (message.method !== undefined && id !== null) return renamed(text, ['id'], id);
    const taken = message.params?.['requestId'];
    if (message.method !== 'notifications/cancelled' || !isId(taken)) return 'pass';
    if (gates.asking.takeBack(place, JSON.stringify(taken), 'The server no longer asks.')) return 'drop';
    return renamed(text, ['params', 'requestId'], taken);
  };
}

async function answerRequest(
  gateRequest: GateRequest,
  id: Id,
  { params }: Message,
  signal: AbortSignal,
): Promise<void> {
  try {
    const result = await answerElicitation(gateRequest.gates, { ...gateRequest, params, signal });
    if (result !== 'gone') return await respond(gateRequest, id, { result });
    // Nobody comes back for it: the upstream need not wait for ever.
    if (signal.reason instanceof ClientGone) await respond(gateRequest, id, { result: { action: 'cancel' } });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const code = error.status === 422 ? INVALID_PARAMS : INTERNAL_ERROR;
    await respond(gateRequest, id, { error: { code, message: error.message } });
  }
}

async function refuse(gateRequest: GateRequest, id: Id): Promise<void> {
  try {
    await respond(
      gateRequest,
      id,
      { error: { code: INTERNAL_ERROR, message: TOO_MANY } },
      AbortSignal.timeout(REFUSAL_MS),
    );
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
  }
}

async function respond(
  gateRequest: GateRequest,
  id: Id,
  answer: { result: unknown } | { error: unknown },
  signal?: AbortSignal,
): Promise<void> {
  const { gates, gate } = gateRequest;
  const { 'last-event-id': _resumed, ...kept } = upstreamHeaders(gateRequest) as Headers;
  const headers = { ...kept, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id, ...answer });
  const reply = await gates.upstream.send(gate, { method: 'POST', headers, body, signal });
  reply.body.on('error', () => {}).resume();
}

// From 2026-07-28 on the upstream ends the call with its questions; the same call goes again, with the answers.
function watchRounds(gateRequest: GateRequest, { message: { id = null } }: Posted, sent: string): Watch {
  const { gates, replyStream } = gateRequest;
  return async (message, text) => {
    const round = message.id === id ? roundForPeople(message.result) : undefined;
    if (!round) return 'pass';
    if (round === 'not for people') return { end: errorMessage({ id, code: INTERNAL_ERROR, message: NOT_FOR_PEOPLE }) };
    replyStream.commit();
    try {
      const elicit: Elicit = (params, signal) => answerElicitation(gates, { ...gateRequest, params, signal });
      const answers = await answerRound(round, elicit, replyStream.closed);
      if (answers === 'gone') return { end: undefined };
      const again = withValue(sent, ['params', 'inputResponses'], JSON.stringify(answers));
      const state = textAt(text, ['result', 'requestState'], message);
      return { again: state === undefined ? again : withValue(again, ['params', 'requestState'], state) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { end: errorMessage({ id, code: INTERNAL_ERROR, message: error.message }) };
    }
  };
}

/**
 * Asks the people of a gate what its upstream asks its client. The same elicitation, issued again, finds
 * its inquiry (ASK5). "gone": nobody is there to be told, or the hub stops; the inquiry is released, not
 * resolved, unless the call behind it was taken back: then it is withdrawn. Throws `AppError`: 422 where it
 * cannot be shown, 429 above the source's limit.
 */
export async function answerElicitation(
  gates: Gates,
  elicitation: Elicitation & Asker,
): Promise<ElicitResult | 'gone'> {
  const { gate, source, sessionId, signal } = elicitation;
  if (signal.aborted) return 'gone';
  const asked = await toAsk(elicitation);
  const { questions, link, prompt } = asked;
  // Its words alone name nothing: it is found again within its session.
  const within = sessionId ?? randomUUID();
  const words = [questions ?? null, link ?? null, prompt ?? null];
  const like = canonical(['elicitation', gate.name, source.id, within, ...words]);
  const held = gates.held.begin({ like, turn: canonical(['elicitation', gate.name, source.id, sessionId ?? null]) });
  try {
    const matchedBy = `${like} ${held.ordinal}`;
    const { inquiry, ended } = await askPeople(gates, elicitation, asked, { matchedBy, ms: Infinity });
    if (ended !== 'resolved' || !inquiry.resolution || !(await gates.find(gate.name))) return 'gone';
    gates.inquiries.collected.add(inquiry.id);
    return toElicitResult({ ...asked, resolution: inquiry.resolution });
  } finally {
    held.end();
  }
}
