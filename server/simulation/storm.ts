import { AppError } from '#shared/problem.ts';
import { ask } from '../inquiries/ask.ts';
import { sweep } from '../inquiries/expire.ts';
import { extendInquiry } from '../inquiries/extend.ts';
import { withdrawInquiry } from '../inquiries/withdraw.ts';
import { iso } from '../platform/clock.ts';
import type { Chance } from './chance.ts';
import type { SimHub } from './hub.ts';
import type { Note, Page } from './page.ts';

const DAY = 86_400_000;

/** What people, sources and machines do, drawn one at a time. */
export class Storm {
  /** The inquiries the hub acknowledged, in order. */
  readonly ids: string[] = [];
  pages: Page[] = [];
  readonly #deadlines = new Set<number>();
  readonly #hub: SimHub;
  readonly #chance: Chance;
  readonly #sourceId: string;
  readonly #note: Note;

  constructor(hub: SimHub, chance: Chance, sourceId: string, note: Note) {
    this.#hub = hub;
    this.#chance = chance;
    this.#sourceId = sourceId;
    this.#note = note;
  }

  act(): void {
    const actions: [share: number, act: () => void][] = [
      [30, () => this.#ask()],
      [30, () => this.#race(this.#chance.pick(this.ids.filter((id) => this.pages.some((page) => page.shows(id)))))],
      [6, () => this.#answerAgain(this.#chance.pick(this.pages)!)],
      [6, () => this.#withdraw(this.#chance.pick(this.ids))],
      [6, () => this.#extend(this.#chance.pick(this.pages)!)],
      [10, () => this.#leave(this.#chance.pick(this.pages)!)],
      [8, () => this.sweep()],
      [4, () => this.#crash()],
    ];
    let roll = this.#chance.between(1, 100);
    for (const [share, act] of actions) if (roll > 0 && (roll -= share) <= 0) act();
  }

  sweep(): void {
    this.#attempt('sweep', sweep(this.#hub.inquiries));
  }

  #ask(): void {
    const to = this.#chance.pick([['owner'], ['alice'], ['owner', 'alice']])!;
    let deadline = this.#hub.schedule.now + (this.#chance.percent(40) ? this.#chance.between(2_000, 40_000) : DAY);
    // No two at one moment: which of them is swept first would be the machine's affair.
    while (this.#deadlines.has(deadline)) deadline++;
    this.#deadlines.add(deadline);
    const what = { to, prompt: 'Ship it?', deadline: iso(deadline), latest: iso(deadline + 30_000) };
    const asked = ask(this.#hub.inquiries, { sourceId: this.#sourceId, ask: what, waitMs: 0 });
    this.#attempt(
      'ask',
      asked.then(({ inquiryId }) => this.ids.push(inquiryId)),
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
    if (id !== undefined) this.#attempt('withdraw', withdrawInquiry(this.#hub.inquiries, this.#sourceId, id));
  }

  #extend(page: Page): void {
    const id = this.#chance.pick(this.ids.filter((one) => page.shows(one)));
    if (id === undefined) return;
    this.#attempt('extend', extendInquiry(this.#hub.inquiries, page.answerer(), id, this.#chance.between(1, 60)));
  }

  #leave(page: Page): void {
    page.disconnect();
    this.#hub.schedule.after(this.#chance.between(100, 20_000), () => page.connect());
  }

  #crash(): void {
    this.#ask();
    this.#race(this.#chance.pick(this.ids));
    this.#withdraw(this.#chance.pick(this.ids));
    this.#hub.crash();
    for (const page of this.pages) this.#hub.schedule.after(this.#chance.between(200, 3_000), () => page.connect());
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
