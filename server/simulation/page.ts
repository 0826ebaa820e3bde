import type { AnswerBody, AnswerReply, Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Snapshot } from '#shared/live.ts';
import { answerInquiry } from '../inquiries/answer.ts';
import type { Chance } from './chance.ts';
import type { Link, Sent, SimDevice, SimHub } from './hub.ts';

type Event =
  | { type: 'connected' | 'gap_lasted' }
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'inquiry'; version: number; inquiry: Inquiry }
  | { type: 'withdraw'; version: number; inquiryId: string; resolution: Resolution }
  | { type: 'resolved'; inquiryId: string; resolution: Resolution }
  | { type: 'heartbeat'; version: number };
export type Known = { floor: number; open: ReadonlyMap<string, unknown>; fates: ReadonlyMap<string, Resolution> };
/** How a page folds what it hears into what it shows: the page's own code, handed in. */
export type Rules<State extends Known> = { first: State; apply(state: State, event: Event): { state: State; effects: { type: string }[] } };

export type Answered = { inquiryId: string; body: AnswerBody & { answerId: string }; replies: AnswerReply[] };

/** A page of a device: it shows what it is told, keeps its answers until they are acknowledged, and comes back. */
export function createPage<State extends Known>(hub: SimHub, chance: Chance, device: SimDevice, rules: Rules<State>, note: (what: string, inquiryId?: string) => void) {
  let state = rules.first;
  let link: Link | undefined;
  const answered: Answered[] = [];

  const page = {
    device,
    answered,
    open: () => [...state.open.keys()],
    fates: () => state.fates,
    floor: () => state.floor,
    connected: () => link?.up === true,
    connect(): void {
      if (page.connected()) return;
      dispatch({ type: 'connected' });
      link = hub.accept(device, hear);
      for (const one of answered) if (one.replies.length === 0) send(one);
    },
    disconnect(): void {
      if (link) hub.hangUp(link);
    },
    answer(inquiryId: string, late: boolean): void {
      const answerId = `${device.name} ${answered.length}`;
      const one = { inquiryId, body: { answerId, text: `by ${device.name}`, ...(late ? { late } : {}) }, replies: [] };
      answered.push(one);
      send(one);
      // A double tap.
      if (chance.percent(10)) send(one);
    },
  };

  function send(one: Answered): void {
    if (!link?.up) return;
    const answerer = { deviceId: device.id, deviceName: device.name, personId: device.personId, handle: '', via: 'live' as const, screen: link.socket.id };
    hub.call(link, `reply ${one.body.answerId}`, () => answerInquiry(hub.inquiries, answerer, one.inquiryId, one.body), (reply) => {
      one.replies.push(reply);
      note(`${device.name} is told ${reply.won ? 'it won' : reply.resolution.outcome}`, one.inquiryId);
      dispatch({ type: 'resolved', inquiryId: one.inquiryId, resolution: reply.resolution });
    });
  }

  function hear({ name, event }: Sent): void {
    if (name === 'snapshot') dispatch({ type: name, snapshot: event });
    if (name === 'inquiry') dispatch({ type: name, ...event });
    if (name === 'withdraw') dispatch({ type: name, ...event });
    if (name === 'heartbeat') dispatch({ type: name, version: event.version });
  }

  function dispatch(event: Event): void {
    const applied = rules.apply(state, event);
    state = applied.state;
    const version = 'snapshot' in event ? event.snapshot.version : 'version' in event ? event.version : '';
    note(`${device.name} ${event.type} ${version}`, 'inquiryId' in event ? event.inquiryId : 'inquiry' in event ? event.inquiry.id : undefined);
    const line = link;
    for (const { type } of applied.effects) {
      if (type === 'sync' && line?.up) hub.schedule.after(chance.between(1, 200), () => line.up && hub.sync(line));
      if (type === 'watch_gap') hub.schedule.after(300, () => line?.up && dispatch({ type: 'gap_lasted' }));
    }
  }
  return page;
}
export type Page = ReturnType<typeof createPage>;
