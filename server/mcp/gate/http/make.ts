import { setTimeout as pause } from 'node:timers/promises';
import { fault, invalid } from '#shared/faults.ts';
import type { ChangeGate } from '#shared/policies/gate.ts';
import type { Fault } from '#shared/problem.ts';
import type { Database } from '../../../platform/database.ts';
import { unreadCommands } from '../../../automation/rules/change.ts';
import type { Catalogue } from '../catalogue.ts';
import { upstreamFaults, type GateConfig, type GateStore } from '../config/store.ts';
import { peopleAndGroups } from '../../../sources/store.ts';
import { unknownIds } from '../../../platform/stored.ts';

/** Whoever makes a gate is not kept longer by an upstream that does not reply. */
const LOOK_MS = 3_000;

type Parts = { database: Database; store: GateStore; catalogue: Catalogue };
type Made = {
  gate: GateConfig;
  /** Why the upstream, where it is new, did not say which tools it has, in one sentence; the gate is made all the same. */
  unreachable?: string;
};

/** Makes or changes a gate; 422 with every fault, 409 for a gate of the file. */
export async function makeGate(
  { database, store, catalogue }: Parts,
  { name, change, by }: { name: string; change: ChangeGate; by: { personId: string; deviceId?: string } },
): Promise<Made> {
  const faults = [
    ...upstreamFaults(change.upstream),
    ...(await unknownNames(database, change)),
    ...unreadCommands(change.rules),
  ];
  if (faults.length > 0) throw invalid(faults);
  const before = await store.find(name);
  const gate = await store.put(name, change, by.deviceId);
  catalogue.forget(name);
  if (before?.upstream.url === gate.upstream.url && change.upstream.headers === undefined) return { gate };
  const unreachable = await Promise.race([
    catalogue.tools(gate).then(
      () => undefined,
      (error: Error) => error.message,
    ),
    pause(LOOK_MS, `The MCP server behind the gate "${name}" did not reply in ${LOOK_MS / 1000} s.`, { ref: false }),
  ]);
  return unreachable === undefined ? { gate } : { gate, unreachable };
}

/** Handles and sources that nobody has: a typing error would refuse every call. */
async function unknownNames({ read }: Database, { to = [], sources = [] }: ChangeGate): Promise<Fault[]> {
  const handles = await peopleAndGroups(read, 'handle', to);
  return [
    ...to.flatMap((handle, at) =>
      handles.some((one) => one.handle === handle) ? [] : [fault(`/to/${at}`, 'handle.unknown', 'names nobody')],
    ),
    ...(await unknownIds(
      read,
      'source',
      sources.map((id, at) => [`/sources/${at}`, id]),
    )),
  ];
}
