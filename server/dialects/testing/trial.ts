import { fault, invalid } from '#shared/faults.ts';
import type { Action } from '#shared/inquiry.ts';
import { readEnds, toParts, unanswered, type Dialect } from '../dialect.ts';

type Body = {
  run?: string;
  calls?: { id: string; name: string; args: unknown; noWay?: boolean; schema?: object }[];
  over?: string;
  news?: string;
  free?: boolean;
};

/** A dialect with everything a framework may need: its body holds `calls`, its reply says for each whether it runs. */
const trial: Dialect = {
  name: 'trial',
  label: 'Trial',
  read(given) {
    const { run = 'run', calls, over, news, free } = given as Body;
    if (over !== undefined) return { withdraw: { session: over, call: calls?.[0]?.args }, reason: 'decided elsewhere' };
    if (news !== undefined) return { notice: { title: news } };
    if (free) return { pass: { runs: 'free' } };
    if (!Array.isArray(calls)) throw invalid([fault('/calls', 'trial.calls', 'is missing')]);
    const placed = calls.map(({ name, args, noWay, schema }, at) => {
      const allowed: Action['allowed'] = noWay ? ['approve'] : ['approve', 'edit', 'reject'];
      const argsSchema = schema as Record<string, unknown> | undefined;
      const action = { name, args: args as never, allowed, ...(argsSchema ? { argsSchema } : {}) };
      return { action, at: `/calls/${at}`, places: { argsSchema: `/calls/${at}/schema` } };
    });
    return {
      asks: toParts(placed),
      ids: calls.map(({ id }) => id),
      within: run === '' ? undefined : run,
      keep: calls.map(({ id, noWay }) => [id, noWay === true]),
      about: { session: run, call: calls[0]?.args },
    };
  },
  write(keep, inquiries) {
    const ends = readEnds(inquiries);
    const runs = (keep as [string, boolean][]).map(([id, noWay], at) => {
      const end = ends[at]!;
      if (end.type === 'approve') return [id, 'runs'];
      if (end.type === 'edit') return [id, end.args];
      if (noWay) throw unanswered(inquiries[0]!.resolution);
      return [id, end.type === 'reject' ? 'rejected' : end.type === 'respond' ? 'responded' : end.text];
    });
    return { runs };
  },
};

/** The same as a hook that fails open. */
const trialHook: Dialect = {
  ...trial,
  name: 'trial-hook',
  label: 'Trial hook',
  read(body, query) {
    const { hook, ...rest } = body as { hook?: boolean };
    if (hook !== true) throw invalid([fault('/hook', 'trial.hook', 'is missing')]);
    return trial.read(rest, query);
  },
  undecided: () => (reason) => ({ decision: 'block', reason }),
  besideProblem: (reason) => ({ decision: 'block', reason }),
};

export const TRIALS: Dialect[] = [trial, trialHook];
