import type { Kysely } from 'kysely';
import type { Schema } from '../platform/schema.ts';

type Expanded = { people: { id: string; handle: string }[]; unknown: string[] };

/**
 * The people behind handles at this moment, each once, ordered by id; a group stands for its members.
 * Handles that nobody has and groups without members are reported in `unknown`.
 */
export async function expandHandles(trx: Kysely<Schema>, handles: readonly string[]): Promise<Expanded> {
  const found = await membersOf(trx, handles);
  const people = new Map(found.map(({ id, handle }) => [id, { id, handle }]));
  const asked = new Set(found.map((row) => row.asked));
  return {
    people: [...people.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    unknown: [...new Set(handles)].filter((handle) => !asked.has(handle)),
  };
}

// One row for each handle and each person it stands for.
async function membersOf(
  trx: Kysely<Schema>,
  handles: readonly string[],
): Promise<{ asked: string; id: string; handle: string }[]> {
  if (handles.length === 0) return [];
  return trx
    .selectFrom('people')
    .select(['people.handle as asked', 'people.id as id', 'people.handle as handle'])
    .where('people.handle', 'in', handles)
    .unionAll(
      trx
        .selectFrom('groups')
        .innerJoin('group_members', 'group_members.group_id', 'groups.id')
        .innerJoin('people', 'people.id', 'group_members.person_id')
        .select(['groups.handle as asked', 'people.id as id', 'people.handle as handle'])
        .where('groups.handle', 'in', handles),
    )
    .execute();
}
