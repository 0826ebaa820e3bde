import type { Kysely, Selectable } from 'kysely';
import { fault, invalid } from '#shared/faults.ts';
import { newId } from '#shared/ids.ts';
import {
  DECIDERS_MAX,
  type ChangeDecider,
  type Decider,
  type NewDecider,
  type SourceDecider,
} from '#shared/policies/decider.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import { parseExact } from '#shared/json.ts';
import type { Rule } from '#shared/policies/rule.ts';
import type { CalledDecider } from '../model/call.ts';
import { iso } from '../../../platform/clock.ts';
import type { Database, Transaction } from '../../../platform/database.ts';
import type { Schema } from '../../../platform/schema.ts';
import { batch, statement, within } from '../../../platform/steps.ts';
import { seal, unseal } from '../../../platform/secrets/secrets.ts';
import { noteRemoved } from '../../../platform/removed.ts';

export type DeciderParts = { database: Database; sealingKey: Buffer };
export type DeciderRow = Selectable<Schema['deciders']>;
type Config = Omit<Decider, 'id' | 'name' | 'hasKey' | 'changedAt'>;

const HOLD_SECONDS = 20;
const TIMEOUT_SECONDS = 30;
const TAKEN = fault('/name', 'decider.name_taken', 'is the name of another decider');

// Of two changes at once each would go by the deciders as they were before the other.
const lockAll = statement("select pg_advisory_xact_lock(hashtextextended('deciders', 0))");

/** Every decider by name. */
export async function listDeciders(read: Kysely<Schema>): Promise<Decider[]> {
  return (await read.selectFrom('deciders').selectAll().orderBy('name').execute()).map(toDecider);
}

/** A decider with its key, to be called; undefined where there is none of this id. */
export async function findDecider(
  { database, sealingKey }: DeciderParts,
  id: string,
): Promise<CalledDecider | undefined> {
  const row = await database.read.selectFrom('deciders').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  return { ...toDecider(row), ...(row.sealed === null ? {} : { key: unseal(sealingKey, row.sealed) }) };
}

/** Makes a decider. Throws 422 with every fault, 409 where there are as many as may be. */
export async function createDecider(
  { database, sealingKey }: DeciderParts,
  { name, key, holdSeconds = HOLD_SECONDS, timeoutSeconds = TIMEOUT_SECONDS, ...more }: NewDecider,
  madeBy: string,
): Promise<Decider> {
  const config: Config = { ...more, holdSeconds, timeoutSeconds };
  return database.transaction(async (trx) => {
    await within(trx, batch({ locked: lockAll() }));
    const now = Math.round(database.clock.now());
    const faults = [...faultsOfConfig(config), ...(await taken(trx, name))];
    if (faults.length > 0) throw invalid(faults);
    if ((await listDeciders(trx)).length >= DECIDERS_MAX) {
      const detail = `This hub has ${DECIDERS_MAX} deciders, as many as it may: remove one first.`;
      throw new AppError(409, 'decider.too_many', detail);
    }
    const row = {
      id: newId('dcd', now),
      name,
      config: JSON.stringify(config),
      sealed: key === undefined ? null : seal(sealingKey, key),
      changed_at: now,
      made_by: madeBy,
    };
    await trx.insertInto('deciders').values(row).execute();
    return toDecider(row);
  });
}

/**
 * Changes what is sent; a key that is not sent stays. Throws 404 for one that is not there, 422 where the stored key
 * would go to another host.
 */
