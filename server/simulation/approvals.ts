import type { Resolution } from '#shared/answer.ts';
import { handsWanted, parseApproved } from '../inquiries/approved.ts';
import { ask } from '../inquiries/ask.ts';
import { takeBack } from '../inquiries/hands.ts';
import { readForSource } from '../inquiries/read.ts';
import { usable } from '../inquiries/validity.ts';
import type { Database } from '../platform/database.ts';
import type { Chance } from './chance.ts';
import type { SimHub } from './hub.ts';
import type { Note, Page } from './page.ts';

/** What a source was told of an approval, by the hub's clock of that moment. */
type Reading = { inquiryId: string; at: number; validUntil: number | undefined; isYes: boolean };

/** Sources that ask about a call, do not wait, and read the answer now and then, in time or too late. */
export function createApprovers(hub: SimHub, chance: Chance, sourceId: string, note: Note) {
  const readings: Reading[] = [];
  const ids = new Set<string>();
  let count = 0;

  async function read(inquiryId: string): Promise<void> {
    const { inquiries } = hub.node();
    const inquiry = await readForSource(inquiries, inquiryId, sourceId);
    const at = inquiries.database.clock.now();
    const { resolution } = usable(inquiry, at);
    const isYes = resolution?.answer?.decisions?.[0]?.type === 'approve';
    if (isYes) inquiries.collected.add(inquiryId);
    const { validUntil } = inquiry.resolution ?? {};
    readings.push({ inquiryId, at, validUntil: validUntil === undefined ? undefined : Date.parse(validUntil), isYes });
    note(`reads ${resolution?.outcome ?? 'open'}`, inquiryId);
  }

  /** Asks about a call of which an approval ends soon, and reads it three times. */
  async function askAndRead(known: string[]): Promise<void> {
    const action = { name: `held ${++count}`, args: {}, allowed: ['approve' as const, 'reject' as const] };
    // Half of them want two people.
    const both = chance.percent(50) ? { to: ['owner', 'alice'], approvals: { count: 2 } } : { to: ['owner'] };
    const what = { ...both, actions: [action], validFor: chance.between(1, 30) };
    const pauses = [chance.between(500, 20_000), chance.between(500, 40_000), chance.between(500, 90_000)];
    const { inquiryId } = await ask(hub.node().inquiries, { sourceId, ask: what, waitMs: 0 });
    // A node that is killed meanwhile replies nothing.
    for (const ms of pauses) hub.schedule.after(ms, () => void read(inquiryId).catch(() => undefined));
    ids.add(inquiryId);
    known.push(inquiryId);
  }

  /** What somebody approved, or did not. */
  async function takeBackOf(page: Page): Promise<void> {
    const id = chance.pick([...ids].filter((one) => page.shows(one)));
    if (id !== undefined) await takeBack(hub.node().inquiries, page.answerer(), id);
  }
  return { readings, ids, askAndRead, takeBackOf };
}

/** APR1: no yes that was first read at its end or later, and an end that nothing moves, whatever was killed or stepped. */
export function checkApprovals(
  readings: Reading[],
  must: (holds: boolean, promise: string, inquiryId: string) => void,
): void {
  for (const [inquiryId, own] of Map.groupBy(readings, (one) => one.inquiryId)) {
    const ends = new Set(own.flatMap(({ validUntil }) => validUntil ?? []));
    must(ends.size <= 1, 'APR1: the end of an approval moved', inquiryId);
    const first = own.find(({ isYes }) => isYes);
    must(!first || first.at < (first.validUntil ?? 0), 'APR1: an approval that had ended was a yes', inquiryId);
  }
}

/** APR4: nothing that wants two people was approved by fewer, nor in the name of somebody who did not approve it. */
export async function checkHands(
  read: Database['read'],
  pages: Page[],
  must: Parameters<typeof checkApprovals>[1],
): Promise<void> {
  const rows = await read.selectFrom('inquiries').select(['id', 'transport', 'resolution', 'approved']).execute();
  for (const row of rows) {
    const { decisions = [] } = (JSON.parse(row.resolution ?? '{}') as Partial<Resolution>).answer ?? {};
    if (handsWanted(row) === 0 || decisions[0]?.type !== 'approve') continue;
    const people = new Set(parseApproved(row)?.hands.map(({ by }) => by.personId));
    must(people.size === handsWanted(row), 'APR4: too few people approved what may run', row.id);
    const said = pages.filter(({ answered }) =>
      answered.some(({ inquiryId, body }) => inquiryId === row.id && body.decisions?.[0]?.type === 'approve'),
    );
    const sent = new Set(said.map(({ device }) => device.personId));
    must(people.isSubsetOf(sent), 'APR4: somebody counts who approved nothing', row.id);
  }
}
