import { fault, invalid } from '#shared/faults.ts';
import { parseExact } from '#shared/json.ts';
import type { GateRule } from '#shared/policies/gate.ts';
import { grants } from '#shared/policies/grants.ts';
import type { Policies, PutPolicies, Rule, When } from '#shared/policies/rule.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import type { Database } from '../../platform/database.ts';
import { batch, within } from '../../platform/steps.ts';
import { HUB, UNREADABLE, waitForSettled } from './lists.ts';
import { toRuleId } from './rules.ts';
import { readEntry } from './shell/entry.ts';
import { peopleAndGroups } from '../../sources/store.ts';
import { readWhole, unknownIds } from '../../platform/stored.ts';

/** A list: the hub's own, or that of a person. `personId` is whose time it goes by. */
export type Which = { of: 'hub' | 'person'; personId: string };

type Conditions = { when?: Pick<When, 'shell' | 'time' | 'days'> | undefined } & (
  | Pick<Rule, 'then'>
  | Pick<GateRule, 'does'>
);

/** The rules of a list as they are now; version 0 where nobody has made any. */
export async function readPolicies({ read }: Pick<Database, 'read'>, which: Which): Promise<Policies> {
  const row = await read
    .selectFrom('policies')
    .select(['version', 'rules'])
    .where('id', '=', toListId(which))
    .executeTakeFirst();
  if (!row) return { version: 0, rules: [] };
  return { version: row.version, rules: readWhole<Rule[]>(row.rules, parseExact) ?? [UNREADABLE] };
}

/**
 * Puts a new list in place of the one with this version. Throws 422 with every fault of what only the hub can know, 409
 * `policies.changed` where the list has another version by now; then the old list stays.
 */
export async function putPolicies(
  database: Database,
  which: Which,
  { version, rules }: PutPolicies,
  madeBy: string,
): Promise<Policies> {
  const faults = await findRuleFaults(database, which, rules);
  if (faults.length > 0) throw invalid(faults);
  const values = {
    version: version + 1,
    rules: JSON.stringify(rules),
    changed_at: Math.round(database.clock.now()),
    made_by: madeBy,
  };
  const id = toListId(which);
  const person_id = which.of === 'hub' ? null : which.personId;
  const written = await database.transaction(async (trx) => {
    await within(trx, batch({ settled: waitForSettled() }));
    return version === 0
      ? trx
          .insertInto('policies')
          .values({ id, person_id, ...values })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
      : trx
          .updateTable('policies')
          .set(values)
          .where('id', '=', id)
          .where('version', '=', version)
          .returning('id')
          .executeTakeFirst();
  });
  if (written) return { version: version + 1, rules };
  const now = await readPolicies(database, which);
  const detail = `These rules were changed elsewhere and have version ${now.version}: read them again, and put your change into what they are now.`;
  throw new AppError(409, 'policies.changed', detail, { extra: { version: now.version } });
}

/** Every fault of what only the hub can know, of the rules that do not stand in this list already. */
export async function findRuleFaults(database: Database, which: Which, rules: Rule[]): Promise<Fault[]> {
  const before = await readPolicies(database, which);
  // What became wrong while it stood here is no reason to refuse the list that still holds it, nor to keep another rule.
  const known = new Set(before.rules.map(toWordingId));
  const isNew = rules.map((rule) => !known.has(toWordingId(rule)));
  return [
    ...ended(rules, database.clock.now()),
    ...(which.of === 'hub' ? await unknownHandles(database, rules) : elsewhere(rules)),
    ...unreadCommands(rules),
    ...lostQuestions(before.rules, rules),
    ...(await unknownDeciders(database, rules)),
  ].filter(({ path }) => isNew[Number(path.split('/')[2])]);
}

function toListId({ of, personId }: Which): string {
  return of === 'hub' ? HUB : personId;
}

// A rule that is turned on or off says what it said.
function toWordingId({ off: _off, ...rule }: Rule): string {
  return toRuleId(rule);
}

function ended(rules: Rule[], now: number): Fault[] {
  return rules.flatMap((rule, at) =>
    rule.until === undefined || Date.parse(rule.until) > now
      ? []
      : [fault(`/rules/${at}/until`, 'rule.ended', 'has passed already')],
  );
}

/** The entries of shell conditions that stand for no command. */
export function unreadCommands(rules: Conditions[]): Fault[] {
  return rules.flatMap((rule, at) =>
    (rule.when?.shell ?? []).flatMap((text, index) => {
      const allows = 'does' in rule ? rule.does === 'allow' : grants(rule.then);
      const entry = readEntry(text, allows ? 'allow' : 'fence');
      const message = 'fault' in entry ? `does not stand for a command: ${entry.fault}` : undefined;
      return message === undefined ? [] : [fault(`/rules/${at}/when/shell/${index}`, 'rule.shell', message)];
    }),
  );
}

// An older page that changes such a rule leaves out the condition, which it does not know.
function lostQuestions(before: Rule[], rules: Rule[]): Fault[] {
  const about = new Set(before.flatMap(({ name, when }) => (when.question ? [name] : [])));
  const message = 'is gone, and it would answer other questions too: give a rule for these another name';
  return rules.flatMap(({ name, when, then }, at) =>
    about.has(name) && !when.question && grants(then)
      ? [fault(`/rules/${at}/when/question`, 'rule.question', message)]
      : [],
  );
}

function elsewhere(rules: Rule[]): Fault[] {
  const message = 'names other people: only the owner of the hub decides whom a question goes to';
  return rules.flatMap((rule, at) =>
    handlesOf(rule).length > 0 ? [fault(`/rules/${at}/then/ask`, 'rule.ask', message)] : [],
  );
}

async function unknownHandles({ read }: Database, rules: Rule[]): Promise<Fault[]> {
  const rows = await peopleAndGroups(read, 'handle', rules.flatMap(handlesOf));
  const known = new Set(rows.map(({ handle }) => handle));
  return rules.flatMap((rule, at) =>
    handlesOf(rule).flatMap((handle, index) =>
      known.has(handle) ? [] : [fault(`/rules/${at}/then/ask/${index}`, 'handle.unknown', 'names nobody')],
    ),
  );
}

function unknownDeciders({ read }: Database, rules: Rule[]): Promise<Fault[]> {
  const deciderOf = ({ then }: Rule) => (typeof then === 'object' && 'decider' in then ? then.decider : undefined);
  return unknownIds(
    read,
    'decider',
    rules.map((rule, at) => [`/rules/${at}/then/decider`, deciderOf(rule)]),
  );
}

function handlesOf({ then }: Rule): string[] {
  return typeof then === 'object' && 'ask' in then ? then.ask : [];
}
