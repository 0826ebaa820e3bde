import type { Push } from './deliveries/push/pusher.ts';
import { sweepAttempts } from './deliveries/settle.ts';
import type { DeviceAnnounce } from './devices/admit.ts';
import { announceAdded } from './devices/admit.ts';
import { sweepEnrolments } from './devices/enrolments/state.ts';
import { sweepSessions } from './gate/sessions.ts';
import { forgetResolved, sweepJobs } from './inquiries/expire.ts';
import type { Inquiries } from './inquiries/inquiries.ts';
import { withdrawRevoked } from './inquiries/withdraw.ts';
import { forgetNotices } from './notices/store.ts';
import { HOUR_MS } from './platform/clock.ts';
import type { Log } from './platform/log.ts';
import type { LoopWatch } from './platform/loop.ts';
import { repeat } from './platform/repeat.ts';

const SWEEP_MS = 250;
const ADDED_MS = 5_000;

/** Starts what the hub does by itself, on this node beside all others. */
export function startJobs({
  inquiries,
  loop,
  devices,
  push,
  retainDays,
  log,
}: {
  inquiries: Inquiries;
  loop: LoopWatch;
  devices: DeviceAnnounce;
  push: Pick<Push, 'upkeep'>;
  retainDays: number;
  log: Log;
}) {
  const { database } = inquiries;
  const running = [
    repeat(SWEEP_MS, { sockets: loop.caughtUp, ...sweepJobs(inquiries) }, log),
    repeat(ADDED_MS, { 'added devices': () => announceAdded(database, devices) }, log),
    repeat(
      HOUR_MS,
      {
        'inquiries of revoked sources': () => withdrawRevoked(inquiries),
        'old inquiries': () => forgetResolved(database, retainDays),
        'old notices': () => forgetNotices(database, retainDays),
        'old attempts': () => sweepAttempts(database),
        ...push.upkeep,
        'old enrolments': () => sweepEnrolments(database),
        'old gate sessions': () => sweepSessions(database),
      },
      log,
    ),
  ];
  return { stop: async () => void (await Promise.all(running.map((job) => job.stop()))) };
}
export type Jobs = ReturnType<typeof startJobs>;
