import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '#shared/ids.ts';
import { ensureOwner } from '../people/owner.ts';
import type { Database } from '../platform/database.ts';
import { createPresence } from './presence.ts';

const DEVICES = 1_200;
const PAST = 1;

/** What must hold on either engine when very many devices come and leave in one moment. */
export function presenceContract(open: (t: TestContext) => Promise<Database>): void {
  test('a thousand devices that come and leave at once are a few transactions, and the last change of each counts', async (t) => {
    const database = await open(t);
    const owner = await ensureOwner(database);
    const [now, errors] = [database.clock.now(), [] as unknown[]];
    let transactions = 0;
    const steps: Database['steps'] = (work) => (transactions++, database.steps(work));
    const presence = createPresence({ ...database, steps }, (error) => errors.push(error));
    const until = now + 60_000;

    const ids = Array.from({ length: DEVICES }, () => newId('dev', now));
    const [stays, comesBack, leaves, revoked] = ids as [string, string, string, string];
    const rows = ids.map((id) => row(id, owner.id, { now, revokedAt: id === revoked ? now : null }));
    await database.transaction((trx) => trx.insertInto('devices').values(rows).execute());

    for (const id of ids) presence.touch(id, until);
    for (const id of [comesBack, leaves, 'dev_none']) presence.drop(id);
    presence.touch(comesBack, until);
    const live = async () => {
      const query = database.read.selectFrom('devices').select(['id', 'live_until']).where('id', 'in', ids);
      return new Map((await query.execute()).map((one) => [one.id, one.live_until]));
    };
    const expected = new Map(ids.map((id) => [id, id === leaves || id === revoked ? 0 : until]));
    let found = await live();
    for (let tries = 0; tries < 500 && found.get(ids.at(-1)!) !== until; tries++) {
      await pause(20);
      found = await live();
    }
    deepStrictEqual([found.get(stays), errors, transactions <= 4], [until, [], true]);
    deepStrictEqual(found, expected);
  });

  test('a device whose page goes from one node to another in one moment stays live', async (t) => {
    const database = await open(t);
    const owner = await ensureOwner(database);
    const now = database.clock.now();
    const [moved, left] = [newId('dev', now), newId('dev', now)];
    const rows = [moved, left].map((id) => row(id, owner.id, { now, revokedAt: null }));
    await database.transaction((trx) => trx.insertInto('devices').values(rows).execute());
    const written = Promise.withResolvers<void>();
    let writes = 0;
    const held: Database = {
      ...database,
      steps: async (work) => {
        if (writes++ > 0) await written.promise;
        return database.steps(work);
      },
    };
    const [one, other] = [held, database].map((from) => createPresence(from, () => {}));
    for (const id of [moved, left]) one!.touch(id, now + 40_000);
    const live = async (id: string) =>
      (await database.read.selectFrom('devices').select('live_until').where('id', '=', id).executeTakeFirst())
        ?.live_until;
    while ((await live(left)) !== now + 40_000) await pause(5);
    for (const id of [moved, left]) one!.drop(id);
    other!.touch(moved, now + 40_050);
    while ((await live(moved)) !== now + 40_050) await pause(5);
    written.resolve();
    while ((await live(left)) !== 0) await pause(5);
    deepStrictEqual(await live(moved), now + 40_050);
  });
}

function row(id: string, personId: string, { now, revokedAt }: { now: number; revokedAt: number | null }) {
  return {
    id,
    person_id: personId,
    name: 'Phone',
    token_hash: id,
    user_agent: 'test',
    address: '127.0.0.1',
    created_at: now,
    seen_at: now,
    expires_at: now + 60_000,
    live_until: revokedAt === null ? PAST : 0,
    revoked_at: revokedAt,
  };
}
