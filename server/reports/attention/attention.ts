import type { Attention, AttentionDays, Bar, Became, SourceAttention, Took } from '#shared/policies/attention.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { takingTurns, type Turn } from '../../platform/loop.ts';
import { HUB_TIME_ZONE } from '../../platform/time-zone.ts';
import { countAsked, type Ending, type Group, type Kind } from './counts.ts';
import { offersFor } from './offers.ts';
import { daysBefore, toSlot } from './zone.ts';
import { readPreferences } from '../../people/change.ts';

const LABELS_MAX = 20;

type Lengths = Map<number, number>;
type Seen = Omit<SourceAttention, 'source' | 'took'> & { lengths: Lengths };

/** How much one person was asked in so many days that end today, and which rules would have spared them the most. */
export async function readAttention(
  database: Database,
  { id: personId, handle }: { id: string; handle: string },
  days: AttentionDays,
  turn: Turn = takingTurns(),
): Promise<Attention> {
  const { read, clock } = database;
  const { timeZone = HUB_TIME_ZONE, putOff = [] } = await readPreferences(read, personId);
  const now = Math.floor(clock.now());
  const window = { personId, timeZone, now, since: daysBefore(timeZone, now, Number(days) - 1) };
  const seen = new Map<string, Seen>();
  const kinds = new Map<Kind, Lengths>();
  const automatic = new Map<string, Attention['automatic'][number]>();
  let expiredUnseen = 0;
  const since = await countAsked(database, window, turn, (group) => {
    const { source_id: sourceId, ending, notified, kind, ms } = group;
    const count = Number(group.count);
    const ofSource = known(seen, sourceId, nothing);
    addGroup(ofSource, group);
    addLabel(automatic, group);
    if (ending === 'expired' && notified === null) expiredUnseen += count;
    if (kind === null) return;
    for (const times of [ofSource.lengths, known(kinds, kind, () => new Map())])
      times.set(Number(ms), (times.get(Number(ms)) ?? 0) + count);
  });
  return {
    timeZone,
    since: iso(since),
    sources: await named(database, seen),
    kinds: (['actions', 'questions', 'document'] as const).flatMap((kind) => {
      const took = toTook(kinds.get(kind));
      return took ? [{ kind, ...took }] : [];
    }),
    automatic: [...automatic.values()].toSorted(byCount).slice(0, LABELS_MAX),
    expiredUnseen,
    offers: await offersFor(database, { personId, handle, timeZone, since: window.since, putOff }, turn),
  };
}

const AUTOMATIC: readonly Ending[] = ['rule', 'yolo', 'decider'];

function addGroup(seen: Seen, { ending, outcome, opened, notified, settled, count: text }: Group): void {
  const count = Number(text);
  const became: keyof Became = ending === 'mine' ? (outcome === 'declined' ? 'declined' : 'answered') : ending;
  seen.asked += count;
  seen.became[became] += count;
  if (notified !== null) seen.notified += count;
  for (const [slot, what] of [
    [opened, 'asked'],
    [notified, 'notified'],
    [settled, 'automatic'],
  ] as const) {
    if (slot === null) continue;
    const { weekday, hour } = toSlot(Number(slot));
    seen.weekdays[weekday]![what] += count;
    seen.hours[hour]![what] += count;
  }
}

function addLabel(automatic: Map<string, Attention['automatic'][number]>, { ending, label, count, last }: Group): void {
  if (!AUTOMATIC.includes(ending)) return;
  const by = ending as Attention['automatic'][number]['by'];
  const entry = known(automatic, `${by} ${label}`, () => ({ by, label: label ?? '', count: 0, lastAt: '' }));
  entry.count += Number(count);
  const lastAt = iso(Number(last));
  if (lastAt > entry.lastAt) entry.lastAt = lastAt;
}

async function named({ read }: Database, seen: Map<string, Seen>): Promise<SourceAttention[]> {
  const sources = await read
    .selectFrom('sources')
    .select(['id', 'name'])
    // Postgres takes no list without members.
    .where('id', 'in', ['', ...seen.keys()])
    .execute();
  return sources
    .flatMap((source) => {
      const { lengths, ...counts } = seen.get(source.id) ?? nothing();
      const took = toTook(lengths);
      return { source, ...counts, ...(took ? { took } : {}) };
    })
    .toSorted((a, b) => b.notified - a.notified || b.asked - a.asked || (a.source.id < b.source.id ? -1 : 1));
}

function nothing(): Seen {
  const bars = (length: number): Bar[] => Array.from({ length }, () => ({ asked: 0, notified: 0, automatic: 0 }));
  const became = {
    answered: 0,
    declined: 0,
    others: 0,
    rule: 0,
    yolo: 0,
    decider: 0,
    expired: 0,
    withdrawn: 0,
    open: 0,
  };
  return { asked: 0, notified: 0, became, weekdays: bars(7), hours: bars(24), lengths: new Map() };
}

function toTook(lengths: Lengths = new Map()): Took | undefined {
  const sorted = [...lengths].toSorted(([a], [b]) => a - b);
  const count = sorted.reduce((sum, [, times]) => sum + times, 0);
  const within = (share: number): number => {
    let left = Math.ceil(share * count);
    return sorted.find(([, times]) => (left -= times) <= 0)?.[0] ?? 0;
  };
  return count === 0
    ? undefined
    : { count, p25: within(0.25), median: within(0.5), p75: within(0.75), p90: within(0.9) };
}

function byCount(a: Attention['automatic'][number], b: Attention['automatic'][number]): number {
  return b.count - a.count || (a.label < b.label ? -1 : 1);
}

function known<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
