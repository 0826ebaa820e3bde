import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { ask } from '../inquiries/ask.ts';
import { extendInquiry } from '../inquiries/extend.ts';
import { setApart } from '../inquiries/later.ts';
import { withdrawInquiry } from '../inquiries/withdraw.ts';
import { DAY_MS, HOUR_MS, iso } from '../platform/clock.ts';
import { createApprovers } from './approvals.ts';
import { createHanders } from './deciders.ts';
import { createAgents } from './gates.ts';
import type { Chance } from './chance.ts';
import type { SimHub } from './hub.ts';
import type { Note, Page } from './page.ts';
import { createRulers } from './policies.ts';

const WAIT_SECONDS = 30;

/** A blocking call without a key: when it began and left. */
export type Call = {
  prompt: string;
  beganAt: number;
  leftAt?: number;
};

/** What people, sources and machines do, drawn one at a time. */
export function createStorm(hub: SimHub, chance: Chance, sources: { ids: string[]; key: string }, note: Note) {
  const { faults } = hub;
  const pages: Page[] = [];
  const approvers = createApprovers(hub, chance, sources.ids[0]!, note);
  const { ids, calls, attempt, ask: askOnce, withdraw, block } = createAskers(hub, chance, sources, note);

  const rulers = createRulers(hub, chance);
  const handers = createHanders(hub, chance);
  const agents = createAgents(hub, chance, sources.ids[0]!);
  const people = createAnswerers(hub, chance, { pages, ids, isCall: (id) => approvers.ids.has(id), attempt });
  const { race, answerAgain, extend, setApartFor, apart } = people;

  /** Of a call: nobody answers it once they do not see it any more. */
  function noteCall(id: string): void {
    if (!approvers.ids.has(id)) ids.push(id);
    approvers.ids.add(id);
  }

  function leave(page: Page): void {
    page.disconnect();
    hub.schedule.after(chance.between(100, 20_000), page.connect);
  }

  function crash(): void {
    askOnce();
    race(chance.pick(ids));
    withdraw(chance.pick(ids));
    void hub.crash(hub.node());
    for (const page of pages) hub.schedule.after(chance.between(200, 3_000), page.connect);
  }

  const stepClock = () => hub.stepClock(chance.pick([HOUR_MS, -HOUR_MS, 90_000, -90_000, 1_500, -1_500])!);
  const anyPage = () => chance.pick(pages)!;
  const actions: [share: number, act: () => void][] = [
    [16, askOnce],
    [2, () => attempt('take back', approvers.takeBackOf(anyPage()))],
    [4, () => attempt('ask about a call', approvers.askAndRead(ids))],
    [7, block],
    [12, () => agents.call(noteCall)],
    [6, () => attempt('hand', handers.hand(anyPage(), ids))],
    [2, () => attempt('overrule', handers.overrule(anyPage()))],
    [24, () => race(chance.pick(ids.filter((id) => pages.some((page) => page.shows(id)))))],
    [6, () => answerAgain(anyPage())],
    [6, () => withdraw(chance.pick(ids))],
    [4, () => extend(anyPage())],
    [4, () => setApartFor(anyPage())],
    [3, () => attempt('rules', rulers.changeRules(anyPage()))],
    [3, () => attempt('yolo', rulers.startOrStop(anyPage()))],
    [faults.leaves, () => leave(anyPage())],
    [faults.clockSteps, stepClock],
    [faults.standstills, () => hub.node().standStill(chance.between(500, faults.standsMs))],
    [faults.crashes, crash],
  ];
  return {
    ids,
    pages,
    calls,
    readings: approvers.readings,
    passed: agents.passed,
    apart,
    act(): void {
      actOnce(chance, actions);
    },
  };
}

type Asked = {
  pages: Page[];
  ids: string[];
  isCall(id: string): boolean;
  attempt(what: string, work: Promise<unknown>): void;
};

/** People who answer, at once and again, give more time and set apart. */
function createAnswerers(hub: SimHub, chance: Chance, { pages, ids, isCall, attempt }: Asked) {
  /** By person and inquiry: until when at least it is set apart, by the time that really passes. */
  const apart = new Map<string, number>();

  function race(id: string | undefined): void {
    if (id === undefined) return;
    for (const page of pages) if (page.shows(id) && chance.percent(60)) page.answer(id, false);
  }

  function answerAgain(page: Page): void {
    // A page knows no calls of what it does not show any more, so that it could not answer them.
    const known = ids.filter((one) => page.state.resolutions.has(one) && !isCall(one));
    const id = chance.pick(known);
    if (id !== undefined) page.answer(id, chance.percent(50));
  }

  function extend(page: Page): void {
    const id = chance.pick(ids.filter((one) => page.shows(one)));
    if (id === undefined) return;
    attempt('extend', extendInquiry(hub.node().inquiries, page.answerer(), id, chance.between(1, 60)));
  }

  /** Until a moment that comes before the storm is over, or after it; or no longer. */
  function setApartFor(page: Page): void {
    const id = chance.pick(ids.filter((one) => page.shows(one)));
    if (id === undefined) return;
    const { schedule, database } = hub;
    const ms = chance.percent(20) ? undefined : chance.between(500, 300_000);
    const key = `${page.device.personId} ${id}`;
    const ends = ms === undefined ? 0 : schedule.now + ms;
    const noteUntil = (until: number) => void apart.set(key, Math.min(apart.get(key) ?? until, until));
    // What fails may have been stored all the same.
    if (apart.has(key)) noteUntil(ends);
    const wrongBy = () => database.clock.now() - schedule.now;
    const drawn = wrongBy();
    const until = ms === undefined ? undefined : database.clock.now() + ms;
    const set = setApart(hub.node().inquiries, page.answerer(), id, until);
    // A clock that was stepped on the way makes another moment of it.
    attempt(
      'later',
      set.then(() => noteUntil(wrongBy() === drawn ? ends : 0)),
    );
  }

  return { race, answerAgain, extend, setApartFor, apart };
}

