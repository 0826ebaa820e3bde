import { AppError } from '#shared/problem.ts';
import { ask } from '../inquiries/ask.ts';
import { extendInquiry } from '../inquiries/extend.ts';
import { withdrawInquiry } from '../inquiries/withdraw.ts';
import { DAY_MS, HOUR_MS, iso } from '../platform/clock.ts';
import { Callers } from './callers.ts';
import type { Chance } from './chance.ts';
import type { SimHub } from './hub.ts';
import type { Note, Page } from './page.ts';

/** What people, sources and machines do, drawn one at a time. */
export class Storm {
  /** The inquiries the hub acknowledged, in order. */
  readonly ids: string[] = [];
  pages: Page[] = [];
  readonly #deadlines = new Set<number>();
  readonly #hub: SimHub;
  readonly #chance: Chance;
  readonly #sourceIds: string[];
  readonly #askers = new Map<string, string>();
  readonly #note: Note;
  readonly callers: Callers;

  constructor(hub: SimHub, chance: Chance, sources: { ids: string[]; key: string }, note: Note) {
    this.#hub = hub;
    this.#chance = chance;
    this.#sourceIds = sources.ids;
    this.#note = note;
    this.callers = new Callers(hub, chance, sources.key, note);
  }

  act(): void {
    const actions: [share: number, act: () => void][] = [
      [22, () => this.#ask()],
      [7, () => this.callers.ask()],
      [7, () => this.callers.askAgain()],
      [26, () => this.#race(this.#chance.pick(this.ids.filter((id) => this.pages.some((page) => page.shows(id)))))],
      [6, () => this.#answerAgain(this.#chance.pick(this.pages)!)],
      [6, () => this.#withdraw(this.#chance.pick(this.ids))],
      [6, () => this.#extend(this.#chance.pick(this.pages)!)],
      [10, () => this.#leave(this.#chance.pick(this.pages)!)],
      [4, () => this.#stepClock()],
      [3, () => this.#hub.node().standStill(this.#chance.between(500, 6_000))],
      [3, () => this.#crash()],
    ];
    let roll = this.#chance.between(1, 100);
    for (const [share, act] of actions) if (roll > 0 && (roll -= share) <= 0) act();
  }

  #ask(): void {
    const to = this.#chance.pick([['owner'], ['alice'], ['owner', 'alice']])!;
    const sourceId = this.#chance.pick(this.#sourceIds)!;
    let deadline =
      this.#hub.database.clock.now() + (this.#chance.percent(40) ? this.#chance.between(2_000, 40_000) : DAY_MS);
    // No two at one moment: which of them is swept first would be the machine's affair.
    while (this.#deadlines.has(deadline)) deadline++;
    this.#deadlines.add(deadline);
    const what = { to, prompt: 'Ship it?', deadline: iso(deadline), latest: iso(deadline + 30_000) };
    const asked = ask(this.#hub.node().inquiries, { sourceId, ask: what, waitMs: 0 });
    this.#attempt(
      'ask',
      asked.then(({ inquiryId }) => {
        this.ids.push(inquiryId);
        this.#askers.set(inquiryId, sourceId);
      }),
    );
  }

  #race(id: string | undefined): void {
    if (id === undefined) return;
    for (const page of this.pages) if (page.shows(id) && this.#chance.percent(60)) page.answer(id, false);
  }

  #answerAgain(page: Page): void {
    const id = this.#chance.pick(this.ids.filter((one) => page.state.fates.has(one)));
    if (id !== undefined) page.answer(id, this.#chance.percent(50));
  }

  #withdraw(id: string | undefined): void {
    const asker = id === undefined ? undefined : this.#askers.get(id);
    if (id !== undefined && asker !== undefined)
      this.#attempt('withdraw', withdrawInquiry(this.#hub.node().inquiries, asker, id));
  }

  #extend(page: Page): void {
    const id = this.#chance.pick(this.ids.filter((one) => page.shows(one)));
    if (id === undefined) return;
    this.#attempt(
      'extend',
      extendInquiry(this.#hub.node().inquiries, page.answerer(), id, this.#chance.between(1, 60)),
    );
  }

  #leave(page: Page): void {
    page.disconnect();
    this.#hub.schedule.after(this.#chance.between(100, 20_000), () => page.connect());
  }

  #crash(): void {
    this.#ask();
    this.#race(this.#chance.pick(this.ids));
    this.#withdraw(this.#chance.pick(this.ids));
    void this.#hub.crash(this.#hub.node());
    for (const page of this.pages) this.#hub.schedule.after(this.#chance.between(200, 3_000), () => page.connect());
  }

  #stepClock(): void {
    const steps = [HOUR_MS, -HOUR_MS, 90_000, -90_000, 1_500, -1_500];
    this.#hub.stepClock(this.#chance.pick(steps)!);
  }

  /** What refuses is an outcome here, what breaks is not. */
  #attempt(what: string, work: Promise<unknown>): void {
    work.then(
      () => this.#note(what),
      (error: unknown) => {
        if (error instanceof AppError) this.#note(`${what}: ${error.code}`);
        else this.#hub.network.failures.push(`${what}: ${String(error)}`);
      },
    );
  }
}
