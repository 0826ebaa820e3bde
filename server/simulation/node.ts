import type { Announce } from '../inquiries/announce.ts';
import { createCollected } from '../inquiries/collected.ts';
import { createWaiters } from '../inquiries/waiters.ts';
import { pino } from 'pino';
import type { Inquiries } from '../inquiries/inquiries.ts';
import { composeInquiry } from '../inquiries/notification/notification.ts';
import { sweepJobs } from '../inquiries/expire.ts';
import { renewAwaited, spareLeases, WAITING_MS } from '../inquiries/lease.ts';
import { createOpenCounts } from '../inquiries/open-counts.ts';
import { askRoutes } from '../inquiries/routes/sources.ts';
import { createDispatcher } from '../deliveries/dispatch.ts';
import { createPusher } from '../deliveries/push/pusher.ts';
import { isAway, type Database } from '../platform/database.ts';
import { createHttp } from '../platform/http/http.ts';
import type { Timers } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Signals } from '../platform/nodes/signals.ts';
import { findSource } from '../sources/find.ts';
import type { Chance } from './chance.ts';
import { failingNow, losingSignals, type Faults } from './faults.ts';
import { createModel, type Outside } from './outside.ts';
import { createDeciders } from '../automation/deciders/deciders.ts';
import type { Deciding } from '../automation/deciders/deciding.ts';
import { createSettling } from '../automation/settling.ts';
import { endYolos, type Yolos } from '../automation/yolo/yolo.ts';
import type { Schedule } from './schedule.ts';

const SWEEP_MS = 1_000;
/** Another node may be quicker a few times. */
const MOST_EMPTY_CLAIMS = 20;

export type NodeParts = {
  file: Database;
  schedule: Schedule;
  chance: Chance;
  faults: Faults;
  signals: Signals;
  announce: Announce;
  outside: Outside;
  failed(what: string, error: unknown): void;
};

/** One node of the hub: the real waits, routes, sweeps and senders, as slow and as mortal as a process. */
export async function startNode(parts: NodeParts) {
  const { schedule, chance, outside } = parts;
  const signals = losingSignals(parts.signals, parts.faults, chance, () => schedule.now);
  const process = createProcess(schedule);
  const { after } = process;
  const pause = (ms: number): Promise<void> => new Promise((rested) => after(ms, rested));
  const timers = { now: () => schedule.now, after };
  const database = farDatabase(parts, pause);
  const log = pino({ level: 'silent' });
  const sender = { database, log, timers, chance: () => chance.fixed(0, 99, `jitter ${schedule.now}`) / 100 };
  const post: typeof outside.post = async (outgoing) => {
    const sent = await outside.post(outgoing);
    await pause(0);
    return sent;
  };
  const webhooks = createDispatcher({ ...sender, post, database: endingClaims(database, parts) });
  const vapid = { publicKey: '', authorization: async () => 'vapid' };
  const envelope = { vapid, publicUrl: () => 'https://hub.example', isListed: () => false };
  const pushes = createPusher({ ...sender, post, envelope, compose: composeInquiry });
  const yolos: Yolos = {
    database,
    announce: (personId, { version }) => parts.announce.moved([{ personId, version }]),
    wakePushes: pushes.wake,
  };
  const inquiries: Inquiries = {
    database,
    announce: parts.announce,
    signals,
    waiters: createWaiters(signals, timers),
    collected: createCollected({ database, log }, timers),
    openCounts: createOpenCounts(),
    publicUrl: () => 'https://hub.test',
    composeReply: () => undefined,
    answering: new Set(),
    wakeDeliveries: webhooks.wake,
    wakePushes: pushes.wake,
    sealingKey: Buffer.alloc(32),
    settling: createSettling(database, () => ({
      announce: deciding.announce,
      wakeDeciders: deciding.wakeDeciders,
      wakePushes: pushes.wake,
    })),
    openLimit: 100_000,
    openBytesLimit: 1_000_000_000,
    count: () => undefined,
    note: () => undefined,
  };
  const moved: Deciding['announce']['proposal'] = ({ versions }) => parts.announce.moved(versions);
  const deciding = {
    ...inquiries,
    announce: { ...parts.announce, proposal: moved, yolo: yolos.announce },
    wakeDeciders: () => deciders.wake(),
  };
  const deciders = createDeciders({
    inquiries: deciding,
    log,
    caughtUp: () => pause(0),
    run: createModel(schedule, chance),
  });
  const { http, hangUp } = await openRoutes(inquiries, log);

  startJobs(inquiries, yolos, after, parts, deciders.look);
  webhooks.wake();
  pushes.wake();
  return { inquiries, deciding, yolos, http, hangUp, ...process };
}
export type SimNode = Awaited<ReturnType<typeof startNode>>;

