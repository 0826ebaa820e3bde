import type { Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { ask } from '../inquiries/ask.ts';
import { extendInquiry } from '../inquiries/extend.ts';
import { setApart } from '../inquiries/later.ts';
import { withdrawInquiry } from '../inquiries/withdraw.ts';
import { DAY_MS, HOUR_MS, iso } from '../platform/clock.ts';
import type { Chance } from './chance.ts';
import type { SimHub } from './hub.ts';
import type { Note, Page } from './page.ts';

const WAIT_SECONDS = 30;

/** A blocking call without a key: when it began and left, and what it was handed. */
export type Call = {
  prompt: string;
  beganAt: number;
  leftAt?: number;
  handed?: { inquiryId: string; approved: boolean; at: number };
};

/** What people, sources and machines do, drawn one at a time. */
export function createStorm(hub: SimHub, chance: Chance, sources: { ids: string[]; key: string }, note: Note) {
  const pages: Page[] = [];
  const { ids, calls, attempt, ask: askOnce, withdraw, block, blockAgain } = createAskers(hub, chance, sources, note);

  function race(id: string | undefined): void {
    if (id === undefined) return;
    for (const page of pages) if (page.shows(id) && chance.percent(60)) page.answer(id, false);
  }

  function answerAgain(page: Page): void {
    const id = chance.pick(ids.filter((one) => page.state.resolutions.has(one)));
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
    const until = chance.percent(20) ? undefined : hub.database.clock.now() + chance.between(500, 300_000);
    attempt('later', setApart(hub.node().inquiries, page.answerer(), id, until));
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
    [22, askOnce],
    [7, block],
    [7, blockAgain],
    [24, () => race(chance.pick(ids.filter((id) => pages.some((page) => page.shows(id)))))],
    [6, () => answerAgain(anyPage())],
    [6, () => withdraw(chance.pick(ids))],
    [4, () => extend(anyPage())],
    [4, () => setApartFor(anyPage())],
    [10, () => leave(anyPage())],
    [4, stepClock],
    [3, () => hub.node().standStill(chance.between(500, 6_000))],
    [3, crash],
  ];
  return {
    ids,
    pages,
    calls,
    act(): void {
      let roll = chance.between(1, 100);
      for (const [share, act] of actions) if (roll > 0 && (roll -= share) <= 0) act();
    },
  };
}

/** Sources, and callers that block on the real route: some close early, some at once, and some ask the same again and again. */
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
    const what = { to, prompt: 'Ship it?', deadline: iso(deadline), latest: iso(deadline + 30_000) };
    const asked = ask(hub.node().inquiries, { sourceId, ask: what, waitMs: 0 });
    attempt(
      'ask',
      asked.then(({ inquiryId }) => {
        ids.push(inquiryId);
        askers.set(inquiryId, sourceId);
      }),
    );
  }

  /** A question that nobody else asks: it is taken back when its caller closes. */
  function block(): void {
    const prompt = `Blocking ${calls.length}?`;
    const ms = chance.percent(50) ? chance.between(0, 60) : chance.between(1_000, 40_000);
    call(prompt, { to: ['owner'], prompt }, ms);
  }

  /** One of a few calls of tools, each the same every time (ASK5). */
  function blockAgain(): void {
    const name = `tool ${chance.between(0, 2)}`;
    const actions = [{ name, args: {}, allowed: ['approve', 'reject'] }];
    call(name, { to: ['owner'], actions }, chance.between(100, 40_000));
  }

  function withdraw(id = ''): void {
    const asker = askers.get(id);
    if (asker !== undefined) attempt('withdraw', withdrawInquiry(hub.node().inquiries, asker, id));
  }

  return { ids, calls, attempt, ask: askOnce, withdraw, block, blockAgain };
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
        const { id, resolution } = reply.json<Inquiry>();
        const approved = resolution?.answer?.decisions?.[0]?.type === 'approve';
        if (resolution) one.handed = { inquiryId: id, approved, at: schedule.now };
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
