import { AppError, toProblem } from '#shared/problem.ts';
import type { DeviceToHub } from '#shared/live.ts';
import type { DeviceCaller, FindCaller } from '../../platform/http/access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Arrivals } from '../../platform/loop.ts';
import { createTurns, createWork, inTurn, type Turns } from '../../platform/turns.ts';
import { toRefusal } from '../../platform/http/problems.ts';
import { BURST, deviceBehind, signOut } from './admit.ts';
import { refuseUnsafe } from './payload.ts';
import type { DeviceSocket, LiveServer } from './sockets.ts';

const EVENTS_PER_SECOND = 200;

/** What each event does, with when it arrived by `performance.now()`; whatever it throws becomes `{problem}`. */
export type Handlers = {
  [Event in keyof DeviceToHub]: (
    socket: DeviceSocket,
    device: DeviceCaller,
    body: unknown,
    arrivedAt: number,
  ) => Promise<EventReply<Event>>;
};
type EventReply<Event extends keyof DeviceToHub> = Exclude<
  Parameters<Parameters<DeviceToHub[Event]>[1]>[0],
  { problem: unknown }
>;
type Ack = (reply: unknown) => void;

/**
 * The border of everything a device sends: always acknowledged, with the result or `{problem}`; without an
 * acknowledgement to answer with it is dropped. Never throws.
 */
export function createReceiver({
  io,
  handlers,
  find,
  clock,
  log,
  loop = { lookedAt: () => performance.now() },
  turns = createTurns(),
}: {
  io: LiveServer;
  handlers: Handlers;
  find: FindCaller;
  clock: Clock;
  log: Log;
  loop?: Arrivals | undefined;
  /** In which the large things that one device works on take their turns. */
  turns?: Turns | undefined;
}) {
  const byName = new Map<unknown, Handlers[keyof Handlers]>(Object.entries(handlers));

  return (socket: DeviceSocket, name: unknown, args: unknown[]): void => {
    const ack = args.at(-1);
    if (typeof ack !== 'function') {
      log.debug(
        { event: String(name).slice(0, 50), deviceId: socket.data.device.id },
        'live event without acknowledgement dropped',
      );
      return;
    }
    reply(socket, name, args.length > 1 ? args[0] : undefined).then(ack as Ack, (error: unknown) => {
      const refusal = toRefusal(error, log, `live ${String(name).slice(0, 50)}`);
      (ack as Ack)({ problem: toProblem(refusal) });
      if (refusal.status !== 401) return;
      if (refusal.code === 'credential.revoked') signOut(io, socket.data.device.id);
      else socket.disconnect(true);
    });
  };

  async function reply(socket: DeviceSocket, name: unknown, payload: unknown): Promise<unknown> {
    const arrivedAt = loop.lookedAt();
    const entered = loop.entering?.();
    try {
      if (!spend(socket, clock.now()))
        throw new AppError(429, 'request.too_many', `More than ${EVENTS_PER_SECOND} events a second; slow down.`);
      const handler = byName.get(name);
      // Read at every event, so that a revoke is at once.
      const device = (socket.data.device = await deviceBehind(socket.data.token, find));
      if (!handler) throw new AppError(404, 'event.unknown', 'The hub knows no such event.');
      refuseUnsafe(payload);
      const work = createWork(turns, `device ${device.id}`);
      return inTurn(work, () => handler(socket, device, payload, arrivedAt)).finally(work.close);
    } finally {
      entered?.();
    }
  }
}

function spend({ data }: DeviceSocket, now: number): boolean {
  data.tokens = Math.min(BURST, data.tokens + (Math.max(0, now - data.countedAt) / 1000) * EVENTS_PER_SECOND);
  data.countedAt = now;
  if (data.tokens < 1) return false;
  data.tokens--;
  return true;
}
