import { z } from 'zod';
import { SourceId } from '../schemas/values.ts';

export const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time of day like 08:30');
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export const Days = z.array(z.enum(DAYS)).min(1).max(7);

export const Quiet = z
  .strictObject({
    spans: z
      .array(
        z.strictObject({
          from: ClockTime.describe('From this time of day on.'),
          to: ClockTime.describe(
            'Up to this time, on the next day where it is not later than `from`; both the same are a whole day.',
          ),
          days: Days.optional().describe('The days on which it begins; absent: all.'),
        }),
      )
      .min(1)
      .max(10)
      .describe('The times of day at which nothing rings.'),
    through: z
      .strictObject({
        high: z.boolean().describe('True: what is urgent.'),
        sources: z.array(SourceId).max(100).describe('What these sources ask, by their id.'),
      })
      .partial()
      .optional()
      .describe('What rings all the same.'),
    off: z.literal(true).optional().describe('They are turned off: it is never quiet; absent: they are on.'),
  })
  .meta({ id: 'Quiet', description: 'When a person is not to be woken, counted in their time zone.' });
export type Quiet = z.infer<typeof Quiet>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** When the quiet that holds at `now` ends, spans that follow on each other as one, at most a week on; undefined: it is not quiet. */
export function quietUntil({ spans }: Pick<Quiet, 'spans'>, timeZone: string, now: number): number | undefined {
  let until: number | undefined;
  while (until === undefined || until < now + 7 * DAY_MS) {
    const at: number = until ?? now;
    const ends = spans.flatMap((span) => endOf(span, timeZone, at) ?? []);
    if (ends.length === 0) break;
    until = Math.max(...ends);
  }
  return until;
}

/** Whether this rings in spite of quiet hours. */
export function breaksThrough(
  { through = {} }: Quiet,
  asked: { urgency?: string | undefined; sourceId: string },
): boolean {
  return (through.high === true && asked.urgency === 'high') || (through.sources ?? []).includes(asked.sourceId);
}

/** The end of the span if it holds at this instant, whether it began on this day or the day before. */
function endOf({ from, to, days }: Quiet['spans'][number], timeZone: string, at: number): number | undefined {
  const today = Math.floor((at + offsetAt(timeZone, at)) / DAY_MS) * DAY_MS;
  for (const day of [today, today - DAY_MS]) {
    const name = DAYS[new Date(day).getUTCDay()]!;
    if (days && !days.includes(name)) continue;
    const end = instantOf(timeZone, to > from ? day : day + DAY_MS, to);
    if (instantOf(timeZone, day, from) <= at && at < end) return end;
  }
  return undefined;
}

/** The instant at which clocks there first show this time of this day; where they leave it out, as long after the gap's start. */
export function instantOf(timeZone: string, day: number, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const shown = day + (hours * 60 + minutes) * MINUTE_MS;
  const before = shown - offsetAt(timeZone, shown - DAY_MS);
  if (before + offsetAt(timeZone, before) === shown) return before;
  const after = shown - offsetAt(timeZone, shown + DAY_MS);
  return after + offsetAt(timeZone, after) === shown ? after : before;
}

type Zone = { format: Intl.DateTimeFormat; offsets: Map<number, number> };
const zones = new Map<string, Zone>();
/** Clocks are changed at quarters of an hour of UTC. */
const QUARTER_MS = 15 * MINUTE_MS;
const KEPT = 1000;

/** By how much clocks there are ahead of UTC at this instant. */
export function offsetAt(timeZone: string, at: number): number {
  let zone = zones.get(timeZone);
  if (!zone) {
    const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    const format = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', second: 'numeric', ...numeric });
    zones.set(timeZone, (zone = { format, offsets: new Map() }));
  }
  const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS;
  let offset = zone.offsets.get(quarter);
  if (offset === undefined) {
    const shown: Record<string, number> = {};
    for (const { type, value } of zone.format.formatToParts(quarter)) shown[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
    offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter;
    if (zone.offsets.size >= KEPT) zone.offsets.clear();
    zone.offsets.set(quarter, offset);
  }
  return offset;
}
