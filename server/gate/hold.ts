import { createHash, randomUUID } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/client';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { askOf, decidedOf, notAsked, withUsableSchema, type AskAbout, type Decided } from './call.ts';
import type { GateConfig } from './config/store.ts';
import type { HeldCalls } from '../platform/held-calls.ts';

/** The people who decide about calls: how they are asked and waited for, in this process or over HTTP. */
export type People = {
  held: HeldCalls;
  /** Where all calls are of one client, as in a process of its own. */
  client?: string;
  /** So long a question stays open for a call whose client could wait no longer. */
  graceMs: number;
  /** Asks, or goes on with what the call of this name has asked before, and waits for `ms`. */
  ask(
    question: Ask,
    name: string,
    ms: number,
  ): Promise<{ ended: 'resolved'; inquiry: Inquiry } | { ended: Unresolved }>;
  /** What may be done with a resolution, once; "used" where an approval was used already: the same call came in twice. */
  use?(inquiry: Inquiry, decided: Decided): Promise<Decided | 'used'>;
  /** The schema of a tool is no help for people who edit its arguments. */
  leftOut(reason: string): void;
};
type Unresolved = 'later' | 'gone' | 'stopping';

export type HoldCommand = Omit<AskAbout, 'group'> & {
  gate: Pick<GateConfig, 'name' | 'to' | 'deadline'>;
  source: { id: string };
  /** Of the older revisions. */
  sessionId?: string | undefined;
  tool?: Tool | undefined;
  /** So long the client can wait; absent: as long as a person takes. */
  waitMs?: number | undefined;
  /** Its place, where it goes on waiting. */
  place?: Place | undefined;
  /** Aborts when nobody waits for it any more. */
  signal: AbortSignal;
};
/** A decision with the inquiry behind it. A reply's inquiry is collected by whoever has written the reply in full. */
export type Held = Decided & { inquiryId?: string };
/** Nobody has decided in the time that the client has; its question stays open for the grace. */
export type Undecided = { type: 'undecided'; place: Place };
/** A place among the identical calls of one session, or of one call that goes on waiting. */
export type Place = { within: string; ordinal: number };

/**
 * What becomes of a call that people are asked about. An approval is used up before this returns "forward", so that
 * it lets one call pass, whatever is sent again (ASK5). "gone": the client is, or this node stops; "undecided": the
 * client can wait no longer. Then nothing may be forwarded.
 */
export async function holdCall(people: People, command: HoldCommand): Promise<Held | Undecided | 'gone'> {
  const { gate, source, call, tool, sessionId, waitMs = Infinity } = command;
  const { allowed, argsSchema } = command.verdict;
  const end = performance.now() + waitMs;
  const like = createHash('sha256')
    .update(JSON.stringify([gate.name, source.id, call.name, call.argsText]))
    .digest('hex');
  const turn = JSON.stringify([gate.name, source.id, sessionId ?? '']);
  // Its words alone name no call: of other sessions, and of clients without one, each is a question of its own (ASK5).
  const { within } = command.place ?? { within: people.client ?? sessionId ?? randomUUID() };
  const held = people.held.begin({ like: JSON.stringify([like, within]), turn, ordinal: command.place?.ordinal });
  const { ordinal, group } = held;
  // Not what the tool says of itself: its server may say something else at each reading, or nothing for a while.
  const name = `gate ${like} ${within} ${ordinal} ${JSON.stringify([allowed, argsSchema])}`;
  let keptMs = 0;
  try {
    const verdict = await withUsableSchema(source.id, command.verdict, people.leftOut);
    // Who goes on waiting takes back what is open even where it is gone already.
    for (let known = command.place !== undefined; known || !command.signal.aborted; known = false) {
      const question = askOf(gate, { ...command, verdict, group });
      const waited = await people.ask(question, name, end - performance.now());
      if (waited.ended === 'later') {
        keptMs = people.graceMs;
        return { type: 'undecided', place: { within, ordinal } };
      }
      if (waited.ended !== 'resolved') return 'gone';
      const { inquiry } = waited;
      const decided = await decidedOf(inquiry, { owner: source.id, tool });
      const usable = people.use ? await people.use(inquiry, decided) : decided;
      if (usable !== 'used') return { ...usable, inquiryId: inquiry.id };
    }
    return 'gone';
  } catch (error) {
    return notAsked(error);
  } finally {
    held.end(keptMs);
  }
}
