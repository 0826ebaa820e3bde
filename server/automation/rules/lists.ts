import { parseExact } from '#shared/json.ts';
import { Rules, type Rule } from '#shared/policies/rule.ts';
import { sql } from 'kysely';
import { iso } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { statement, type Statement } from '../../platform/steps.ts';
import { readWhole } from '../../platform/stored.ts';
import { isZoneLost, timeZoneOf } from '../../platform/time-zone.ts';
import { prepare, toRuleId, type List } from './rules.ts';
import { isYolo, readChoices, runsAt, type YoloChoices } from '../yolo/store.ts';

/** The id of the owner's list, whose rules act on every inquiry. */
export const HUB = 'hub';

/** Which list it is and which version of it, of YOLO its end; where its person is, for times of day. */
export type Version = { id: string; version: number; preferences: string | null };
/** What a rule settles holds this until it is committed, so that no change of a list returns before. */
export const holdLists = statement("select pg_advisory_xact_lock_shared(hashtextextended('policies', 0))");
/** Waits for all that was settled by the lists as they were. */
export const waitForSettled = statement("select pg_advisory_xact_lock(hashtextextended('policies', 0))");

type Stored = Version & { rules: string };
/** Lists in the order in which they are searched; `stamp` says which versions they are. */
export type Known = { stamp: string; lists: List[] };

/** The lists that count where nobody is named, one handle is, or several are. */
function reading<Row>(rules = '', choices = '') {
  const columns = `policies.id, policies.version, people.preferences${rules}`;
  const hub = `select ${columns} from policies join people on people.owner = 1 where policies.id = '${HUB}'`;
  const own = (whose: string) => `${hub}
    union all select ${columns} from people join policies on policies.id = people.id where ${whose}
    union all select yolos.id, yolos.until_at, null${choices} from people join yolos on yolos.person_id = people.id
    where ${whose} and ${runsAt('?1')}`;
  return {
    ofOwner: statement<Row>(own('people.owner = 1')),
    ofPerson: statement<Row>(own('people.handle = ?2')),
    ofHub: statement<Row>(hub),
  };
}
const versions = reading<Version>();
const texts = reading<Stored>(', policies.rules', ', yolos.choices');

/**
 * Reads which lists count for who is asked at this instant, and their versions: a person's own, and their YOLO, only
 * where they alone are named.
 */
export function versionsFor(to: string[] | undefined, now: number): Statement<Version> {
  return pick(versions, to, now);
}

function pick<Row>(from: ReturnType<typeof reading<Row>>, to: string[] | undefined, now: number): Statement<Row> {
  if (to === undefined) return from.ofOwner(now);
  const [handle = '', ...others] = to;
  return others.length === 0 ? from.ofPerson(now, handle) : from.ofHub();
}

/** Which versions these are, to be compared with those of what is known. */
export function toStamp(rows: Version[]): string {
  return JSON.stringify(inOrder(rows).map(({ id, version, preferences }) => [id, version, preferences]));
}

/**
 * The lists as this node read them last, each made ready once for each of its versions. What is known may be outdated:
 * whoever writes by it compares its stamp with `versionsFor` in the same transaction, and reads anew where they differ.
 */
export function createLists({ rows, clock }: Pick<Database, 'rows' | 'clock'>) {
  const ready = new Map<string, Version & { list: List }>();
  const personal = new Map<string, string[]>();
  const toKnown = (ids: string[]): Known => {
    const found = ids.flatMap((id) => ready.get(id) ?? []);
    return { stamp: toStamp(found), lists: found.map(({ list }) => list) };
  };
  return {
    known(to: string[] | undefined): Known {
      const key = toKey(to);
      const own = key === undefined ? [] : (personal.get(key) ?? []);
      return toKnown([HUB, ...own]);
    },
    /** What is known once it was read anew. */
    async read(to: string[] | undefined): Promise<Known> {
      const [rowsFound] = await rows(pick(texts, to, clock.now()));
      const found = inOrder(rowsFound);
      for (const { rules, ...version } of found) {
        const before = ready.get(version.id);
        if (before && toStamp([before]) === toStamp([version])) continue;
        ready.set(version.id, { ...version, list: toList(rules, version) });
      }
      const ids = found.map(({ id }) => id);
      const key = toKey(to);
      if (key !== undefined) {
        for (const id of personal.get(key) ?? []) if (!ids.includes(id)) ready.delete(id);
        const own = ids.filter((id) => id !== HUB);
        if (own.length > 0) personal.set(key, own);
        else personal.delete(key);
      }
      return toKnown(ids);
    },
  };
}

/**
 * Whether the owner's list, or one of these people, still holds a rule that has not ended; of YOLO, whether it runs. What
 * is settled by it takes `holdLists` before.
 */
export async function stillStands(
  read: Pick<Transaction, 'selectFrom'>,
  ruleId: string,
  { personIds, now }: { personIds: string[]; now: number },
): Promise<boolean> {
  if (isYolo(ruleId)) {
    const runs = sql<boolean>`${sql.raw(runsAt(String(Math.round(now))))}`;
    const found = read.selectFrom('yolos').select('id').where('id', '=', ruleId).where(runs);
    return (await found.executeTakeFirst()) !== undefined;
  }
  const ids = [HUB, ...personIds];
  const lists = await read.selectFrom('policies').select('rules').where('id', 'in', ids).execute();
  const rules = lists.flatMap((list) => readRules(list.rules) ?? []);
  return rules.some(
    (rule) => toRuleId(rule) === ruleId && !rule.off && (rule.until === undefined || Date.parse(rule.until) > now),
  );
}

/** Who alone is named: "" is the owner. */
function toKey(to: string[] | undefined): string | undefined {
  if (to === undefined) return '';
  return to.length === 1 ? to[0] : undefined;
}

function inOrder<Row extends { id: string }>(rows: Row[]): Row[] {
  const place = ({ id }: Row) => (id === HUB ? 0 : isYolo(id) ? 2 : 1);
  return rows.toSorted((a, b) => place(a) - place(b));
}

// A rule that this version cannot read, or a disk has damaged, might say to ask: without it a later one could approve.
function toList(text: string, { id, version, preferences }: Version): List {
  if (isYolo(id)) return toYoloList(id, readChoices(text), version);
  const read = readRules(text);
  const byTime = isZoneLost(preferences) && read?.some(({ when: { time, days } }) => time ?? days);
  return prepare(read && !byTime ? read : [UNREADABLE], timeZoneOf(preferences));
}

/** What a list does that nobody can read. */
export const UNREADABLE: Rule = { name: 'A list that cannot be read', when: {}, then: 'ask' };

function readRules(text: string): Rule[] | undefined {
  return Rules.safeParse(readWhole(text, parseExact)).data;
}

/** As a list of rules, looked at after all others; all of them bear its id. */
function toYoloList(id: string, { calls, questions, sources, runs, destructive }: YoloChoices, until: number): List {
  const when = { ...(sources ? { source: sources } : {}), ...(runs ? { run: runs } : {}) };
  const rule = { name: 'YOLO', until: iso(until) };
  const rules: Rule[] = [
    ...(calls ? [{ ...rule, when: { ...when, kind: 'actions' as const }, then: calls }] : []),
    ...(questions
      ? [
          {
            ...rule,
            when: { ...when, kind: ['text' as const, 'questions' as const, 'document' as const] },
            then: questions,
          },
        ]
      : []),
  ];
  const list = prepare(rules, 'UTC');
  return {
    ...list,
    rules: list.rules.map((one) => ({ ...one, id, ...(destructive ? {} : { sparesDestructive: true as const }) })),
  };
}
