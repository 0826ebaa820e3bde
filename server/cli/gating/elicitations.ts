import { randomBytes, randomUUID } from 'node:crypto';
import { createIds } from '../../gate/elicitation/ids.ts';
import { faultOfRound, MOST_WAITING, TOO_MANY } from '../../gate/elicitation/limits.ts';
import type { Round } from '../../gate/elicitation/rounds.ts';
import { NOT_FOR_PEOPLE, roundForPeople } from '../../gate/elicitation/rounds.ts';
import { withValue } from '../../gate/json-text.ts';
import { INTERNAL_ERROR, isId, keyOf, parseLoose, type Id, type Message } from '../../gate/messages.ts';
import type { Elicit, Refused } from './elicit.ts';
import type { Life } from './life.ts';
import { createRunning, type Running, type RunningRequests } from './running.ts';

type Send = (line: string) => void;
type Wires = {
  elicit: Elicit;
  life: Life;
  running: RunningRequests;
  toClient: Send;
  toServer: Send;
  say: Send;
  work: (doing: Promise<void>, unforeseen: () => void) => void;
};

/** Said when a client answers what people are asked. */
export const DROPPED = 'Dropped an answer that the client gave in the place of people.';

/** What a wrapped server asks its client for, answered by people of the hub: by requests of its own before 2026-07-28, by rounds since. */
export type Elicitations = {
  /** A message of the client passes to the server. */
  passing(message: Message, text: string): void;
  /** An answer of the client passes where the client itself was asked (RES5). */
  answer(message: Message, text: string): void;
  /** The client takes a request back; true: it is dealt with here. */
  cancel(message: Message): boolean;
  /** A message of the server; true: it is not for the client. */
  fromServer(message: Message, text: string, agent: string | undefined): boolean;
  close(): Promise<void>;
};

export function createElicitations(options: Omit<Wires, 'running' | 'work'>): Elicitations {
  const working = new Set<Promise<void>>();
  const work: Wires['work'] = (doing, unforeseen) => {
    const task = doing.catch(unforeseen).finally(() => working.delete(task));
    working.add(task);
  };
  const wires: Wires = { ...options, running: createRunning(), work };
  const { running, toServer, say } = wires;
  // What the client itself is asked has ids of this process for it.
  const ids = createIds(randomBytes(32));
  const asked = new Map<string, AbortController>();
  return {
    passing: running.passed,
    answer({ id }, text) {
      const own = ids.given('', id);
      if (own === undefined) return say(DROPPED);
      toServer(withValue(text, ['id'], JSON.stringify(own)));
    },
    cancel({ params }) {
      const request = running.find(params?.['requestId']);
      if (!request) return false;
      if (request.asking) request.asking.abort(new Error('Its client took the call back.'));
      else toServer(notification('notifications/cancelled', { ...params, requestId: request.serverId }));
      running.drop(request);
      return true;
    },
    fromServer(message, text, agent) {
      if (message.method === undefined) return answered(wires, message, text, agent);
      if (message.method === 'elicitation/create' && isId(message.id)) {
        asking(wires, asked, message, agent);
        return true;
      }
      const taken = message.method === 'notifications/cancelled' ? message.params?.['requestId'] : undefined;
      const controller = asked.get(keyOf(taken));
      controller?.abort(new Error('The server took its question back.'));
      if (controller) return true;
      const path = isId(message.id) ? ['id'] : ['params', 'requestId'];
      const id = message.id ?? taken;
      if (!isId(id)) return false;
      wires.toClient(withValue(text, path, JSON.stringify(ids.shown('', id))));
      return true;
    },
    async close() {
      const gone = new Error('Its client is gone.');
      for (const controller of asked.values()) controller.abort(gone);
      for (const { asking } of running.all()) asking?.abort(gone);
      await Promise.all(working);
    },
  };
}

function asking(wires: Wires, asked: Map<string, AbortController>, message: Message, agent: string | undefined): void {
  const { toServer, work } = wires;
  const { params } = message;
  const id = message.id as Id;
  if (asked.has(keyOf(id))) return;
  if (asked.size >= MOST_WAITING) return toServer(failure(id, TOO_MANY));
  const controller = new AbortController();
  asked.set(keyOf(id), controller);
  const answering = answer(wires, { id, params, agent, signal: controller.signal });
  work(
    answering.finally(() => asked.delete(keyOf(id))),
    () => toServer(failure(id)),
  );
}

function answered(wires: Wires, message: Message, text: string, agent: string | undefined): boolean {
  const { running, toClient, work } = wires;
  const request = running.take(message);
  if (!request) return false;
  const round = roundForPeople(message.result);
  if (round === 'not for people') toClient(failure(request.id, NOT_FOR_PEOPLE));
  else if (round)
    work(nextRound(wires, { request, round, agent, serverId: `beckon-${randomUUID()}` }), () => {
      running.drop(request);
      toClient(failure(request.id));
    });
  else if (keyOf(request.id) === keyOf(message.id)) return false;
  else toClient(JSON.stringify({ ...(parseLoose(text) as Message), id: request.id }));
  return true;
}

type Asked = { id: Id; params: unknown; agent: string | undefined; signal: AbortSignal };

async function answer({ elicit, life, running, toServer }: Wires, { id, params, agent, signal }: Asked): Promise<void> {
  // Every call that the server works on may be the one that waits for this answer.
  const shown = running.all().map(({ message }) => life.show(message));
  const result = await elicit(params, agent, signal).finally(() => {
    for (const end of shown) end();
  });
  if (result === 'gone') return;
  toServer(JSON.stringify({ jsonrpc: '2.0', id, ...('code' in result ? { error: result } : { result }) }));
}

type Next = { request: Running; round: Round; agent: string | undefined; serverId: Id };

async function nextRound(wires: Wires, { request, round, agent, serverId }: Next): Promise<void> {
  const { elicit, life, running, toClient, toServer } = wires;
  const fault = faultOfRound(round.inputRequests);
  if (fault) return toClient(failure(request.id, fault));
  const asking = new AbortController();
  request.asking = asking;
  // Bound while people are asked, so that its client can take it back.
  running.bind(request, serverId);
  const end = life.show(request.message);
  const answers = await Promise.all(
    Object.entries(round.inputRequests).map(async ([key, { params }]) => {
      const result = await elicit(params, agent, asking.signal);
      // One that cannot be shown to anybody ends the call: nobody needs to answer the others.
      if (isRefused(result)) asking.abort(new Error(result.message));
      return [key, result] as const;
    }),
  ).finally(end);
  delete request.asking;
  const refused = answers.map(([, result]) => result).find(isRefused);
  if (refused) toClient(JSON.stringify({ jsonrpc: '2.0', id: request.id, error: refused }));
  if (asking.signal.aborted) return running.drop(request);
  const original = parseLoose(request.text) as Message;
  const params = {
    ...original.params,
    inputResponses: Object.fromEntries(answers),
    ...(round.requestState === undefined ? {} : { requestState: round.requestState }),
  };
  toServer(JSON.stringify({ ...original, id: serverId, params }));
}

function isRefused(result: Awaited<ReturnType<Elicit>>): result is Refused {
  return result !== 'gone' && 'code' in result;
}

const UNFORESEEN = 'Something unforeseen kept people from being asked. (beckon gate)';

function failure(id: Id, message = UNFORESEEN): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } });
}

function notification(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}
