import type { AnswerBody, AnswerReply, Resolution } from '#shared/answer.ts';
import type { HandReply } from '#shared/hands.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Snapshot } from '#shared/live.ts';
import { answerInquiry } from '../inquiries/answer.ts';
import type { Answerer } from '../inquiries/answerer.ts';
import type { Chance } from './chance.ts';
import type { SimHub } from './hub.ts';
import { screenOf, type Link, type Sent, type SimDevice } from './network.ts';

type Event =
  | { type: 'connected' | 'gap_lasted' }
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'inquiry'; version: number; inquiry: Inquiry }
  | { type: 'withdraw'; version: number; inquiryId: string; resolution: Resolution }
  | { type: 'resolved'; inquiryId: string; resolution: Resolution }
  | { type: 'later'; version: number; inquiryId: string; at?: string }
  | { type: 'heartbeat'; version: number };
export type Shown = {
  floor: number;
  open: ReadonlyMap<string, unknown>;
  later: ReadonlyMap<string, { at?: string | undefined }>;
  resolutions: ReadonlyMap<string, Resolution>;
};

/** How a page folds what it hears into what it shows: the page's own code, handed in. */
export type Rules<State extends Shown> = {
  first: State;
  apply(state: State, event: Event): { state: State; effects: { type: string }[] };
};
export type Note = (what: string, inquiryId?: string) => void;
/** Writes a promise down that does not hold. */
export type Must = (holds: boolean, promise: string, inquiryId?: string) => void;
type Answered = { inquiryId: string; body: AnswerBody & { answerId: string }; replies: (AnswerReply | HandReply)[] };

/** A page of a device: it shows what it is told, keeps its answers until they are acknowledged, and comes back. */
export function createPage<State extends Shown>(
  device: SimDevice,
  hub: SimHub,
  chance: Chance,
  rules: Rules<State>,
  note: Note,
) {
  const { id: deviceId, name, personId } = device;
  const { network, schedule } = hub;
  const answered: Answered[] = [];
  let state = rules.first;
  let link: Link | undefined;

  function dispatch(event: Event | undefined): void {
    if (!event) return;
    const { state: next, effects } = rules.apply(state, event);
    state = next;
    if ([...state.open.keys()].some((id) => state.resolutions.has(id)))
      network.failures.push(`LIV1: ${name} reopened what was resolved`);
    note(...noteOf(name, event));
    const line = link;
    for (const { type } of effects) {
      if (type === 'sync') schedule.after(chance.between(1, 200), () => line?.up && hub.sync(line));
      if (type === 'watch_gap') schedule.after(300, () => line?.up && dispatch({ type: 'gap_lasted' }));
    }
  }

  function answerer(): Answerer {
    return { deviceId, deviceName: name, personId, handle: '', via: 'live', screen: link && screenOf(link) };
  }

  function send({ inquiryId, body, replies }: Answered): void {
    if (!link?.up) return;
    const { inquiries } = link.node;
    const run = () => answerInquiry(inquiries, answerer(), inquiryId, body);
    network.call(link, `reply ${body.answerId}`, run, (reply) => {
      replies.push(reply);
      if ('inquiry' in reply) return note(`${name} is told that it is one of several`, inquiryId);
      note(`${name} is told ${reply.won ? 'it won' : reply.resolution.outcome}`, inquiryId);
      dispatch({ type: 'resolved', inquiryId, resolution: reply.resolution });
    });
  }

  function disconnect(): void {
    if (link) network.hangUp(link);
  }

  function connect(): void {
    if (link?.up) return;
    dispatch({ type: 'connected' });
    link = hub.accept(device, (sent) => dispatch(eventOf(sent)));
    for (const one of answered) if (one.replies.length === 0) send(one);
  }

  return {
    device,
    answered,
    answerer,
    get state(): Shown {
      return state;
    },
    connect,
    /** Its line broke, noticed or not: whatever was not acknowledged is sent again. */
    comeBack: () => (disconnect(), connect()),
    disconnect,
    shows: (inquiryId: string) => state.open.has(inquiryId),
    answer(inquiryId: string, late: boolean): void {
      const asked = (state.open.get(inquiryId) as { inquiry?: Inquiry } | undefined)?.inquiry;
      const answerId = `${name} ${answered.length}`;
      const body = { answerId, ...answerTo(asked, name, chance), ...(late ? { late } : {}) };
      const one = { inquiryId, body, replies: [] };
      answered.push(one);
      send(one);
      // Somebody taps twice.
      if (chance.percent(10)) send(one);
    },
  };
}
export type Page = ReturnType<typeof createPage>;

function answerTo(asked: Inquiry | undefined, name: string, chance: Chance) {
  const decisions = asked?.actions?.map(() => ({ type: chance.percent(80) ? 'approve' : 'reject' }) as const);
  return decisions ? { decisions, digest: asked?.digest } : { text: `by ${name}` };
}

function eventOf({ name: type, event }: Sent): Event | undefined {
  if (type === 'snapshot') return { type, snapshot: event };
  if (type === 'heartbeat') return { type, version: event.version };
  if (type === 'later') return { type, ...event };
  if (type === 'inquiry') return { type, ...event };
  return type === 'withdraw' ? { type, ...event } : undefined;
}

function noteOf(name: string, event: Event): Parameters<Note> {
  const version = 'snapshot' in event ? event.snapshot.version : 'version' in event ? event.version : '';
  const inquiryId = 'inquiryId' in event ? event.inquiryId : 'inquiry' in event ? event.inquiry.id : undefined;
  return [`${name} ${event.type} ${version}`, inquiryId];
}
