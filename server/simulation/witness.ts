import { sql } from 'kysely';
import type { Database } from '../platform/database.ts';

/** What no statement of the hub may do, whoever runs it: the database itself writes each down, in the same transaction. */
const BREAKS = {
  'RES1: a resolution was changed': `update of resolution, outcome, resolved_at on inquiries when old.resolution is not null
    and (new.resolution is not old.resolution or new.outcome is not old.outcome or new.resolved_at is not old.resolved_at)`,
  'ASK1: an inquiry was deleted': 'delete on inquiries',
  'ASK4: what was asked was changed': `update on inquiries when new.asked is not old.asked or new.digest is not old.digest
    or new.source_id is not old.source_id or new.transport is not old.transport`,
  'DLV1: a webhook was deleted': 'delete on deliveries',
  'DLV1: what a webhook says was changed':
    'update of body, url on deliveries when new.body is not old.body or new.url is not old.url',
  'RES2: what an answer was told was changed': 'update of reply on answers when new.reply is not old.reply',
  'POL9: a decision was not shown for its hold time': `update of resolution on inquiries when old.resolution is null
    and json_extract(new.resolution, '$.by.kind') = 'decider' and not exists (select 1 from proposals
    where inquiry_id = new.id and decides_at <= new.resolved_at)`,
  'APR1: the end of an approval was moved': `update of resolution on inquiries when old.resolution is not null
    and json_extract(new.resolution, '$.validUntil') is not json_extract(old.resolution, '$.validUntil')`,
};

type Settled = { id: string; resolution: string; rule: string; rules: string; yolos: string };

/** Watches every commit by triggers of the simulation's own, so that what lasts a moment is seen as well. */
export async function createWitness({ transaction, read }: Database) {
  await transaction(async (trx) => {
    await sql`create table seen_broken (promise text, id text)`.execute(trx);
    await sql`create table seen_settled (id text, resolution text, rule text, rules text, yolos text)`.execute(trx);
    await sql`create trigger see_settled after insert on inquiries when new.rule is not null begin
      insert into seen_settled values (new.id, new.resolution, new.rule, (select coalesce(group_concat(rules), '') from policies),
        (select coalesce(group_concat(id), '') from yolos where ended_at is null)); end`.execute(trx);
    for (const [at, [promise, what]] of Object.entries(BREAKS).entries()) {
      const id = what.startsWith('delete') ? 'old' : 'new';
      await sql
        .raw(
          `create trigger see_${at} after ${what} begin insert into seen_broken values ('${promise}', ${id}.id); end`,
        )
        .execute(trx);
    }
  });
  return {
    broken: async () => (await sql<{ promise: string; id: string }>`select * from seen_broken`.execute(read)).rows,
    settled: async () => (await sql<Settled>`select * from seen_settled`.execute(read)).rows,
  };
}
