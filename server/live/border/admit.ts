import type { IncomingMessage } from 'node:http';
import { LIVE_PROTOCOL } from '#shared/live.ts';
import { AppError, toProblem } from '#shared/problem.ts';
import { authorize, type DeviceCaller, type FindCaller, type Found } from '../../platform/http/access.ts';
import { toRefusal } from '../../platform/http/problems.ts';
import type { RateLimits } from '../../platform/http/rate-limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { deviceRoom, type DeviceSocket, type LiveServer } from './sockets.ts';

const SOCKETS_PER_NODE = 20_000;
/** A minute of events at once, as HTTP allows by default: an outbox that comes back must not be refused. */
export const BURST = 12_000;

/** Lets a WebSocket handshake through or not: `Origin`, where a browser sends one, must be ours. */
export function mayEnter(
  io: LiveServer,
  { headers }: IncomingMessage,
  origins: () => string[],
  done: (refusal: string | null, allowed: boolean) => void,
): void {
  if (headers.origin !== undefined && !origins().includes(headers.origin)) return done('origin.refused', false);
  if (io.engine.clientsCount >= SOCKETS_PER_NODE) return done('live.full', false);
  done(null, true);
}

type Admission = {
  find: FindCaller;
  limits?: RateLimits | undefined;
  clock: Clock;
  log: Log;
  socketLimit: number;
};

/** Middleware: a socket of a device that is signed in, or `connect_error` whose `data` is the problem document (SEC1). */
export function admit(io: LiveServer, { find, limits, clock, log, socketLimit }: Admission) {
  return async (socket: DeviceSocket, next: (error?: Error) => void): Promise<void> => {
    let refused: Error | undefined;
    try {
      await enter(socket);
    } catch (error) {
      const refusal = toRefusal(error, log, 'live connect');
      refused = Object.assign(new Error(refusal.message), { data: toProblem(refusal) });
    }
    next(refused);
  };

  async function enter(socket: DeviceSocket): Promise<void> {
    const { protocol, token } = socket.handshake.auth as { protocol?: unknown; token?: unknown };
    const found = await findHolder(token, find);
    limits?.count(socket.request, typeof found === 'string' ? undefined : found);
    if (protocol !== LIVE_PROTOCOL) {
      const detail = `This hub speaks live protocol ${LIVE_PROTOCOL}; reload the page to get one that does too.`;
      throw new AppError(400, 'live.protocol', detail, { extra: { protocol: LIVE_PROTOCOL } });
    }
    const device = deviceIn(found);
    const sockets = io.sockets.adapter.rooms.get(deviceRoom(device.id))?.size ?? 0;
    if (sockets >= socketLimit) {
      throw new AppError(429, 'live.too_many', `This device has ${sockets} pages open already; close some.`);
    }
    socket.data = { token: token as string, device, tokens: BURST, countedAt: clock.now(), backlog: 0 };
  }
}

/** The device that holds this token, read from the database now; refuses in the words that HTTP uses. */
export async function deviceBehind(token: unknown, find: FindCaller): Promise<DeviceCaller> {
  return deviceIn(await findHolder(token, find));
}

const findHolder = async (token: unknown, find: FindCaller): Promise<Found> =>
  typeof token === 'string' && /^[\w.~+/=-]{1,200}$/.test(token) ? find(token) : 'missing';

function deviceIn(found: Found): DeviceCaller {
  if (found === 'missing') {
    const detail = 'Connect with auth {protocol, token}, where token is the token of a device.';
    throw new AppError(401, 'credential.missing', detail);
  }
  return authorize('device', found) as DeviceCaller;
}

/** Tells all sockets of a device, on every node, that it was revoked, and ends them. */
export function signOut(io: LiveServer, deviceId: string): void {
  const room = deviceRoom(deviceId);
  // Here at once and in this order; elsewhere through the adapter.
  io.local.to(room).emit('revoked', { deviceId });
  io.local.in(room).disconnectSockets(true);
  io.to(room).emit('revoked', { deviceId });
  io.in(room).disconnectSockets(true);
}
