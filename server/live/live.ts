import { setTimeout as pause } from 'node:timers/promises';
import { createShardedAdapter } from '@socket.io/redis-adapter';
import { Server } from 'socket.io';
import { HEARTBEAT_MS, LIVE_PATH } from '#shared/live.ts';
import type { Marker } from '../deliveries/inquiry-devices.ts';
import { createPresence } from '../devices/presence.ts';
import type { Inquiries } from '../inquiries/inquiries.ts';
import { readSnapshots, readVersions } from '../inquiries/read.ts';
import type { FindCaller } from '../platform/http/access.ts';
import type { Http } from '../platform/http/server.ts';
import type { Log } from '../platform/log.ts';
import type { LoopWatch } from '../platform/loop.ts';
import type { Redis } from '../platform/nodes/redis.ts';
import { batched } from '../platform/batched.ts';
import { repeat } from '../platform/repeat.ts';
import { admit, mayEnter } from './border/admit.ts';
import { announceDevices, announceInquiries, type ExceptSocket } from './announce.ts';
import { catchUp, type Inbox } from './catch-up.ts';
import { createHandlers, type ReadNotice } from './events.ts';
import { beat, LIVE_FOR_MS, signOutRevoked } from './heartbeat.ts';
import { closeAll, cutStuck, endLines, sendWhole } from './pressure.ts';
import { createReceiver } from './border/receive.ts';
import { deviceRoom, personRoom, WAITING, type DeviceSocket, type LiveServer } from './border/sockets.ts';

/** What is private goes only to devices that were not revoked so long ago, whatever message between nodes was lost. */
const CHECK_MS = 2_000;
/** For what is counted on this node alone: no step of a clock stops or hurries it. */
const intervals = { now: () => performance.now() };
/** Of devices that come back all at once, so that asks have their turn in between. */
const SNAPSHOTS = { most: 100, restMs: 10 };
const STUCK_LOOK_MS = 5_000;
const ENTER_WITHIN_MS = 10_000;
/** Enough for every tab of a person; a page that connects in a loop ends here. */
const SOCKETS_PER_DEVICE = 20;

export type LiveOptions = {
  /** The server that it listens on, and what that counts and trusts. */
  http: Pick<Http, 'server'> & Partial<Pick<Http, 'limits' | 'trust' | 'turns'>>;
  log: Log;
  findCaller: FindCaller;
  inquiries: Inquiries;
  marker: Marker;
  /** Marks a notice read for this person; 404 when it is not theirs. */
  readNotice: ReadNotice;
  redis?: Redis | undefined;
  loop?: LoopWatch | undefined;
  /** Origins a browser may come from; asked at each handshake. */
  origins: () => string[];
  heartbeatMs?: number | undefined;
  /** Pages of one device on this node. */
  socketLimit?: number | undefined;
  /** A line on which no device is signed in by then is closed. */
  enterWithinMs?: number | undefined;
  /** How often devices are looked for that were revoked elsewhere. */
  checkMs?: number;
};

export type Live = ReturnType<typeof createLive>;

/** The live line to people's devices: socket.io at `/live`, WebSocket only (DESIGN section 5, "Live"). */
export function createLive(options: LiveOptions) {
  const { http, log, loop, findCaller: find, inquiries, redis, origins, heartbeatMs = HEARTBEAT_MS } = options;
  const { socketLimit = SOCKETS_PER_DEVICE, enterWithinMs = ENTER_WITHIN_MS, checkMs = CHECK_MS } = options;
  const { database } = inquiries;
  let stopping = false;
  const io: LiveServer = new Server({
    path: LIVE_PATH,
    transports: ['websocket'],
    serveClient: false,
    // Above BODY_LIMIT, so that what is too large for an event is refused in words and not by a closed line.
    maxHttpBufferSize: 300 * 1024,
    perMessageDeflate: false,
    connectTimeout: enterWithinMs,
    allowRequest: (request, done) => (stopping ? done('live.stopping', false) : mayEnter(io, request, origins, done)),
    ...(redis ? { adapter: adapterOn(redis) } : {}),
  });
  const exceptSocket: ExceptSocket = new Map();
  const presence = createPresence(database, unforeseen('presence'));
  const inbox: Inbox = {
    read: batched(SNAPSHOTS, (readers) => readSnapshots(inquiries, readers)),
    version: batched(SNAPSHOTS, async (personIds: string[]) => {
      // What is announced from here on reaches this node; what was before raised the version.
      await redis?.listening();
      const versions = await readVersions(database.read, personIds);
      return personIds.map((personId) => versions.get(personId) ?? 0);
    }),
    pause,
  };
  const handlers = createHandlers({ ...options, io, inbox, exceptSocket });
  const receive = createReceiver({ io, handlers, find, clock: intervals, log, loop, turns: http.turns });

  const enter = admit(io, { find, limits: http.limits, clock: intervals, log, socketLimit });
  io.use((socket, next) => void enter(socket, next));
  io.on('connection', (socket) => {
    const { device } = socket.data;
    void socket.join([personRoom(device.person.id), deviceRoom(device.id), WAITING]);
    http.trust?.(socket.request.socket);
    // The handshake's request is the largest thing an idle socket holds, and nobody reads it again.
    (socket.conn as { request: unknown }).request = undefined;
    socket.onAny((name: unknown, ...args: unknown[]) => receive(socket, name, args));
    socket.on('disconnect', () => leave(socket));
    presence.touch(device.id, database.clock.now() + LIVE_FOR_MS);
    catchUp(socket, inbox).catch(unforeseen('snapshot'));
  });

  function leave({ data: { device } }: DeviceSocket): void {
    if (!stopping && !io.sockets.adapter.rooms.has(deviceRoom(device.id))) presence.drop(device.id);
  }

  function unforeseen(where: string) {
    return (error: unknown): void =>
      void (stopping || log.warn({ err: error, where: `live ${where}` }, 'unhandled error'));
  }
  const look = setInterval(() => {
    const count = cutStuck(io);
    if (count > 0) log.warn({ count }, 'cut devices that do not read what they are sent');
  }, STUCK_LOOK_MS).unref();
  const jobs = [
    repeat(() => heartbeatMs, { heartbeat: () => beat(io, database, presence) }, log),
    repeat(() => checkMs, { 'revoked devices': () => signOutRevoked(io, database) }, log),
  ];
  io.attach(http.server);
  endLines(io);
  sendWhole(io);

  return {
    announce: announceInquiries(io, exceptSocket, database.clock),
    devices: announceDevices(io, inquiries.signals),
    /** Devices with a live page on this node. */
    count: (): number => new Set(Array.from(io.sockets.sockets.values(), ({ data }) => data.device.id)).size,
    /** Closes every line without a word, so that its page comes back, to this node or another. */
    async stop(): Promise<void> {
      stopping = true;
      clearInterval(look);
      await Promise.all(jobs.map((job) => job.stop()));
      await closeAll(io);
    },
  };
}

const UNHEARD = new RegExp(`#(${WAITING}|${deviceRoom('.*')})#$`);
/** Without a channel for each device, whose words go to all nodes, and for those who wait, to whom nothing is sent. */
function adapterOn(redis: Redis) {
  const sPublish: Redis['sPublish'] = (channel, message) => redis.sPublish(channel.replace(UNHEARD, '#'), message);
  const sSubscribe: Redis['sSubscribe'] = (channel, hear) => UNHEARD.test(channel) || redis.sSubscribe(channel, hear);
  const by = { ...redis, sPublish, sSubscribe };
  return createShardedAdapter(by, by, { channelPrefix: 'beckon-live' });
}
