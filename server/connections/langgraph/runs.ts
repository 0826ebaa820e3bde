import { z } from 'zod';
import { read } from './read.ts';
import { ServerError, type Server } from './server.ts';

const PAGE = 100;
const MOST_PAGES = 10;

const Runs = z.array(
  z.object({
    run_id: z.string().regex(/^[\x21-\x7e]{1,64}$/),
    created_at: z.string().max(64),
    metadata: z.object({ beckon: z.unknown().optional() }).nullish(),
  }),
);
export type Run = z.infer<typeof Runs>[number];

/** The newest run of a thread; undefined where it has none. Throws where a server lists too many older ones first. */
export async function newestRun(server: Server, threadId: string): Promise<Run | undefined> {
  let newest: Run | undefined;
  for await (const { runs, isLast } of pagesOfRuns(server, threadId)) {
    const [first] = runs;
    for (const run of runs) if (!newest || parseTime(run) >= parseTime(newest)) newest = run;
    if (isLast || (first && parseTime(first) > parseTime(runs.at(-1)!))) return newest;
  }
  throw new ServerError({ status: 200, error: `reply lists more than ${PAGE * MOST_PAGES} runs` });
}

/** True where a run of the thread bears this mark, among as many as are read. */
export async function hasRun(server: Server, threadId: string, mark: string): Promise<boolean> {
  for await (const { runs } of pagesOfRuns(server, threadId))
    if (runs.some(({ metadata }) => metadata?.beckon === mark)) return true;
  return false;
}

// The server in Python lists the newest first. The one in JavaScript lists the oldest first, and up to the limit,
// wherever it begins: there these are pages of equal length, and elsewhere they overlap.
async function* pagesOfRuns(server: Server, threadId: string): AsyncGenerator<{ runs: Run[]; isLast: boolean }> {
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = `limit=${(page + 1) * PAGE}&offset=${page * PAGE}&select=run_id&select=created_at&select=metadata`;
    const runs = (await read(server, `/threads/${threadId}/runs?${query}`, Runs)) ?? [];
    const isLast = runs.length < PAGE;
    yield { runs, isLast };
    if (isLast) return;
  }
}

function parseTime({ created_at }: Run): number {
  return Date.parse(created_at);
}