function actOnce(chance: Chance, actions: [share: number, act: () => void][]): void {
  let roll = chance.between(
    1,
    actions.reduce((sum, [share]) => sum + share, 0),
  );
  for (const [share, act] of actions) if (roll > 0 && (roll -= share) <= 0) act();
}

/** Sources, and callers that block on the real route: some close early, and some at once. */
function createAskers(hub: SimHub, chance: Chance, sources: { ids: string[]; key: string }, note: Note) {
  /** The inquiries the hub acknowledged, in order. */
  const ids: string[] = [];
  const askers = new Map<string, string>();
  const deadlines = new Set<number>();
  const { calls, call } = createCallers(hub, sources.key, note);

  /** What refuses is an outcome here, what breaks is not. */
  function attempt(what: string, work: Promise<unknown>): void {
    work.then(
      () => note(what),
      (error: unknown) => {
        if (error instanceof AppError) note(`${what}: ${error.code}`);
        else hub.network.failures.push(`${what}: ${String(error)}`);
      },
    );
  }

  function askOnce(): void {
    const to = chance.pick([['owner'], ['alice'], ['owner', 'alice']])!;
    const sourceId = chance.pick(sources.ids)!;
    let deadline = hub.database.clock.now() + (chance.percent(40) ? chance.between(2_000, 40_000) : DAY_MS);
    // No two at one moment: which of them is swept first would be the machine's affair.
    while (deadlines.has(deadline)) deadline++;
    deadlines.add(deadline);
    const what = {
      to,
      prompt: 'Ship it?',
      deadline: iso(deadline),
      latest: iso(deadline + 30_000),
      ...escalating(to, deadline),
    };
    const asked = ask(hub.node().inquiries, { sourceId, ask: what, waitMs: 0 });
    attempt(
      'ask',
      asked.then(({ inquiryId }) => {
        ids.push(inquiryId);
        askers.set(inquiryId, sourceId);
      }),
    );
  }

  /** Half of those who are asked alone are not, where they do not answer. */
  function escalating(to: string[], deadline: number): Pick<Ask, 'escalate'> {
    const most = Math.min(30, Math.floor((deadline - hub.database.clock.now()) / 1000) - 2);
    if (to.length > 1 || most < 1 || chance.percent(50)) return {};
    const other = to.includes('owner') ? 'alice' : 'owner';
    return { escalate: [{ after: chance.between(1, most), to: [other] }] };
  }

  /** A question that nobody else asks: it is taken back when its caller closes. */
  function block(): void {
    const prompt = `Blocking ${calls.length}?`;
    const end = WAIT_SECONDS * 1000;
    // At once, some time, or just as its wait ends.
    const [least, most] = chance.pick([
      [0, 60],
      [1_000, 40_000],
      [end, end + 100],
    ] as const)!;
    const ms = chance.between(least, most);
    call(prompt, { to: ['owner'], prompt }, ms);
  }

  function withdraw(id = ''): void {
    const asker = askers.get(id);
    if (asker !== undefined) attempt('withdraw', withdrawInquiry(hub.node().inquiries, asker, id));
  }

  return { ids, calls, attempt, ask: askOnce, withdraw, block };
}

function createCallers({ schedule, node: anyNode }: SimHub, key: string, note: Note) {
  const calls: Call[] = [];
  const call = (prompt: string, payload: object, leavesAfterMs: number): void => {
    const node = anyNode();
    const one: Call = { prompt, beganAt: schedule.now };
    const name = `call ${calls.push(one)}`;
    let over = false;
    const headers = { authorization: `Bearer ${key}`, 'x-call': name };
    node.http.inject({ method: 'POST', url: `/v1/inquiries?wait=${WAIT_SECONDS}`, headers, payload }).then(
      (reply) => {
        if (one.leftAt !== undefined) return;
        over = true;
        const { resolution } = reply.json<Inquiry>();
        note(`${prompt} ${reply.statusCode} ${resolution?.outcome ?? 'open'}`);
      },
      () => undefined,
    );
    schedule.after(leavesAfterMs, () => {
      if (over) return;
      one.leftAt = schedule.now;
      node.hangUp(name);
    });
  };
  return { calls, call };
}
