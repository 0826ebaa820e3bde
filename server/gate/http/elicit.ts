import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/client';
import { AppError } from '#shared/problem.ts';
import { answerElicitation, type ElicitationOfGate } from '../elicitation/answer.ts';
import { INVALID_PARAMS } from '../elicitation/read.ts';
import { answerRound, roundForPeople } from '../elicitation/rounds.ts';
import { CallCancelled } from '../hold.ts';
import { headersOf } from './forward.ts';
import { textAt, withValue } from './json-text.ts';
import { errorMessage, idOf, INTERNAL_ERROR, type Posted, type RpcId, type RpcMessage } from './message.ts';
import type { Watch } from './relay.ts';
import type { Visit } from './visit.ts';

const FORM_AND_URL = JSON.stringify({ form: {}, url: {} });
/** The requests that a modern upstream may answer with a question of its own (2026-07-28, multi round-trip requests). */
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** The message as the upstream is to read it where the people of the gate answer: its client can be asked. */
export function declareElicitation(posted: Posted): Posted {
  const { text, message, modern } = posted;
  if (modern && MAY_ASK.has(message.method ?? '')) {
    const path = ['params', '_meta', CLIENT_CAPABILITIES_META_KEY, 'elicitation'];
    return { ...posted, text: withValue(text, path, FORM_AND_URL) };
  }
  return message.method === 'initialize'
    ? { ...posted, text: withValue(text, ['params', 'capabilities', 'elicitation'], FORM_AND_URL) }
    : posted;
}

/** Takes what an upstream asks of its client to the people of the gate, and their answers back; `sent` is what it was sent. */
export function watchElicitation(visit: Visit, posted: Posted | undefined): ((sent: string) => Watch) | undefined {
  if (visit.gate.elicitation !== 'people') return undefined;
  if (!posted?.modern) return () => watchRequests(visit);
  return MAY_ASK.has(posted.message.method ?? '') ? (sent) => watchRounds(visit, posted, sent) : undefined;
}

// Up to 2025-11-25 the upstream sends a request on a stream of the session and is answered by a POST.
function watchRequests(visit: Visit): Watch {
  const { gates } = visit;
  return (message) => {
    const id = idOf(message);
    if (message.method === 'elicitation/create' && id !== null) {
      void answerRequest(visit, id, message).catch((error: unknown) =>
        gates.log.error({ err: error, gate: visit.gate.name }, 'could not answer an elicitation'),
      );
      return 'drop';
    }
    const taken = message.method === 'notifications/cancelled' && gates.eliciting.get(keyOf(visit, message));
    if (!taken) return 'pass';
    taken.abort(new CallCancelled('The server no longer asks.'));
    return 'drop';
  };
}

async function answerRequest(visit: Visit, id: RpcId, message: RpcMessage): Promise<void> {
  const { gates, gate } = visit;
  const key = keyOf(visit, { params: { requestId: id } });
  // A stream that is resumed tells the same request again.
  if (gates.eliciting.has(key)) return;
  const abort = new AbortController();
  gates.eliciting.set(key, abort);
  try {
    const answer = await answered(visit, message.params, abort.signal);
    if (answer === 'gone') return;
    const headers = { ...headersOf(visit), 'content-type': 'application/json' };
    const accept = 'application/json, text/event-stream';
    const { 'last-event-id': _resumed, ...kept } = headers as typeof headers & { 'last-event-id'?: string };
    const body = JSON.stringify({ jsonrpc: '2.0', id, ...answer });
    const reply = await gates.upstream.send(gate, { method: 'POST', headers: { ...kept, accept }, body });
    reply.body.resume();
  } finally {
    gates.eliciting.delete(key);
  }
}

async function answered(
  visit: Visit,
  params: unknown,
  signal: AbortSignal,
): Promise<{ result: unknown } | { error: unknown } | 'gone'> {
  try {
    const result = await answerElicitation(visit.gates, { ...elicitationOf(visit, signal), params });
    return result === 'gone' ? result : { result };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: { code: error.status === 422 ? INVALID_PARAMS : INTERNAL_ERROR, message: error.message } };
  }
}

// From 2026-07-28 on the upstream ends the call with its questions; the same call goes again, with the answers.
function watchRounds(visit: Visit, { message: { id = null } }: Posted, sent: string): Watch {
  const { gates, outlet } = visit;
  return async (message, text) => {
    const round = message.id === id ? roundForPeople(message.result) : undefined;
    if (!round) return 'pass';
    outlet.commit();
    try {
      const answers = await answerRound(gates, round, elicitationOf(visit, outlet.closed));
      if (answers === 'gone') return { end: undefined };
      const again = withValue(sent, ['params', 'inputResponses'], JSON.stringify(answers));
      const state = textAt(text, ['result', 'requestState'], message);
      return { again: state === undefined ? again : withValue(again, ['params', 'requestState'], state) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { end: JSON.stringify(errorMessage({ id, code: INTERNAL_ERROR, message: error.message })) };
    }
  };
}

function elicitationOf(visit: Visit, signal: AbortSignal): Omit<ElicitationOfGate, 'params'> {
  const { gate, source, sessionId, agent, language } = visit;
  return { gate, source, sessionId, agent, language, signal };
}

function keyOf({ gate, source, sessionId }: Visit, { params }: RpcMessage): string {
  return JSON.stringify([gate.name, source.id, sessionId ?? null, params?.['requestId']]);
}
