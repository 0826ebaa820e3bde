import type { Inquiry } from '#shared/inquiry.ts';
import type { Chance } from './chance.ts';
import type { SimHub } from './hub.ts';
import type { SimNode } from './node.ts';
import type { Note } from './page.ts';

const WAIT_SECONDS = 30;

/** A blocking call without a key: when it began and left, and what it was handed. */
export type Call = {
  prompt: string;
  node: SimNode;
  beganAt: number;
  leftAt?: number;
  handed?: { inquiryId: string; approved: boolean; at: number };
};

/** Callers that block on the real route; some close early, some at once, and some ask the same again and again. */
export class Callers {
  readonly calls: Call[] = [];
  readonly #hub: SimHub;
  readonly #chance: Chance;
  readonly #key: string;
  readonly #note: Note;

  constructor(hub: SimHub, chance: Chance, key: string, note: Note) {
    this.#hub = hub;
    this.#chance = chance;
    this.#key = key;
    this.#note = note;
  }

  /** A question that nobody else asks: it is taken back when its caller closes. */
  ask(): void {
    const prompt = `Blocking ${this.calls.length}?`;
    const ms = this.#chance.percent(50) ? this.#chance.between(0, 60) : this.#chance.between(1_000, 40_000);
    this.#call(prompt, { to: ['owner'], prompt }, ms);
  }

  /** One of a few calls of tools, each the same every time (ASK5). */
  askAgain(): void {
    const name = `tool ${this.#chance.between(0, 2)}`;
    const actions = [{ name, args: {}, allowed: ['approve', 'reject'] }];
    this.#call(name, { to: ['owner'], actions }, this.#chance.between(100, 40_000));
  }

  #call(prompt: string, payload: object, leavesAfterMs: number): void {
    const node = this.#hub.node();
    const { schedule } = this.#hub;
    const call: Call = { prompt, node, beganAt: schedule.now };
    this.calls.push(call);
    const name = `call ${this.calls.length}`;
    let over = false;
    node.http
      .inject({
        method: 'POST',
        url: `/v1/inquiries?wait=${WAIT_SECONDS}`,
        headers: { authorization: `Bearer ${this.#key}`, 'x-call': name },
        payload,
      })
      .then(
        (reply) => {
          if (call.leftAt !== undefined) return;
          over = true;
          const { id, resolution } = reply.json<Inquiry>();
          const approved = resolution?.answer?.decisions?.[0]?.type === 'approve';
          if (resolution) call.handed = { inquiryId: id, approved, at: schedule.now };
          this.#note(`${prompt} ${reply.statusCode} ${resolution?.outcome ?? 'open'}`);
        },
        () => undefined,
      );
    schedule.after(leavesAfterMs, () => {
      if (over) return;
      call.leftAt = schedule.now;
      node.hangUp(name);
    });
  }
}
