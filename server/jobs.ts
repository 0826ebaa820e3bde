import type { Push } from './deliveries/push/pusher.ts';
import { resumePutOff } from './deliveries/pause.ts';
import { mendQueues } from './deliveries/queues.ts';
import { giveUpPast, sweepAttempts } from './deliveries/settle.ts';
import type { Announce } from './devices/admit.ts';
import { announceAdded } from './devices/admit.ts';
import { sweepEnrolments } from './devices/enrolments/state.ts';
import type { Deciders } from './automation/deciders/deciders.ts';
import { forgetResolved, sweepJobs } from './inquiries/expire.ts';
import type { Inquiries } from './inquiries/inquiries.ts';
import { renewAwaited, spareLeases, WAITING_MS } from './inquiries/lease.ts';
import { withdrawRevoked } from './inquiries/withdraw.ts';
import { endYolos, forgetYolos, type Yolos } from './automation/yolo/yolo.ts';
import { sweepSessions } from './mcp/sessions.ts';
import { tellFailing } from './notices/failing.ts';
import type { Notices } from './notices/send.ts';
import { forgetNotices } from './notices/store.ts';
import { HOUR_MS } from './platform/clock.ts';
import type { Log } from './platform/log.ts';
import type { LoopWatch } from './platform/loop.ts';
import { repeat } from './platform/repeat.ts';

/** How often a job runs on all nodes together, and at least on each, in case the others are frozen or gone. */
const SWEEP_MS = { together: 250, each: 1_000 };
const ADDED_MS = { together: 5_000, each: 15_000 };

/** Starts what the hub does by itself, on this node beside all others. */
export function startJobs({
  inquiries,
  deciders,
  yolos,
  notices,
  publicUrl,
  nodes,
  loop,
  devices,
  push,
  retainDays,
  log,
}: {
  inquiries: Inquiries;
  deciders: Deciders;
  yolos: Yolos;
  notices: Notices;
  publicUrl: () => string;
  /** How many nodes share the work. */
  nodes: () => number;
  loop: LoopWatch;
  devices: Announce;
  push: Pick<Push, 'upkeep'>;
  retainDays: number;
  log: Log;
}) {
  const { database } = inquiries;
  const every = ({ together, each }: typeof SWEEP_MS) => Math.min(together * nodes(), each);
  let spared = false;
  const spareOnce = async () => {
    if (!spared) await spareLeases(inquiries);
    spared = true;
  };
  const running = [
    repeat(
      () => every(SWEEP_MS),
      { sockets: loop.caughtUp, 'leases after a start': spareOnce, ...sweepJobs(inquiries, loop.behind) },
      log,
    ),
    // Beside the others: what is looked for may take longer than a lease.
    repeat(() => every(SWEEP_MS), { 'deciders that run': deciders.keepRunning }, log),
    repeat(() => every(SWEEP_MS), { 'what deciders propose': deciders.look }, log),
    repeat(() => WAITING_MS, { 'leases of what waits': () => renewAwaited(inquiries) }, log),
    repeat(() => every(SWEEP_MS) * 4, { 'the end of YOLO': () => endYolos(yolos) }, log),
    repeat(() => every(ADDED_MS), { 'added devices': () => announceAdded(database, devices) }, log),
    repeat(
      () => every(ADDED_MS),
      {
        'webhooks that were paused': () => resumePutOff(database),
        'webhooks past their day': () => giveUpPast(database, log),
        'endpoints that fail': () => tellFailing(notices, publicUrl),
      },
      log,
    ),
    repeat(() => HOUR_MS, hourly(inquiries, push, retainDays), log),
  ];
  return { stop: async () => void (await Promise.all(running.map((job) => job.stop()))) };
}
export type Jobs = ReturnType<typeof startJobs>;

function hourly(inquiries: Inquiries, push: Pick<Push, 'upkeep'>, retainDays: number) {
  const { database } = inquiries;
  return {
    'inquiries of revoked sources': () => withdrawRevoked(inquiries),
    'old inquiries': () => forgetResolved(database, retainDays),
    'old YOLO': () => forgetYolos(database, retainDays),
    'old notices': () => forgetNotices(database, retainDays),
    'old attempts': () => sweepAttempts(database),
    'webhooks that stand in no due queue': () => mendQueues(database),
    ...push.upkeep,
    'old enrolments': () => sweepEnrolments(database),
    'old gate sessions': () => sweepSessions(database, 'gate_sessions'),
    'old MCP sessions': () => sweepSessions(database, 'mcp_sessions'),
  };
}
