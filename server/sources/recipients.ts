import type { Selectable } from 'kysely';
import { fault, invalid } from '#shared/faults.ts';
import type { Fault } from '#shared/problem.ts';
import type { Schema } from '../platform/schema.ts';
import { batch, statement, type Statement, type Steps } from '../platform/steps.ts';
import { EVERYBODY, parseMayAsk, unknownSource } from './store.ts';

/** Whom a source asks: the handles as it named them, and the people behind them, each once, with their own handles. */
export type Recipients = {
  handles: string[];
  /** In id order. */
  personIds: string[];
  /** Of these people, in alphabetical order. */
  people: string[];
  source: Omit<Asker, 'may_ask' | 'decider' | 'escalate' | 'approvals' | 'passkey_calls' | 'passkey_cautions'>;
};
export type Asker = Pick<
  Selectable<Schema['sources']>,
  'may_ask' | 'name' | 'locale' | 'texts' | 'webhook_url' | 'valid_for' | 'decider' | 'escalate' | 'approvals'
> & {
  subscribed: number;
  /** How many scopes want a passkey for whatever this source or gate calls, and for what is marked caution. */
  passkey_calls: number;
  passkey_cautions: number;
};
/** A handle as it was named, and one person behind it. */
export type Named = { handle: string; id: string; person: string };

/**
 * The people behind these handles at this moment, a group standing for its members; without handles, the
 * owner. Throws 422 with a fault at `/to/…`, always the same, for each handle that nobody has, that is an empty group, or
 * that stands for somebody whom the owner of the source did not allow; 404 for a source that is not there or was revoked.
 */
export function* recipientsFor(sourceId: string, to?: string[]): Steps<Recipients> {
  const {
    named,
    asker: [asker],
  } = yield* batch(namedBy(sourceId, to));
  return yield* resolveRecipients(to, named, asker);
}

/** What `resolveRecipients` needs: who bears these handles, and who asks. */
export function namedBy(
  sourceId: string,
  to?: string[],
  gate?: string,
): { named: Statement<Named>; asker: Statement<Asker> } {
  const asker = selectAsker(sourceId, `source ${sourceId}`, gate === undefined ? '' : `gate ${gate}`);
  return { named: to === undefined ? owner() : peopleBehind(to), asker };
}

/** As `recipientsFor`, from what was read. */
export function* resolveRecipients(
  to: string[] | undefined,
  named: Named[],
  asker: Asker | undefined,
): Steps<Recipients> {
  if (!asker) throw unknownSource();
  const handles = to ?? named.map(({ handle }) => handle);
  const faults = handleFaults(handles, named, yield* allowedPeople(asker), '/to');
  // Whom a connection asks by itself may have been removed.
  if (handles.length === 0) faults.push(fault('/to', 'handle.unknown', UNKNOWN));
  if (faults.length > 0) throw invalid(faults);
  const { name, locale, texts, webhook_url, valid_for, subscribed } = asker;
  return { handles, ...eachOnce(named), source: { name, locale, texts, webhook_url, valid_for, subscribed } };
}

/** The people behind these handles, each once. */
export function eachOnce(named: Named[]): Pick<Recipients, 'personIds' | 'people'> {
  return {
    personIds: [...new Set(named.map(({ id }) => id))].toSorted(),
    people: [...new Set(named.map(({ person }) => person))].toSorted(),
  };
}

const owner = statement<Named>('select handle, id, handle as person from people where owner = 1');
/** Who bears these handles, whoever asks. */
export const peopleBehind = statement<Named>(
  `select handle, id, handle as person from people where handle in {keys ?1}
  union all select groups.handle, people.id, people.handle as person
  from groups join group_members on group_members.group_id = groups.id join people on people.id = group_members.person_id
  where groups.handle in {keys ?1}`,
);
const selectAsker = statement<Asker>(
  `select may_ask, name, locale, texts, webhook_url, valid_for, decider, escalate, approvals, subscribed,
    (select count(*) from passkey_scopes where scope in (?2, ?3)) as passkey_calls,
    (select count(*) from passkey_scopes where scope = 'caution') as passkey_cautions
  from sources where id = ?1 and revoked_at is null`,
);
const selectMembers = statement<{ person_id: string }>(
  'select person_id from group_members where group_id in {keys ?1}',
);

export const UNKNOWN =
  'names nobody whom this source may ask; the owner of the hub allows a source to ask further people';

/**
 * A fault for each handle that nobody has or that stands for somebody whom the source may not ask; one answer for both, so
 * that a source learns of nobody by guessing.
 */
export function handleFaults(
  handles: string[],
  named: Named[],
  allowed: Pick<Set<string>, 'has'>,
  path: string,
): Fault[] {
  return handles.flatMap((handle, at): Fault[] => {
    const people = named.filter((row) => row.handle === handle);
    if (people.length > 0 && people.every(({ id }) => allowed.has(id))) return [];
    return [fault(`${path}/${at}`, 'handle.unknown', UNKNOWN)];
  });
}

/** The ids of those whom a source may ask at this moment. */
export function* allowedPeople(asker: Pick<Asker, 'may_ask'>): Steps<Pick<Set<string>, 'has'>> {
  const ids = parseMayAsk(asker);
  if (ids.includes(EVERYBODY)) return { has: () => true };
  const groups = ids.filter((id) => id.startsWith('grp_'));
  const { members } = yield* batch({ members: selectMembers(groups) });
  return new Set([...ids, ...members.map((member) => member.person_id)]);
}
