import { fault } from '#shared/faults.ts';
import type { ChangeGate } from '#shared/policies/gate.ts';
import { parseExact } from '#shared/json.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import type { Database } from '../../../platform/database.ts';
import { refusedUrl } from '../../../platform/outbound/addresses.ts';
import { seal, unseal } from '../../../platform/secrets/secrets.ts';
import { noteRemoved } from '../../../platform/removed.ts';
import { isZoneLost, timeZoneOf } from '../../../platform/time-zone.ts';

/** A gate as it is at this moment. Its credentials stand here in clear, in memory alone. */
export type GateConfig = Omit<ChangeGate, 'upstream'> & {
  name: string;
  /** "file": the operator's. */
  from: 'api' | 'file';
  upstream: { url: string; headers: Record<string, string> };
  /** When it was last changed, in ms; a gate of the file: when the hub started. */
  changedAt: number;
  /** The owner's, where a rule looks at the time. */
  timeZone?: string | undefined;
};

export type GateStore = ReturnType<typeof createGateStore>;
type Stored = {
  database: Database;
  /** The operator's own gates; they win. */
  fromFile: ReadonlyMap<string, GateConfig>;
};
type StoreParts = Stored & { sealingKey: Buffer };

/** Gates of the file and of the table, whose credentials are sealed with a key outside the database. */
export function createGateStore({ database, sealingKey, fromFile }: StoreParts) {
  const read = async (name: string): Promise<GateConfig | undefined> => {
    const row = await database.read.selectFrom('gates').selectAll().where('name', '=', name).executeTakeFirst();
    return row && parseConfig(row, sealingKey);
  };
  const find = async (name: string): Promise<GateConfig | undefined> => {
    const gate = fromFile.get(name) ?? (await read(name));
    if (!gate?.rules.some(({ when }) => when?.time ?? when?.days)) return gate;
    const owner = await database.read.selectFrom('people').select('preferences').where('owner', '=', 1).execute();
    const { preferences = null } = owner[0] ?? {};
    return { ...gate, timeZone: isZoneLost(preferences) ? undefined : timeZoneOf(preferences) };
  };
  return {
    find,
    /** The gate of this name for a source that may use it; throws 404 for any other. */
    async findFor(sourceId: string, name: string): Promise<GateConfig> {
      const gate = await find(name);
      if (!gate || !(gate.sources?.includes(sourceId) ?? true)) throw unknownGate(name);
      return gate;
    },
    /** Every gate by name, those of the file among them. */
    list: () => listGates({ database, fromFile }, (row) => parseConfig(row, sealingKey)),
    /**
     * Makes or changes a gate. Without `headers` the stored ones stay, as long as the address keeps its origin:
     * credentials are never sent to a host they were not given for. Throws 409 for a gate of the file, 422
     * where stored headers would go to another origin.
     */
    async put(name: string, change: ChangeGate, madeBy?: string): Promise<GateConfig> {
      refuseFile(fromFile, name);
      return database.transaction(async (trx) => {
        const row = await trx.selectFrom('gates').selectAll().where('name', '=', name).executeTakeFirst();
        const before = row && parseConfig(row, sealingKey);
        const headers = change.upstream.headers ?? keptHeaders(before, change.upstream.url);
        const { upstream, ...policy } = change;
        const stored = {
          config: JSON.stringify({ ...policy, upstream: { url: upstream.url } }),
          sealed: Object.keys(headers).length > 0 ? seal(sealingKey, JSON.stringify(headers)) : null,
          // Later than before whatever the clock says: what is remembered of a gate is told apart by it.
          changed_at: Math.max(database.clock.now(), (before?.changedAt ?? 0) + 1),
        };
        await trx
          .insertInto('gates')
          .values({ name, made_by: madeBy ?? null, ...stored })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ made_by: madeBy ?? null, ...stored }))
          .execute();
        return parseConfig({ name, ...stored }, sealingKey);
      });
    },
    /** Throws 409 for a gate of the file, 404 for one that is not there. */
    remove: (name: string): Promise<void> => removeGate({ database, fromFile }, name),
  };
}

/** A gate as it can be listed where its key may be missing: the names of its headers only where they are known. */
export type ListedGate = Omit<GateConfig, 'upstream'> & { upstream: { url: string; headerNames?: string[] } };

