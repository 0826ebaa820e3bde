import { randomBytes, randomUUID } from 'node:crypto';
import { AppError } from '#shared/problem.ts';
import {
  answerRound,
  createAsking,
  createIds,
  NOT_FOR_PEOPLE,
  type Round,
  roundForPeople,
  TOO_MANY,
} from '../../mcp/gate/elicitation/asking.ts';
import { withValue } from '../../mcp/json-text.ts';
import {
  errorMessage,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isId,
  idKey,
  parseLoose,
  type Id,
  type Message,
} from '../../mcp/messages.ts';
import type { Life } from './life.ts';
import type { ElicitOfClient } from './people.ts';

/** A request of the client that its server works on. `serverId` is its id there, another one in each round. */
type Running = { id: Id; serverId: Id; text: string; message: Message; asking?: AbortController };
type Send = (line: string) => void;
type Wires = { elicit: ElicitOfClient; life: Life; toClient: Send; toServer: Send; say: Send };

type At = Wires & { running: Map<string, Running>; work: (doing: Promise<void>, unforeseen: () => void) => void };
type Asked = { params: unknown; agent: string | undefined; signal: AbortSignal };

/** Said when a client answers what people are asked. */
export const DROPPED = 'Dropped an answer that the client gave in the place of people.';
const UNFORESEEN = 'Something unforeseen kept people from being asked. (beckon gate)';
/** Where this process's one client is. */
const HERE = '';

/** What a wrapped server asks its client for, answered by people of the hub: by requests of its own before 2026-07-28, by rounds since. */
export function createElicitations(wires: Wires) {
  const { toClient, toServer, say } = wires;
  // By the ids that the server knows.
  const running = new Map<string, Running>();
  const asking = createAsking();
  // What the client itself is asked has ids of this process for it.
  const ids = createIds(randomBytes(32));
  const working = new Set<Promise<void>>();

  const at: At = {
    ...wires,
    running,
    work(doing, unforeseen) {
      const task = doing.catch(unforeseen).finally(() => working.delete(task));
      working.add(task);
    },
  };
  return {
    /** A message of the client passes to the server. */
    passing(message: Message, text: string): void {
      const { id, method } = message;
      if (method !== undefined && isId(id)) running.set(idKey(id), { id, serverId: id, text, message });
    },
    /** An answer of the client passes where the client itself was asked (RES5). */
    answer({ id }: Message, text: string): void {
      const own = ids.given(HERE, id);
      if (own === undefined) return say(DROPPED);
      toServer(withValue(text, ['id'], JSON.stringify(own)));
    },
    /** The client takes a request back; true: it is dealt with here. */
    cancel({ params }: Message): boolean {
      const request = [...running.values()].find(({ id }) => idKey(id) === idKey(params?.['requestId']));
      if (!request) return false;
      if (request.asking) request.asking.abort(new Error('Its client took the call back.'));
      else {
        const taken = { ...params, requestId: request.serverId };
        toServer(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: taken }));
      }
      drop(at, request);
      return true;
    },
    /** A message of the server; true: it is not for the client. */
    fromServer(message: Message, text: string, agent: string | undefined): boolean {
      const { id, method, params } = message;
      if (method === undefined) return answered(at, message, text, agent);
      if (method === 'elicitation/create' && isId(id)) {
        const begun = asking.begin(HERE, idKey(id));
        const fail = (words: string) => toServer(errorMessage({ id, code: INTERNAL_ERROR, message: words }));
        if (begun === 'full') fail(TOO_MANY);
        else if (begun !== 'known')
          at.work(answer(at, id, { params, agent, signal: begun.signal }).finally(begun.done), () => fail(UNFORESEEN));
        return true;
      }
      const taken = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
      if (asking.takeBack(HERE, idKey(taken), 'The server took its question back.')) return true;
      const shown = id ?? taken;
      if (!isId(shown)) return false;
      const path = isId(id) ? ['id'] : ['params', 'requestId'];
      toClient(withValue(text, path, JSON.stringify(ids.shown(HERE, shown))));
      return true;
    },
    async close(): Promise<void> {
      const gone = 'Its client is gone.';
      asking.end(HERE, gone);
      for (const request of running.values()) request.asking?.abort(new Error(gone));
      await Promise.all(working);
    },
  };
}

async function answer(
  { elicit, life, running, toServer }: At,
  id: Id,
  { params, agent, signal }: Asked,
): Promise<void> {
  // Every call that the server works on may be the one that waits for this answer.
  const shown = [...running.values()].map(({ message }) => life.show(message));
  try {
    const result = await elicit(params, agent, signal);
    if (result !== 'gone') toServer(JSON.stringify({ jsonrpc: '2.0', id, result }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    toServer(errorMessage({ id, code: INVALID_PARAMS, message: error.message }));
  } finally {
    for (const end of shown) end();
  }
}

async function nextRound(at: At, request: Running, round: Round, agent: string | undefined): Promise<void> {
  const { elicit, life, running, toClient, toServer } = at;
  const { signal } = (request.asking = new AbortController());
  // Bound while people are asked, so that its client can take it back.
  request.serverId = `beckon-${randomUUID()}`;
  running.set(idKey(request.serverId), request);
  const end = life.show(request.message);
  try {
    const answers = await answerRound(round, (params, one) => elicit(params, agent, one), signal);
    delete request.asking;
    if (answers === 'gone' || signal.aborted) return drop(at, request);
    const original = parseLoose(request.text) as Message;
    const { requestState } = round;
    const more = { inputResponses: answers, ...(requestState === undefined ? {} : { requestState }) };
    toServer(JSON.stringify({ ...original, id: request.serverId, params: { ...original.params, ...more } }));
  } catch (error) {
    drop(at, request);
    if (!(error instanceof AppError)) throw error;
    toClient(errorMessage({ id: request.id, code: INTERNAL_ERROR, message: error.message }));
  } finally {
    end();
  }
}

function answered(at: At, message: Message, text: string, agent: string | undefined): boolean {
  const { running, toClient } = at;
  const request = running.get(idKey(message.id));
  if (!request) return false;
  running.delete(idKey(message.id));
  const round = roundForPeople(message.result);
  const fail = (words: string) => (): void =>
    toClient(errorMessage({ id: request.id, code: INTERNAL_ERROR, message: words }));
  if (round === 'not for people') fail(NOT_FOR_PEOPLE)();
  else if (round) at.work(nextRound(at, request, round, agent), fail(UNFORESEEN));
  else if (idKey(request.id) === idKey(message.id)) return false;
  else toClient(JSON.stringify({ ...(parseLoose(text) as Message), id: request.id }));
  return true;
}

function drop({ running }: At, request: Running): void {
  if (running.get(idKey(request.serverId)) === request) running.delete(idKey(request.serverId));
}
