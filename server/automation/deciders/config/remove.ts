import { parseExact } from '#shared/json.ts';
import type { SourceDecider } from '#shared/policies/decider.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { AppError } from '#shared/problem.ts';
import type { Database, Transaction } from '../../../platform/database.ts';
import { unknownDecider } from './store.ts';

/**
 * Removes a decider and its key. Throws 404 for one that is not there, 409 while a source, a rule or YOLO names it:
 * nothing that was left to it turns silently into something else.
 */
export async function removeDecider(database: Database, id: string): Promise<void> {
  await database.transaction(async (trx) => {
    const users = await usersOf(trx, id);
    if (users.length > 0) {
      const detail = `It is still named by ${users.slice(0, 5).join(', ')}: take it away there first.`;
      throw new AppError(409, 'decider.in_use', detail);
    }
    const removed = await trx.deleteFrom('deciders').where('id', '=', id).returning('id').executeTakeFirst();
    if (!removed) throw unknownDecider();
  });
}

async function usersOf(trx: Transaction, id: string): Promise<string[]> {
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
    ...rules.filter(({ then }) => deciderOf(then) === id).map(({ name }) => `the rule "${name}"`),
    ...yolos.filter(({ choices }) => choices.includes(`"${id}"`)).map(() => 'a YOLO that runs'),
  ];
}

function deciderOf(then: Rule['then']): string | undefined {
  return typeof then === 'object' && 'decider' in then ? then.decider : undefined;
}
