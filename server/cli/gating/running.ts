import { isId, keyOf, type Id, type Message } from '../../gate/messages.ts';

/** A request of the client that its server works on. `serverId` is its id there, another one in each round. */
export type Running = { id: Id; serverId: Id; text: string; message: Message; asking?: AbortController };

/** The requests that a server works on, by the ids it knows. */
export type RunningRequests = {
  passed(message: Message, text: string): void;
  bind(request: Running, serverId: Id): void;
  /** The request that this message of the server answers, which with that runs no more. */
  take(message: Message): Running | undefined;
  /** By the client's id. */
  find(id: unknown): Running | undefined;
  drop(request: Running): void;
  all(): Running[];
};

export function createRunning(): RunningRequests {
  const running = new Map<string, Running>();
  return {
    passed(message, text) {
      const { id, method } = message;
      if (method !== undefined && isId(id)) running.set(keyOf(id), { id, serverId: id, text, message });
    },
    bind(request, serverId) {
      request.serverId = serverId;
      running.set(keyOf(serverId), request);
    },
    take({ id, method }) {
      if (method !== undefined || !isId(id)) return undefined;
      const request = running.get(keyOf(id));
      running.delete(keyOf(id));
      return request;
    },
    find: (id) => [...running.values()].find((request) => keyOf(request.id) === keyOf(id)),
    drop(request) {
      if (running.get(keyOf(request.serverId)) === request) running.delete(keyOf(request.serverId));
    },
    all: () => [...running.values()],
  };
}
