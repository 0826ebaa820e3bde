import type { GateConfig } from '../gates.ts';
import { TooManyPrograms, type Programs } from './programs.ts';
import { openSession, type Session } from './session.ts';
import { startShared, type Shared } from './shared.ts';

/** How long who is not used stays: a session, a shared program, and a session whose place somebody else needs. */
export const IDLE_MS = { session: 600_000, shared: 120_000, toMakeRoom: 10_000 };
const SWEEP_MS = 15_000;

export type RunningOptions = {
  programs: Programs;
  /** Names this node in the ids of its sessions. */
  prefix: string;
  idleMs?: Partial<typeof IDLE_MS> | undefined;
  sweepMs?: number | undefined;
};
/** The sessions and shared programs of this node. `owner` names a gate and a source. */
export type Running = {
  /** The session of this id, if it is this owner's. */
  find(id: string, owner: string): Session | undefined;
  /** Throws `TooManyPrograms` where the gate is full, or its owner's share of it, and nobody there is idle. */
  open(gate: GateConfig, owner: string): Promise<Session>;
  shared(gate: GateConfig, owner: string): Promise<Shared>;
  drop(owner: string, shared: Shared): void;
  stop(): Promise<void>;
};

export function ownerOf(gate: GateConfig, sourceId: string): string {
  return `${gate.name} ${sourceId}`;
}

export function createRunning({ programs, prefix, sweepMs = SWEEP_MS, ...options }: RunningOptions): Running {
  const idleMs = { ...IDLE_MS, ...options.idleMs };
  const sessions = new Map<string, Session>();
  const shared = new Map<string, Shared>();
  const drop = (owner: string, one: Shared): void => {
    if (shared.get(owner) === one) shared.delete(owner);
    void one.close();
  };
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const session of idle([...sessions.values()], now - idleMs.session)) void session.close();
    for (const [owner, one] of shared) if (idle([one], now - idleMs.shared).length > 0) drop(owner, one);
  }, sweepMs).unref();
  // A client that left without a word must not keep another one out.
  const withRoom = async <T>(gate: GateConfig, owner: string, start: () => T): Promise<T> => {
    try {
      return start();
    } catch (error) {
      if (!(error instanceof TooManyPrograms)) throw error;
      const inTheWay = [...sessions.values()].filter((one) =>
        error.place === 'own' ? one.owner === owner : one.owner.startsWith(`${gate.name} `),
      );
      const [longest] = idle(inTheWay, performance.now() - idleMs.toMakeRoom);
      if (!longest) throw error;
      await longest.close();
      return start();
    }
  };
  return {
    find(id, owner) {
      const session = sessions.get(id);
      return session?.owner === owner ? session : undefined;
    },
    open: (gate, owner) =>
      withRoom(gate, owner, () => {
        const session = openSession({ gate, owner, prefix, programs, onClosed: ({ id }) => sessions.delete(id) });
        sessions.set(session.id, session);
        return session;
      }),
    shared: (gate, owner) =>
      withRoom(gate, owner, () => {
        const known = shared.get(owner);
        if (known) return known;
        const started = startShared(gate, owner, programs);
        shared.set(owner, started);
        void started.ended.then(() => shared.get(owner) === started && shared.delete(owner));
        return started;
      }),
    drop,
    async stop() {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map((session) => session.close()));
      await programs.stop();
    },
  };
}

/** Those that nobody has used since then, the longest idle first. */
function idle<T extends { idleSince(): number | undefined }>(all: T[], before: number): T[] {
  return all
    .map((one) => ({ one, since: one.idleSince() ?? Infinity }))
    .filter(({ since }) => since < before)
    .toSorted((a, b) => a.since - b.since)
    .map(({ one }) => one);
}
