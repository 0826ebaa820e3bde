import { AppError } from '#shared/problem.ts';

const REST_MS = 10_000;
const MOST = 1_000;
/** The others' connections stay free for those who ask and answer. */
const AT_ONCE = 4;

/** Rows whose work threw: they rest for 10 s, or as long as `restMs` says, so that they neither hold up the rows behind them nor fill the log. */
export function createFailing() {
  const until = new Map<string, number>();
  return {
    /** The rows that rest at `now`: a query for due rows leaves them out. */
    resting(now: number): string[] {
      for (const [id, at] of until) if (at <= now || at > now + REST_MS || until.size > MOST) until.delete(id);
      return [...until.keys()];
    },
    /** Does the work for each row, whatever becomes of the others; throws at the end, with every error, if some failed. */
    async each(
      ids: string[],
      now: number,
      work: (id: string) => Promise<void>,
      restMs: (id: string) => number | undefined = () => undefined,
    ): Promise<void> {
      const errors: unknown[] = [];
      const failed: string[] = [];
      const attempt = async (id: string): Promise<void> => {
        try {
          await work(id);
        } catch (error) {
          errors.push(error);
          failed.push(id);
          // A database that is away or busy is not the row's fault.
          if (!(error instanceof AppError && error.status === 503)) until.set(id, now + (restMs(id) ?? REST_MS));
        }
      };
      const inTurn = limited(AT_ONCE);
      await Promise.all(ids.map((id) => inTurn(() => attempt(id))));
      if (errors.length > 0) throw new AggregateError(errors, `failed for ${failed.slice(0, 10).join(', ')}`);
    },
  };
}
export type Failing = ReturnType<typeof createFailing>;

/** Runs work in turn, at most `most` at a time. */
export function limited(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < most) running += 1;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
