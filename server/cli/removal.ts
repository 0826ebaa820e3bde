import { openPush } from '../deliveries/push/pusher.ts';
import type { Announce } from '../devices/admit.ts';
import type { SayGoodbye } from '../devices/revoke.ts';
import { DIALECTS } from '../dialects/all/dialects.ts';
import { composeBy } from '../dialects/open.ts';
import { dropProposal } from '../automation/deciders/proposals.ts';
import { unheard } from '../inquiries/announce.ts';
import { type Closing } from '../inquiries/inquiries.ts';
import { createWaiters } from '../inquiries/waiters.ts';
import { createLog } from '../platform/log.ts';
import { localSignals } from '../platform/nodes/signals.ts';
import type { HubData } from './command/hub-data.ts';

/**
 * What a removal does beside a running hub, in a process of its own: all that is stored is stored here; a node closes the
 * pages of devices that are out within seconds by itself, and what waits reads again within 15 s.
 */
export function closingBeside({ database }: HubData): Closing {
  const signals = localSignals();
  return {
    database,
    signals,
    waiters: createWaiters(signals),
    announce: unheard,
    settling: { drop: dropProposal },
    composeReply: composeBy(DIALECTS, createLog('warn')),
    wakeDeliveries() {},
    wakePushes() {},
    count() {},
    note() {},
  };
}

/** Nobody hears of devices here: each node looks for itself. */
export const unheardDevices: Announce = { toPerson() {}, toDevice() {}, revoked() {} };

/** Says goodbye to devices that are signed out, with the hub's own key; `said` waits until they were told. */
export async function goodbyes({
  database,
  settings,
  publicUrl,
}: HubData): Promise<{ say: SayGoodbye; said: () => Promise<void> }> {
  const push = await openPush({
    settings,
    database,
    composers: {},
    publicUrl: () => publicUrl,
    log: createLog('warn'),
    metrics: { pushAttempts: { inc() {} } },
  });
  const saying: Promise<void>[] = [];
  return {
    say: (recipient) => void saying.push(push.signOut(recipient)),
    async said() {
      await Promise.all(saying);
      await push.stop();
    },
  };
}
