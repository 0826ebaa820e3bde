import type { Inquiry } from '#shared/inquiry.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** As the hub has it. */
const LEFT_MS = 15 * MINUTE;
const EVENING = 19;
const MORNING = 8;

/** The last instant (ms) at which this inquiry can come back. */
export function lastReminder({ deadlineAt }: Pick<Inquiry, 'deadlineAt'>): number {
  return Date.parse(deadlineAt) - LEFT_MS;
}

/** The times (ms) that are offered, by the clocks of this device; tonight only while the evening has not begun. */
export function offered(now: number): (readonly ['hour' | 'tonight' | 'tomorrow', number])[] {
  const tonight = atHour(now, 0, EVENING);
  return [
    ['hour', now + HOUR],
    ...(tonight > now ? [['tonight', tonight] as const] : []),
    ['tomorrow', atHour(now, 1, MORNING)],
  ];
}

function atHour(now: number, days: number, hour: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, hour).getTime();
}
