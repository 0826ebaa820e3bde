import type { Kysely } from 'kysely';
import type { Fault } from '#shared/problem.ts';
import type { Schema } from '../platform/schema.ts';
import { EVERYBODY, mayAskOf } from './store.ts';

/**
 * Why this source may not ask these handles, one fault at `/to/…` for each: nobody has it, the group is empty,
 * or it stands for a person whom the owner of the source did not allow. No faults: it may ask them all.
 */
export async function askable(trx: Kysely<Schema>, sourceId: string, handles: readonly string[]): Promise<Fault[]> {
  const asked = await peopleBehind(trx, handles);
  const allowed = await allowedPeople(trx, sourceId);
  return handles.flatMap((handle, at): Fault[] => {
    const people = asked.filter((row) => row.handle === handle);
    const path = `/to/${at}`;
    if (people.length === 0)
      return [
        {
          path,
          code: 'handle.unknown',
          message: `names nobody: there is no person and no group with members called "${handle}"`,
        },
      ];
    if (allowed === EVERYBODY || people.every((person) => allowed.has(person.id))) return [];
    return [
      {
        path,
        code: 'person.not_allowed',
        message: `names "${handle}", whom this source may not ask; its owner can allow it`,
      },
    ];
  });
}

async function peopleBehind(
  trx: Kysely<Schema>,
  handles: readonly string[],
): Promise<{ handle: string; id: string }[]> {
  if (handles.length === 0) return [];
  return trx
    .selectFrom('people')
    .select(['handle', 'id'])
    .where('handle', 'in', handles)
    .unionAll(
      trx
        .selectFrom('groups')
        .innerJoin('group_members', 'group_members.group_id', 'groups.id')
        .select(['groups.handle as handle', 'group_members.person_id as id'])
        .where('groups.handle', 'in', handles),
    )
    .execute();
}

async function allowedPeople(trx: Kysely<Schema>, sourceId: string): Promise<Set<string> | typeof EVERYBODY> {
  const source = await trx.selectFrom('sources').select('may_ask').where('id', '=', sourceId).executeTakeFirst();
  const ids = source ? mayAskOf(source) : [];
  if (ids.includes(EVERYBODY)) return EVERYBODY;
  const groups = ids.filter((id) => id.startsWith('grp_'));
  const members =
    groups.length === 0
      ? []
      : await trx.selectFrom('group_members').select('person_id').where('group_id', 'in', groups).execute();
  return new Set([...ids, ...members.map((member) => member.person_id)]);
}
