import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { keepCall, takeCall } from '../continuations.ts';
import type { Visit } from './visit.ts';

/** A call that was held on a stream with an id of the hub's; `moving` while another connection takes it over. */
type Held = { visit: Visit; running: Promise<void>; run: (visit: Visit) => Promise<void>; moving?: Promise<void> };
export type Resumable = Map<string, Held>;

const PREFIX = 'hub-';

/** An id for the stream of a held call, where its client can resume one (MCP 2025-11-25, "Resumability and redelivery"). */
export function newResumeId(modern: boolean, headers: IncomingHttpHeaders): string | undefined {
  const version = headers['mcp-protocol-version'];
  return !modern && typeof version === 'string' && version >= '2025-11-25' ? PREFIX + randomUUID() : undefined;
}

/** The id in `Last-Event-ID` of a stream that is the hub's, not the upstream's. */
export function resumeIdOf({ 'last-event-id': id }: IncomingHttpHeaders): string | undefined {
  return typeof id === 'string' && id.startsWith(PREFIX) ? id : undefined;
}

/** Runs a call so that its client may come back for it until a while after it has ended. */
export async function runResumable(visit: Visit, run: (visit: Visit) => Promise<void>): Promise<void> {
  const running = run(visit);
  const { gates, resumeId } = visit;
  if (resumeId === undefined) return running;
  const held: Held = { visit, running, run };
  gates.resumable.set(resumeId, held);
  try {
    await running;
  } finally {
    setTimeout(() => {
      if (gates.resumable.get(resumeId) === held) gates.resumable.delete(resumeId);
    }, gates.pace.graceMs).unref();
  }
}

/**
 * Goes on with the stream of this id on another connection: with what was kept of it, or, still undecided,
 * by sending the same call again, which finds its question (ASK5). False for an id that is not known here.
 */
export async function resumeCall(visit: Visit, id: string, raw: ServerResponse): Promise<boolean> {
  const { resumable } = visit.gates;
  for (;;) {
    const held = resumable.get(id);
    if (!held || placeOf(held.visit) !== placeOf(visit)) return false;
    if (held.visit.outlet.resume(raw)) return true;
    if (!held.moving) return takeOver(held, id, raw);
    // Two connections at once: the call goes to the one, and then from it to the other.
    await held.moving;
  }
}

async function takeOver(held: Held, id: string, raw: ServerResponse): Promise<boolean> {
  const { outlet, gates } = held.visit;
  const { promise, resolve } = Promise.withResolvers<void>();
  held.moving = promise;
  try {
    outlet.break();
    await held.running.catch(() => {});
    // Decided in the very moment of the break: by now the rest is kept.
    if (outlet.resume(raw)) return true;
    // Taken back meanwhile: such a call is not made again.
    if (gates.resumable.get(id) !== held) return false;
    const again: Visit = { ...held.visit, outlet: held.visit.openOutlet(raw) };
    again.outlet.commit();
    const running = runResumable(again, held.run);
    resolve();
    await running;
    return true;
  } finally {
    delete held.moving;
    resolve();
  }
}

/**
 * Keeps a held call where other nodes, and this one after a restart, find it, as long as nobody has decided.
 * From the decision on it is gone: what may have run is never sent again.
 */
export function keepWhileHeld(visit: Visit, text: string) {
  const { gates, gate, resumeId } = visit;
  const { database } = gates.inquiries;
  let kept: Promise<void> | undefined;
  return {
    asked(inquiryId: string): void {
      if (resumeId === undefined) return;
      kept ??= keepCall(database, keyOf(visit, resumeId), { inquiryId, text, ms: gate.deadline * 1000 }).catch(
        (error: unknown) => gates.log.warn({ err: error }, 'could not keep a held call'),
      );
    },
    async decided(): Promise<void> {
      await kept;
      if (kept && resumeId !== undefined) await takeCall(database, keyOf(visit, resumeId));
    },
  };
}

/** The text of the call behind this id that another process held, once; undefined where none is kept. */
export function takeKept(visit: Visit, id: string): Promise<string | undefined> {
  return takeCall(visit.gates.inquiries.database, keyOf(visit, id));
}

function keyOf(visit: Visit, id: string): string {
  return `${placeOf(visit)} ${id}`;
}

function placeOf({ gate, source, sessionId }: Visit): string {
  return JSON.stringify([gate.name, source.id, sessionId ?? null]);
}

/** Nobody comes back for a call that was taken back, and what is asked for it would be nobody's. */
export function forgetResumable({ gates, resumeId }: Visit): void {
  if (resumeId !== undefined) gates.resumable.delete(resumeId);
}
