import { randomUUID } from 'node:crypto';
import { faultOfRound, MOST_WAITING, TOO_MANY } from '../../gate/elicitation/limits.ts';
import type { Round } from '../../gate/elicitation/rounds.ts';
import { roundForPeople } from '../../gate/elicitation/rounds.ts';
import { isId, keyOf, parseLoose, type Id, type Message } from '../../gate/messages.ts';
import type { Elicit, Refused } from './elicit.ts';
import type { Life } from './life.ts';
import { createRunning, type Running, type RunningRequests } from './running.ts';

const INTERNAL_ERROR = -32603;

type Send = (line: string) => void;
type Wires = { elicit: Elicit; life: Life; running: RunningRequests; toClient: Send; toServer: Send };

/** What a wrapped server asks its client for, answered by people of the hub: by requests of its own before 2026-07-28, by rounds since. */
export type Elicitations = {
  /** A message of the client passes to the server. */
  passing(message: Message, text: string): void;
  /** The client takes a request back; true: it is dealt with here. */
  cancel(message: Message): boolean;
  /** A message of the server; true: it is not for the client. */
  fromServer(message: Message, text: string, agent: string | undefined): boolean;
  close(): Promise<void>;
};

export function createElicitations(options: Omit<Wires, 'running'>): Elicitations {
  const wires: Wires = { ...options, running: createRunning() };
  const { running, toClient, toServer } = wires;
  const asked = new Map<string, AbortController>();
  const working = new Set<Promise<void>>();
  const prefix = `beckon-${randomUUID()}`;
  let count = 0;
  const work = (doing: Promise<void>, unforeseen: () => void): void => {
    const task = doing.catch(unforeseen).finally(() => working.delete(task));
    working.add(task);
  };
  return {
    passing: running.passed,
    cancel({ params }) {
      const request = running.find(params?.['requestId']);
      if (!request) return false;
      if (request.asking) request.asking.abort(new Error('Its client took the call back.'));
      else toServer(notification('notifications/cancelled', { ...params, requestId: request.serverId }));
      running.drop(request);
      return true;
    },
    fromServer(message, text, agent) {
      const { id, method, params } = message;
      if (method === 'elicitation/create' && isId(id)) {
        if (asked.has(keyOf(id))) return true;
        if (asked.size >= MOST_WAITING) {
          toServer(JSON.stringify({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: TOO_MANY } }));
          return true;
        }
        const controller = new AbortController();
        asked.set(keyOf(id), controller);
        const answering = answer(wires, { id, params, agent, signal: controller.signal });
        work(
          answering.finally(() => asked.delete(keyOf(id))),
          () => toServer(failure(id)),
        );
        return true;
      }
      if (method === 'notifications/cancelled') {
        const controller = asked.get(keyOf(params?.['requestId']));
        controller?.abort(new Error('The server took its question back.'));
        return controller !== undefined;
      }
      const request = running.take(message);
      if (!request) return false;
      const round = roundForPeople(message.result);
      if (round) {
        work(nextRound(wires, { request, round, agent, serverId: `${prefix}-${++count}` }), () => {
          running.drop(request);
          toClient(failure(request.id));
        });
        return true;
      }
      if (keyOf(request.id) === keyOf(id)) return false;
      toClient(JSON.stringify({ ...(parseLoose(text) as Message), id: request.id }));
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
  if (fault) {
    const error = { code: INTERNAL_ERROR, message: fault };
    return toClient(JSON.stringify({ jsonrpc: '2.0', id: request.id, error }));
  }
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

function failure(id: Id): string {
  const message = 'Something unforeseen kept people from being asked. (beckon gate)';
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } });
}

function notification(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}
