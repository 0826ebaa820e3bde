import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { fault, invalid } from '#shared/faults.ts';
import { newId } from '#shared/ids.ts';
import { AppError } from '#shared/problem.ts';
import type { ChangeGroup, Group, NewGroup } from '#shared/wire.ts';
import type { Database } from '../platform/database.ts';
import { readPage, type Page } from '../platform/http/params.ts';
import type { Schema } from '../platform/schema.ts';
import { claimHandle } from './store.ts';

/** One page of groups, oldest first, with the handles of their members. */
export async function listGroups(db: Kysely<Schema>, after: string, limit: number): Promise<Page<Group>> {
  return readPage(selectGroups(db).where('id', '>', after).orderBy('id'), limit, (rows) => withMembers(db, rows));
}

/** Makes a group; 409 `handle.taken`, 422 with every member nobody knows. */
export async function createGroup(database: Database, asked: z.infer<typeof NewGroup>): Promise<Group> {
  return database.transaction(async (trx) => {
    await claimHandle(trx, asked.handle);
    const now = database.clock.now();
    const id = newId('grp', now);
    await trx
      .insertInto('groups')
      .values({ id, handle: asked.handle, name: asked.name ?? asked.handle, created_at: now })
      .execute();
    await setMembers(trx, id, asked.members);
    return readGroup(trx, id);
  });
}

/** Changes a group's name or members; what was asked of it before keeps its people. 404 `group.unknown`. */
export async function changeGroup(database: Database, id: string, change: z.infer<typeof ChangeGroup>): Promise<Group> {
  return database.transaction(async (trx) => {
    await readGroup(trx, id);
    if (change.name !== undefined)
      await trx.updateTable('groups').set({ name: change.name }).where('id', '=', id).execute();
    if (change.members !== undefined) await setMembers(trx, id, change.members);
    return readGroup(trx, id);
  });
}

/** Removes a group, never its people; 404 `group.unknown`. */
export async function removeGroup(database: Database, id: string): Promise<void> {
  const removed = await database.transaction((trx) =>
    trx.deleteFrom('groups').where('id', '=', id).returning('id').executeTakeFirst(),
  );
  if (!removed) throw unknownGroup();
}

async function readGroup(trx: Kysely<Schema>, id: string): Promise<Group> {
  const [group] = await withMembers(trx, await selectGroups(trx).where('id', '=', id).execute());
  if (!group) throw unknownGroup();
  return group;
}

function selectGroups(db: Kysely<Schema>) {
  return db.selectFrom('groups').select(['id', 'handle', 'name']);
}

async function withMembers(db: Kysely<Schema>, groups: Omit<Group, 'members'>[]): Promise<Group[]> {
  if (groups.length === 0) return [];
  const ids = groups.map(({ id }) => id);
  const rows = await db
    .selectFrom('group_members')
    .innerJoin('people', 'people.id', 'group_members.person_id')
    .select(['group_members.group_id as groupId', 'people.handle as handle'])
    .where('group_members.group_id', 'in', ids)
    .orderBy('people.handle')
    .execute();
  const members = Map.groupBy(rows, ({ groupId }) => groupId);
  return groups.map((group) => ({ ...group, members: (members.get(group.id) ?? []).map(({ handle }) => handle) }));
}

async function setMembers(trx: Kysely<Schema>, groupId: string, handles: string[]): Promise<void> {
  const people =
    handles.length === 0
      ? []
      : await trx.selectFrom('people').select(['id', 'handle']).where('handle', 'in', handles).execute();
  const known = new Set(people.map((person) => person.handle));
  const faults = handles.flatMap((handle, at) =>
    known.has(handle)
      ? []
      : [fault(`/members/${at}`, 'person.unknown', `names nobody: there is no person "${handle}"`)],
  );
  if (faults.length > 0) throw invalid(faults);
  await trx.deleteFrom('group_members').where('group_id', '=', groupId).execute();
  if (people.length > 0)
    await trx
      .insertInto('group_members')
      .values(people.map(({ id }) => ({ group_id: groupId, person_id: id })))
      .execute();
}

function unknownGroup(): AppError {
  return new AppError(404, 'group.unknown', 'There is no such group here.');
}
