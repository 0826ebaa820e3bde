import type { Proposal } from '#shared/policies/decider.ts';
import { visible } from '#shared/visible.ts';
import { me } from '../../live/session.ts';
import { proposalWords } from './words.ts';

/** Who reads this, and the name of the device. */
type Reader = { handle: string | undefined; device: string | undefined };

/** This person on this device. */
export const reader = (): Reader => ({ handle: me.value?.person.handle, device: me.value?.device.name });

/** Why a decider decides, as this person reads it: everybody who was asked is shown who asked it. */
export function sayWhy(proposal: Proposal, { handle, device }: Reader): string {
  const t = proposalWords();
  const { why, decider, askedBy = '', askedByHandle = '', at } = proposal;
  const own = askedByHandle === handle;
  const where = own && askedBy === device ? t.onThis : visible(askedBy);
  return t.why[why]({
    who: own ? t.you : t.other(visible(askedByHandle)),
    name: visible(decider.name),
    device: where,
    at: Date.parse(at),
  });
}

/** In whose name it is declined where nothing comes of it. */
export function sayDeclines({ askedByHandle = '' }: Proposal, { handle }: Reader): string {
  const t = proposalWords();
  return askedByHandle === handle ? t.declines : t.declinesFor(visible(askedByHandle));
}
