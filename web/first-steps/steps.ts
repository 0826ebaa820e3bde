import type { Inquiry } from '#shared/inquiry.ts';
import type { Device } from '#shared/wire.ts';
import { isTest } from '../connect/proof/test-question.ts';

/** What the hub and this browser say; from nothing else does a step get done. */
export type Known = {
  devices: readonly Device[];
  /** What was asked of this person, open or settled, in any order. */
  asked: readonly Pick<Inquiry, 'id' | 'title' | 'source' | 'openedAt' | 'context' | 'resolution'>[];
  owner: boolean;
  /** A browser on an iPhone or iPad, where only an installed app gets notifications. */
  mustInstall: boolean;
};

/** Done: what proved it and since when. */
export type Proof = { at: string; device?: Device; inquiry?: Known['asked'][number] };
export type StepName = 'in' | 'install' | 'inApp' | 'agent' | 'tested' | 'second' | 'notified';
export type Step = { name: StepName; proof: Proof | undefined };

/** The source of the hub's own command line is no agent. */
export const COMMAND_LINE = 'Command line';

/** The first steps of this person on this device, in their order. Empty while the device itself is not listed. */
export function listSteps({ devices, asked, owner, mustInstall }: Known): Step[] {
  const here = devices.find(({ current }) => current);
  if (!here) return [];
  const signedIn: Step = { name: 'in', proof: { at: here.createdAt, device: here } };
  if (mustInstall) {
    const app = devices.find((device) => isAppOf(here, device));
    return [
      signedIn,
      { name: 'install', proof: app && { at: app.createdAt, device: app } },
      { name: 'inApp', proof: shown(devices.filter((device) => isAppOf(here, device))) },
    ];
  }
  const notifiedHere = shown([here]);
  if (!owner) return [signedIn, { name: 'notified', proof: notifiedHere }];
  const others = devices.filter((device) => device !== here).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  const [second] = others;
  const notifiedThere = shown(others);
  const fromAgents = asked
    .filter((one) => one.source.name !== COMMAND_LINE)
    .toSorted((a, b) => a.openedAt.localeCompare(b.openedAt));
  const first = fromAgents.find((one) => !isTest(one));
  const answered = fromAgents.find((one) => one.resolution?.outcome === 'answered');
  return [
    signedIn,
    { name: 'agent', proof: first && { at: first.openedAt, inquiry: first } },
    { name: 'tested', proof: answered?.resolution && { at: answered.resolution.at, inquiry: answered } },
    { name: 'second', proof: second && { at: second.createdAt, device: second } },
    { name: 'notified', proof: notifiedThere && notifiedHere },
  ];
}

export function isDone({ proof }: Step): boolean {
  return proof !== undefined;
}

// A notification that its browser said it showed.
function shown(devices: readonly Device[]): Proof | undefined {
  const device = devices.find(({ subscription }) => subscription?.shownAt !== undefined);
  return device?.subscription?.shownAt === undefined ? undefined : { at: device.subscription.shownAt, device };
}

// An installed app has a sign-in of its own, with the browser's words about itself.
function isAppOf(here: Device, { current, userAgent, createdAt }: Device): boolean {
  const kind = (text: string) => /iPhone|iPad|iPod|Macintosh/.exec(text)?.[0];
  return !current && kind(userAgent) === kind(here.userAgent) && createdAt > here.createdAt;
}