/** As between a node and its server: what is committed is known a moment later, or never; and each node has its own clock. */
function farDatabase({ file, schedule, chance, faults }: NodeParts, pause: (ms: number) => Promise<void>): Database {
  const failing = failingNow(file, faults, chance, () => schedule.now);
  const ahead = chance.between(-faults.skewMs, faults.skewMs);
  const committing = async <T>(commit: () => Promise<T>): Promise<T> => {
    await pause(chance.fixed(0, 20, `begin ${schedule.now}`));
    const result = await commit();
    await pause(chance.fixed(0, 20, `commit ${schedule.now}`));
    return result;
  };
  return {
    ...file,
    clock: { now: () => file.clock.now() + ahead },
    transaction: (work) => committing(() => failing.transaction(work)),
    steps: (work) => committing(() => failing.steps(work)),
  };
}

/** What the hub does by itself: a job that fails is tried at its next turn, and the others run. */
function startJobs(
  inquiries: Inquiries,
  yolos: Yolos,
  after: Timers['after'],
  { failed }: NodeParts,
  lookForProposals: () => Promise<void>,
): void {
  const tolerant = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      for (const one of error instanceof AggregateError ? (error.errors as unknown[]) : [error])
        if (!isAway(one)) failed('job', one);
    });
  const repeat = (ms: number, jobs: (() => Promise<unknown>)[]): void => {
    const turn = async (): Promise<void> => {
      for (const job of jobs) await tolerant(job());
      after(ms, () => void turn());
    };
    after(ms, () => void turn());
  };
  repeat(SWEEP_MS, Object.values(sweepJobs(inquiries)));
  repeat(SWEEP_MS, [lookForProposals]);
  repeat(4 * SWEEP_MS, [() => endYolos(yolos)]);
  repeat(WAITING_MS, [() => renewAwaited(inquiries)]);
  after(0, () => void tolerant(spareLeases(inquiries)));
}

/** Ends a claim that comes back empty again and again, even where no time passes, and tells it as a fault. */
function endingClaims(database: Database, { schedule, failed }: NodeParts): Database {
  let second = 0;
  let empty = 0;
  return {
    ...database,
    async transaction(work) {
      const result = await database.transaction(work);
      if (!Array.isArray(result) || result.length > 0) return result;
      const now = Math.floor(schedule.now / 1_000);
      empty = now === second ? empty + 1 : 1;
      second = now;
      if (empty <= MOST_EMPTY_CLAIMS) return result;
      const fault = new Error('the sender of webhooks claims the same queue without end');
      failed('DLV1', fault.message);
      throw fault;
    },
  };
}

/** What a process does later: after its standstill, and never once it is dead. */
function createProcess(schedule: Schedule) {
  let alive = true;
  let standsUntil = 0;
  const after = (ms: number, run: () => void): (() => void) => {
    let wanted = true;
    const runOrWait = (): void => {
      if (!alive || !wanted) return;
      if (standsUntil > schedule.now) schedule.after(standsUntil - schedule.now, runOrWait);
      else run();
    };
    schedule.after(ms, runOrWait);
    return () => {
      wanted = false;
    };
  };
  return {
    after,
    /** The event loop is held up, or the process is stopped. */
    standStill: (ms: number) => (standsUntil = schedule.now + ms),
    /** `kill -9`: what it began goes no further. */
    kill: () => (alive = false),
  };
}

/** The real routes of sources. `hangUp` closes the connection of a call by its client's name for it, however early. */
async function openRoutes(inquiries: Inquiries, log: Log) {
  const http = await createHttp({
    log,
    findCaller: (token) => findSource(inquiries.database, token),
    origins: () => [],
    trustProxy: 0,
    rateLimit: 1_000_000,
  });
  const sockets = new Map<string, { destroy(): unknown }>();
  const gone = new Set<string>();
  http.addHook('onRequest', async ({ headers }, { raw }) => {
    const name = String(headers['x-call']);
    sockets.set(name, raw);
    if (gone.has(name)) raw.destroy();
  });
  askRoutes(http, inquiries);
  await http.ready();
  const hangUp = (name: string): void => {
    gone.add(name);
    sockets.get(name)?.destroy();
  };
  return { http, hangUp };
}
