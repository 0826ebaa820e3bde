import type { AnswerBody, AnswerReply, Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Snapshot } from '#shared/live.ts';
import { answerInquiry } from '../inquiries/answer.ts';
import type { Answerer } from '../inquiries/inquiries.ts';
import type { Chance } from './chance.ts';
import type { SimHub } from './hub.ts';
import { screenOf, type Link, type Sent, type SimDevice } from './network.ts';

type Event =
  | { type: 'connected' | 'gap_lasted' }
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'inquiry'; version: number; inquiry: Inquiry }
  | { type: 'withdraw'; version: number; inquiryId: string; resolution: Resolution }
  | { type: 'resolved'; inquiryId: string; resolution: Resolution }
  | { type: 'heartbeat'; version: number };
export type Shown = { floor: number; open: ReadonlyMap<string, unknown>; fates: ReadonlyMap<string, Resolution> };

/** How a page folds what it hears into what it shows: the page's own code, handed in. */
export type Rules<State extends Shown> = {
  first: State;
  apply(state: State, event: Event): { state: State; effects: { type: string }[] };
};
export type Note = (what: string, inquiryId?: string) => void;
type Answered = { inquiryId: string; body: AnswerBody & { answerId: string }; replies: AnswerReply[] };

/** A page of a device: it shows what it is told, keeps its answers until they are acknowledged, and comes back. */
export class Page<State extends Shown = Shown> {
  readonly device: SimDevice;
  readonly answered: Answered[] = [];
  state: State;
  #link: Link | undefined;
  readonly #hub: SimHub;
  readonly #chance: Chance;
  readonly #rules: Rules<State>;
  readonly #note: Note;

  constructor(device: SimDevice, hub: SimHub, chance: Chance, rules: Rules<State>, note: Note) {
    this.device = device;
    this.#hub = hub;
    this.#chance = chance;
    this.#rules = rules;
    this.#note = note;
    this.state = rules.first;
  }

  connect(): void {
    if (this.#link?.up) return;
    this.#dispatch({ type: 'connected' });
    this.#link = this.#hub.accept(this.device, (sent) => this.#hear(sent));
    for (const one of this.answered) if (one.replies.length === 0) this.#send(one);
  }

  disconnect(): void {
    if (this.#link) this.#hub.network.hangUp(this.#link);
  }

  shows(inquiryId: string): boolean {
    return this.state.open.has(inquiryId);
  }

  answer(inquiryId: string, late: boolean): void {
    const { name } = this.device;
    const asked = (this.state.open.get(inquiryId) as { inquiry?: Inquiry } | undefined)?.inquiry;
    const decisions = asked?.actions?.map(() => ({ type: this.#chance.percent(80) ? 'approve' : 'reject' }) as const);
    const content = decisions ? { decisions, digest: asked?.digest } : { text: `by ${name}` };
    const body = { answerId: `${name} ${this.answered.length}`, ...content, ...(late ? { late } : {}) };
    const one = { inquiryId, body, replies: [] };
    this.answered.push(one);
    this.#send(one);
    const doubleTap = this.#chance.percent(10);
    if (doubleTap) this.#send(one);
  }

  answerer(): Answerer {
    const { id, name, personId } = this.device;
    const screen = this.#link && screenOf(this.#link);
    return { deviceId: id, deviceName: name, personId, handle: '', via: 'live', screen };
  }

  #send({ inquiryId, body, replies }: Answered): void {
    if (!this.#link?.up) return;
    const link = this.#link;
    const run = () => answerInquiry(link.node.inquiries, this.answerer(), inquiryId, body);
    this.#hub.network.call(link, `reply ${body.answerId}`, run, (reply) => {
      replies.push(reply);
      this.#note(`${this.device.name} is told ${reply.won ? 'it won' : reply.resolution.outcome}`, inquiryId);
      this.#dispatch({ type: 'resolved', inquiryId, resolution: reply.resolution });
    });
  }

  #hear({ name, event }: Sent): void {
    if (name === 'snapshot') this.#dispatch({ type: name, snapshot: event });
    if (name === 'inquiry') this.#dispatch({ type: name, ...event });
    if (name === 'withdraw') this.#dispatch({ type: name, ...event });
    if (name === 'heartbeat') this.#dispatch({ type: name, version: event.version });
  }

  #dispatch(event: Event): void {
    const { name } = this.device;
    const { state, effects } = this.#rules.apply(this.state, event);
    this.state = state;
    if ([...state.open.keys()].some((id) => state.fates.has(id)))
      this.#hub.network.failures.push(`LIV1: ${name} reopened what was resolved`);
    const version = 'snapshot' in event ? event.snapshot.version : 'version' in event ? event.version : '';
    this.#note(
      `${name} ${event.type} ${version}`,
      'inquiryId' in event ? event.inquiryId : 'inquiry' in event ? event.inquiry.id : undefined,
    );
    const { schedule, sync } = this.#hub;
    const line = this.#link;
    for (const { type } of effects) {
      if (type === 'sync') schedule.after(this.#chance.between(1, 200), () => line?.up && sync(line));
      if (type === 'watch_gap') schedule.after(300, () => line?.up && this.#dispatch({ type: 'gap_lasted' }));
    }
  }
}
