import type { StartYolo } from '#shared/policies/yolo.ts';
import { endAt } from '../policies/always/extents.ts';

export type End = 'quarter' | 'hour' | 'tonight' | 'other';

/** The id of the decider that is to decide. */
type DeciderChoice = `dcd_${string}`;

/** What is chosen while YOLO is not started yet. */
export type Chosen = {
  /** Absent: every source. */
  sources?: string[] | undefined;
  calls: 'approve' | 'you-decide' | 'ask' | DeciderChoice;
  destructive: 'ask' | 'same';
  questions: 'you-decide' | 'ask' | DeciderChoice;
  end: End;
  /** A time of day, for another end. */
  time: string;
};

export const atFirst: Chosen = { calls: 'approve', destructive: 'ask', questions: 'ask', end: 'hour', time: '' };

const SECONDS = { quarter: 900, hour: 3600 };

/** When it would end if it were started now; undefined while that is not chosen. */
export function chosenEnd({ end, time }: Pick<Chosen, 'end' | 'time'>, now: number): number | undefined {
  if (end === 'tonight') return Date.parse(endAt('tonight', now));
  if (end !== 'other') return now + SECONDS[end] * 1000;
  const [hours, minutes] = time.split(':').map(Number);
  if (hours === undefined || minutes === undefined) return undefined;
  // The next time that clocks show it.
  const day = new Date(now);
  const today = day.setHours(hours, minutes, 0, 0);
  return today > now ? today : day.setDate(day.getDate() + 1);
}

function meant<K extends string>(choice: K | DeciderChoice): K | { decider: string } {
  return isDecider(choice) ? { decider: choice } : (choice as K);
}

function isDecider(choice: string): choice is DeciderChoice {
  return choice.startsWith('dcd_');
}

/** What starts it; undefined while something is missing, or it would settle nothing. */
export function toBody(chosen: Chosen, now: number): StartYolo | undefined {
  const { sources, calls, destructive, questions, end } = chosen;
  const at = chosenEnd(chosen, now);
  if (at === undefined || sources?.length === 0 || (calls === 'ask' && questions === 'ask')) return undefined;
  return {
    ...(calls === 'ask' ? {} : { calls: meant(calls), ...(destructive === 'same' ? { destructive: true } : {}) }),
    ...(questions === 'ask' ? {} : { questions: meant(questions) }),
    ...(sources ? { sources } : {}),
    // The hub's own clock counts a length of time.
    until: end === 'quarter' || end === 'hour' ? SECONDS[end] : new Date(at).toISOString(),
  };
}