export async function changeDecider(
  { database, sealingKey }: DeciderParts,
  id: string,
  { name, key, ...change }: ChangeDecider,
): Promise<Decider> {
  return database.transaction(async (trx) => {
    await within(trx, batch({ locked: lockAll() }));
    const row = await trx.selectFrom('deciders').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw unknownDecider();
    const before = JSON.parse(row.config) as Config;
    const config: Config = { ...before, ...(change as Partial<Config>) };
    const faults = [
      ...faultsOfConfig(config),
      ...(name === undefined ? [] : await taken(trx, name, id)),
      ...(row.sealed !== null && key === undefined ? keyOfAnotherHost(before, config) : []),
    ];
    if (faults.length > 0) throw invalid(faults);
    const changed = {
      name: name ?? row.name,
      config: JSON.stringify(config),
      sealed: key === undefined ? row.sealed : key === null ? null : seal(sealingKey, key),
      changed_at: Math.round(database.clock.now()),
    };
    await trx.updateTable('deciders').set(changed).where('id', '=', id).execute();
    return toDecider({ ...row, ...changed });
  });
}

export function unknownDecider(): AppError {
  return new AppError(404, 'decider.unknown', 'There is no such decider here.');
}

/** A decider as its owner reads it. */
export function toDecider({ id, name, config, sealed, changed_at }: DeciderRow): Decider {
  return { id, name, ...(JSON.parse(config) as Config), hasKey: sealed !== null, changedAt: iso(changed_at) };
}

function faultsOfConfig({ kind, url, model, tool }: Config): Fault[] {
  const [mine, other] = kind === 'chat' ? (['model', 'tool'] as const) : (['tool', 'model'] as const);
  const given = { model, tool };
  return [
    ...(given[mine] === undefined ? [fault(`/${mine}`, `decider.${mine}`, `is missing: a "${kind}" needs one`)] : []),
    ...(given[other] === undefined ? [] : [fault(`/${other}`, `decider.${other}`, `is not for "${kind}"`)]),
    ...(kind === 'chat' && /[?#]/.test(url)
      ? [fault('/url', 'decider.url', 'ends with a query: leave out everything from "?" or "#" on')]
      : []),
  ];
}

async function taken(trx: Transaction, name: string, own = ''): Promise<Fault[]> {
  const query = trx.selectFrom('deciders').select('id').where('name', '=', name).where('id', '!=', own);
  return (await query.executeTakeFirst()) ? [TAKEN] : [];
}

function keyOfAnotherHost(before: Config, { url }: Config): Fault[] {
  if (new URL(before.url).origin === new URL(url).origin) return [];
  return [fault('/key', 'decider.key_of_another_host', 'was not given for the new host: give it again, or null')];
}

/**
 * Removes a decider and its key. Throws 404 for one that is not there, 409 while a source, a rule or YOLO names it:
 * nothing that was left to it turns silently into something else.
 */
export async function removeDecider(database: Database, id: string): Promise<void> {
  await database.transaction(async (trx) => {
    const users = await readUsers(trx, id);
    if (users.length > 0) {
      const detail = `It is still named by ${users.slice(0, 5).join(', ')}: take it away there first.`;
      throw new AppError(409, 'decider.in_use', detail);
    }
    const removed = await trx.deleteFrom('deciders').where('id', '=', id).returning('id').executeTakeFirst();
    if (!removed) throw unknownDecider();
    await noteRemoved(trx, 'decider', [id], database.clock.now());
  });
}

async function readUsers(trx: Transaction, id: string): Promise<string[]> {
  const sources = await trx
    .selectFrom('sources')
    .select(['name', 'decider'])
    .where('revoked_at', 'is', null)
    .where('decider', 'is not', null)
    .execute();
  const lists = await trx.selectFrom('policies').select(['rules']).execute();
  const yolos = await trx.selectFrom('yolos').select('choices').where('ended_at', 'is', null).execute();
  const rules = lists.flatMap(({ rules }) => parseExact(rules) as Rule[]);
  return [
    ...sources
      .filter(({ decider }) => (JSON.parse(decider ?? '{}') as SourceDecider).id === id)
      .map(({ name }) => `the source "${name}"`),
    ...rules
      .filter(({ then }) => typeof then === 'object' && 'decider' in then && then.decider === id)
      .map(({ name }) => `the rule "${name}"`),
    ...yolos.filter(({ choices }) => choices.includes(`"${id}"`)).map(() => 'a YOLO that runs'),
  ];
}
