import type { Kysely, Selectable } from 'kysely';
import { fault, invalid } from '#shared/faults.ts';
import type { Fault } from '#shared/problem.ts';
import type { Schema } from '../platform/schema.ts';
import { EVERYBODY, mayAskOf, unknownSource } from './store.ts';

/** Whom a source asks: the handles as it named them and the people behind them, each once, in id order. */
export type Recipients = { handles: string[]; personIds: string[]; source: Asker };
type Asker = Pick<Selectable<Schema['sources']>, 'name' | 'locale' | 'texts' | 'webhook_url'>;

/**
 * The people behind these handles at this moment, a group standing for its members; without handles, the
 * owner. Throws 422 with a fault at `/to/…`, always the same, for each handle that nobody has, that is an empty group, or
 * that stands for somebody whom the owner of the source did not allow; 404 for a source that is not there or was revoked.
 */
export async function recipientsFor(trx: Kysely<Schema>, sourceId: string, to?: string[]): Promise<Recipients> {
  const asked = await (to === undefined ? ownerAlone(trx) : peopleBehind(trx, to));
  const handles = to ?? asked.map(({ handle }) => handle);
  const { may_ask, ...source } = await readAsker(trx, sourceId);
  const faults = faultsOfHandles(handles, asked, await allowedPeople(trx, mayAskOf({ may_ask })));
  if (faults.length > 0) throw invalid(faults);
  return { handles, personIds: [...new Set(asked.map(({ id }) => id))].toSorted(), source };
}

const UNKNOWN = 'names nobody whom this source may ask; the owner of the hub allows a source to ask further people';

type Named = { handle: string; id: string };

// One answer whether nobody has the handle or the source may not ask them: a source learns of nobody by guessing.
function faultsOfHandles(handles: string[], asked: Named[], allowed: Set<string> | typeof EVERYBODY): Fault[] {
  return handles.flatMap((handle, at): Fault[] => {
    const people = asked.filter((row) => row.handle === handle);
    if (people.length > 0 && (allowed === EVERYBODY || people.every(({ id }) => allowed.has(id)))) return [];
    return [fault(`/to/${at}`, 'handle.unknown', UNKNOWN)];
  });
}

async function ownerAlone(trx: Kysely<Schema>): Promise<Named[]> {
  return trx.selectFrom('people').select(['handle', 'id']).where('owner', '=', 1).execute();
}

async function peopleBehind(trx: Kysely<Schema>, handles: string[]): Promise<Named[]> {
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

async function readAsker(trx: Kysely<Schema>, sourceId: string): Promise<Asker & Pick<Schema['sources'], 'may_ask'>> {
  const source = await trx
    .selectFrom('sources')
    .select(['may_ask', 'name', 'locale', 'texts', 'webhook_url'])
    .where('id', '=', sourceId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!source) throw unknownSource();
  return source;
}

async function allowedPeople(trx: Kysely<Schema>, ids: string[]): Promise<Set<string> | typeof EVERYBODY> {
  if (ids.includes(EVERYBODY)) return EVERYBODY;
  const groups = ids.filter((id) => id.startsWith('grp_'));
  const members =
    groups.length === 0
      ? []
      : await trx.selectFrom('group_members').select('person_id').where('group_id', 'in', groups).execute();
  return new Set([...ids, ...members.map((member) => member.person_id)]);
}
