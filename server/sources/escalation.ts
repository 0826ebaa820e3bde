import { fault } from '#shared/faults.ts';
import type { Fault } from '#shared/problem.ts';
import type { Escalate } from '#shared/schemas/escalate.ts';
import { batch, type Steps } from '../platform/steps.ts';
import { allowedPeople, handleFaults, peopleBehind, type Asker, type Named } from './recipients.ts';

/** Who is asked at once, and how long it is until the deadline. */
type Asked = { personIds: string[]; seconds: number };
type Judged = { steps: Escalate; faults: Fault[] };

/**
 * Of each list of steps those that can be taken, and what is wrong with the others (APR5): each has to be later than the one
 * before and earlier than the deadline, and to name people whom the source may ask and who are not asked before it.
 */
export function* judgeEscalations(lists: Escalate[], asker: Pick<Asker, 'may_ask'>, asked: Asked): Steps<Judged[]> {
  const handles = [...new Set(lists.flat().flatMap(({ to }) => to))];
  if (handles.length === 0) return lists.map((steps) => ({ steps, faults: [] }));
  const { named } = yield* batch({ named: peopleBehind(handles) });
  const allowed = yield* allowedPeople(asker);
  return lists.map((steps) => judge(steps, asked, { named, allowed }));
}

type Known = { named: Named[]; allowed: Pick<Set<string>, 'has'> };

function judge(all: Escalate, { personIds, seconds }: Asked, { named, allowed }: Known): Judged {
  const asked = new Set(personIds);
  const faults: Fault[] = [];
  const steps: Escalate = [];
  for (const [at, step] of all.entries()) {
    const path = `/escalate/${at}`;
    const people = named.filter(({ handle }) => step.to.includes(handle));
    const own = [
      ...timeFaults(step.after, steps.at(-1)?.after ?? 0, seconds).map((message) =>
        fault(`${path}/after`, 'ask.escalate_after', message),
      ),
      ...handleFaults(step.to, people, allowed, `${path}/to`),
    ];
    if (own.length === 0 && people.every(({ id }) => asked.has(id)))
      own.push(fault(`${path}/to`, 'ask.escalate_nobody_new', NOBODY_NEW));
    faults.push(...own);
    if (own.length > 0) continue;
    steps.push(step);
    for (const { id } of people) asked.add(id);
  }
  return { steps, faults };
}

const NOBODY_NEW = 'names only people who are asked already; name others, or leave this step out';

function timeFaults(after: number, before: number, seconds: number): string[] {
  if (after >= seconds)
    return [`is not before the deadline, in ${Math.floor(seconds)} s; make it less, or the deadline later`];
  return after > before ? [] : [`is not later than the step before, at ${before} s; write the steps in their order`];
}