/** Every gate by name, without what its headers say. Needs no key. */
export async function listWithoutSecrets(gates: Stored, key: Buffer | undefined): Promise<ListedGate[]> {
  const listed = (row: Row): ListedGate => {
    const open = parseConfig({ ...row, sealed: null }, Buffer.of());
    if (row.sealed === null) return withoutHeaders(open);
    try {
      if (key) return withoutHeaders(parseConfig(row, key));
    } catch {
      // It is the key of another hub.
    }
    return { ...open, upstream: { url: open.upstream.url } };
  };
  const fromFile = new Map([...gates.fromFile].map(([name, gate]) => [name, withoutHeaders(gate)]));
  return listGates({ ...gates, fromFile }, listed);
}

function withoutHeaders({ upstream: { url, headers }, ...gate }: GateConfig): ListedGate {
  return { ...gate, upstream: { url, headerNames: Object.keys(headers) } };
}

async function listGates<Gate extends { name: string }>(
  { database, fromFile }: { database: Database; fromFile: ReadonlyMap<string, Gate> },
  gateOf: (row: Row) => Gate,
): Promise<Gate[]> {
  const rows = await database.read.selectFrom('gates').selectAll().execute();
  const stored = rows.filter(({ name }) => !fromFile.has(name)).map(gateOf);
  return [...fromFile.values(), ...stored].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Removes a gate. Needs no key. Throws 409 for a gate of the file, 404 for one that is not there. */
export async function removeGate({ database, fromFile }: Stored, name: string): Promise<void> {
  refuseFile(fromFile, name);
  const removed = await database.transaction(async (trx) => {
    const row = await trx.deleteFrom('gates').where('name', '=', name).returning('name').executeTakeFirst();
    if (row) await noteRemoved(trx, 'gate', [name], database.clock.now());
    return row;
  });
  if (!removed) throw unknownGate(name);
}

function refuseFile(fromFile: Stored['fromFile'], name: string): void {
  if (!fromFile.has(name)) return;
  throw new AppError(409, 'gate.of_file', `The gate "${name}" stands in GATES_FILE: only the operator changes it.`);
}

export function unknownGate(name: string): AppError {
  return new AppError(404, 'gate.unknown', `There is no gate "${name}" for you here.`);
}

type Row = { name: string; config: string; sealed: string | null; changed_at: number };

function parseConfig({ name, config, sealed, changed_at: changedAt }: Row, key: Buffer): GateConfig {
  const { upstream, ...policy } = parseExact(config) as Omit<ChangeGate, 'upstream'> & { upstream: { url: string } };
  const headers = sealed === null ? {} : (JSON.parse(unseal(key, sealed)) as Record<string, string>);
  return { ...policy, name, from: 'api', upstream: { url: upstream.url, headers }, changedAt };
}

function keptHeaders(before: GateConfig | undefined, url: string): Record<string, string> {
  if (!before) return {};
  const { headers } = before.upstream;
  if (Object.keys(headers).length === 0 || new URL(before.upstream.url).origin === new URL(url).origin) return headers;
  throw new AppError(
    422,
    'gate.headers_of_another_host',
    'The stored headers were given for another host: send "headers" again for this one, {} for none.',
    { faults: [fault('/upstream/headers', 'gate.headers_of_another_host', 'is missing')] },
  );
}

/** Headers that belong to the connection or to MCP itself: a gate that set them would break its calls. */
const NOT_OURS =
  /^(host|connection|content-length|content-type|content-encoding|transfer-encoding|keep-alive|te|trailer|upgrade|expect|accept|accept-encoding|last-event-id|mcp-.*|proxy-connection)$/i;
const NOT_TO_SET = 'is not for a gate to set: it belongs to the connection or to MCP';

/** What keeps a gate from reaching this upstream as it is written, with pointers from the gate. */
export function upstreamFaults(upstream: { url: string; headers?: Record<string, string> | undefined }): Fault[] {
  // An address the owner typed may lie in a private network.
  const refused = refusedUrl(new URL(upstream.url), () => true);
  const url = refused === undefined ? [] : [`cannot be used: ${refused}; send it as a header`];
  return [
    ...url.map((why) => fault('/upstream/url', 'gate.url', why)),
    ...Object.keys(upstream.headers ?? {})
      .filter((name) => NOT_OURS.test(name))
      .map((name) => fault(`/upstream/headers/${name}`, 'gate.header', NOT_TO_SET)),
  ];
}
