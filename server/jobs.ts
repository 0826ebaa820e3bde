import type { PasskeyNews } from '#shared/schemas/passkeys.ts';
import { chain } from './audit/chain.ts';
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
import type { Events } from './mcp/events/events.ts';
import { sweepSessions } from './mcp/sessions.ts';
import { tellFailing } from './notices/failing.ts';
import type { Notices } from './notices/send.ts';
import { forgetNotices } from './notices/store.ts';
import { relyingOn, warnOfMoved } from './people/passkeys/relying.ts';
import { forgetChallenges, removeDue } from './people/passkeys/sweep.ts';
import { HOUR_MS } from './platform/clock.ts';
import type { Log } from './platform/log.ts';
import { forgetConsumed } from './receipts/consume.ts';
import { forgetOperations } from './protocols/aap/operations.ts';
import { renewKeys } from './receipts/keys.ts';
import type { LoopWatch } from './platform/loop.ts';
import { repeat } from './platform/repeat.ts';
import type { Settings } from './platform/settings.ts';

/** How often a job runs on all nodes together, and at least on each, in case the others are frozen or gone. */
const SWEEP_MS = { together: 250, each: 1_000 };
const ADDED_MS = { together: 5_000, each: 15_000 };
const LOG_MS = { together: 60_000, each: 120_000 };

/** Starts what the hub does by itself, on this node beside all others. */
export function startJobs({
  inquiries,
  deciders,
  yolos,
  notices,
  events,
  publicUrl,
  nodes,
  loop,
  devices,
  push,
  settings,
  log,
}: {
  inquiries: Inquiries;
  deciders: Deciders;
  yolos: Yolos;
  notices: Notices;
  events: Pick<Events, 'endOver'>;
  publicUrl: () => string;
  /** How many nodes share the work. */
  nodes: () => number;
  loop: LoopWatch;
  devices: Announce;
  push: Pick<Push, 'upkeep'>;
  settings: Pick<Settings, 'RETAIN_DAYS' | 'AUDIT_DAYS'>;
  log: Log;
}) {
  const { database } = inquiries;
  const every = ({ together, each }: typeof SWEEP_MS) => Math.min(together * nodes(), each);
  const tell = (personId: string, news: PasskeyNews) => devices.toPerson(personId, 'passkey', news);
  const warnOnce = once(() => warnOfMoved(database, relyingOn(publicUrl()), log));
  const spareOnce = once(() => spareLeases(inquiries));
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
    repeat(
      () => every(ADDED_MS),
      {
        'added devices': () => announceAdded(database, devices),
        'passkeys of another host': warnOnce,
        'passkeys to be removed': () => removeDue(database, tell),
      },
      log,
    ),
    repeat(
      () => every(ADDED_MS),
      {
        'subscriptions to events that are over': events.endOver,
        'webhooks that were paused': () => resumePutOff(database),
        'webhooks past their day': () => giveUpPast(database, log),
        'endpoints that fail': () => tellFailing(notices, publicUrl),
      },
      log,
    ),
    repeat(() => every(LOG_MS), { 'the sealed log': () => writeLog(inquiries, yolos, settings) }, log),
    repeat(() => HOUR_MS, hourly(inquiries, push, settings.RETAIN_DAYS), log),
  ];
  return { stop: async () => void (await Promise.all(running.map((job) => job.stop()))) };
}
export type Jobs = ReturnType<typeof startJobs>;

/** Done until it has worked once. */
function once(work: () => Promise<unknown>): () => Promise<void> {
  let done = false;
  return async () => {
    if (!done) await work();
    done = true;
  };
}

/** YOLO that is over ended when it was to end, and stands in the log with that instant: before what is read now. */
async function writeLog(
  inquiries: Inquiries,
  yolos: Yolos,
  settings: Pick<Settings, 'RETAIN_DAYS' | 'AUDIT_DAYS'>,
): Promise<void> {
  await endYolos(yolos);
  await chain(inquiries, { retainDays: settings.RETAIN_DAYS, auditDays: settings.AUDIT_DAYS });
}

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
    'old challenges of passkeys': () => forgetChallenges(database),
    'old enrolments': () => sweepEnrolments(database),
    'keys of receipts': () => renewKeys(inquiries, retainDays),
    'used receipts': () => forgetConsumed(database),
    'old operations of provisioners': () => forgetOperations(database),
    'old gate sessions': () => sweepSessions(database, 'gate_sessions'),
    'old MCP sessions': () => sweepSessions(database, 'mcp_sessions'),
  };
}
