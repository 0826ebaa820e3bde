import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Cancellable } from '../cancel.ts';
import type { Asking } from '../elicitation/asking.ts';
import type { Ids } from '../elicitation/ids.ts';
import type { GateConfig, Gates } from '../gates.ts';
import type { Outlet } from './outlet.ts';
import type { Resumable } from './resume.ts';
import type { Sessions } from '../sessions.ts';
import type { Legs } from '../waiting/legs.ts';
import type { Upstream } from './upstream.ts';

/** What the HTTP gate needs beside the core. */
export type HttpGates = Gates & {
  upstream: Upstream;
  cancellable: Cancellable;
  /** What the clients of older sessions call themselves; shown, never trusted. */
  agents: Map<string, string>;
  asking: Asking;
  ids: Ids;
  sessions: Sessions;
  legs: Legs;
  /** Held calls whose clients may come back. */
  resumable: Resumable;
};

/** One request at the door of a gate. */
export type Visit = {
  gates: HttpGates;
  gate: GateConfig;
  source: { id: string; name: string };
  headers: IncomingHttpHeaders;
  sessionId: string | undefined;
  /** Names its session, or the visit itself where there is none. */
  place: string;
  /** What the client calls itself. */
  agent: string | undefined;
  /** `?locale=` of the address. */
  language: string | undefined;
  /** `?wait=` of the address. */
  waitSeconds: number | undefined;
  /** When the client sent its request, by `performance.now()`: its clock runs since then, over all connections. */
  begunAt: number;
  outlet: Outlet;
  /** By which the client may come back for the stream of this call; absent: it cannot. */
  resumeId: string | undefined;
  /** An outlet for the same call on another connection. */
  openOutlet(raw: ServerResponse): Outlet;
};

const AGENTS = 10_000;

/** Remembers what the client of a session calls itself; the oldest is forgotten first. */
export function rememberAgent({ gates, gate }: Visit, sessionId: string, agent: string): void {
  const [oldest] = gates.agents.keys();
  if (gates.agents.size >= AGENTS && oldest !== undefined) gates.agents.delete(oldest);
  gates.agents.set(`${gate.name} ${sessionId}`, agent);
}

export function agentOf(gates: HttpGates, gate: GateConfig, sessionId: string | undefined): string | undefined {
  return sessionId === undefined ? undefined : gates.agents.get(`${gate.name} ${sessionId}`);
}
