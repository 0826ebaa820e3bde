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
      const failed = await eachByItself(ids, work);
      for (const { id, error } of failed)
        // A database that is away or busy is not the row's fault.
        if (!(error instanceof AppError && error.status === 503)) until.set(id, now + (restMs(id) ?? REST_MS));
      if (failed.length === 0) return;
      const some = failed.slice(0, 10).map(({ id }) => id);
      throw new AggregateError(
        failed.map(({ error }) => error),
        `failed for ${some.join(', ')}`,
      );
    },
  };
}
export type Failing = ReturnType<typeof createFailing>;

export type Failed = { id: string; error: unknown };

/** Does the work for each row, a few at a time, whatever becomes of the others; returns those whose work threw. */
export async function eachByItself(ids: string[], work: (id: string) => Promise<void>): Promise<Failed[]> {
  const failed: Failed[] = [];
  const inTurn = limited(AT_ONCE);
  const attempt = (id: string) => work(id).catch((error: unknown) => void failed.push({ id, error }));
  await Promise.all(ids.map((id) => inTurn(() => attempt(id))));
  return failed;
}

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
