import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Place } from '../../inquiries/testing/place.ts';
import { createSessions, sweepSessions } from '../sessions.ts';

const DAY_MS = 86_400_000;

/** What every database has to give: one owner for each session of an upstream over HTTP, on all nodes. */
export function sessionsContract(place: (t: TestContext) => Promise<Place>): void {
  test('[SEC1] a session belongs to the source that opened it, at its gate, on every node', async (t) => {
    const { inquiries, sourceId } = await place(t);
    const [one, other] = [createSessions(inquiries.database), createSessions(inquiries.database)];
    const name = { gate: 'notes', sessionId: 's1' };
    deepStrictEqual(await one.belongs(name, sourceId), false);
    await one.remember(name, sourceId);
    await other.remember(name, sourceId);
    deepStrictEqual(
      [
        await one.belongs(name, sourceId),
        await other.belongs(name, sourceId),
        await other.belongs(name, 'src_other'),
        await one.belongs({ ...name, gate: 'shop' }, sourceId),
        await one.belongs({ ...name, sessionId: 's2' }, sourceId),
      ],
      [true, true, false, false, false],
    );
    await one.forget(name);
    deepStrictEqual(
      [await one.belongs(name, sourceId), await createSessions(inquiries.database).belongs(name, sourceId)],
      [false, false],
    );
  });

  test('a session is forgotten when nobody has used it for 30 days', async (t) => {
    const { inquiries, sourceId, pass } = await place(t);
    const sessions = createSessions(inquiries.database);
    const [used, unused] = ['s1', 's2'].map((sessionId) => ({ gate: 'notes', sessionId }));
    if (!used || !unused) throw new Error('there are two');
    for (const name of [used, unused]) await sessions.remember(name, sourceId);
    pass(20 * DAY_MS);
    await sessions.belongs(used, sourceId);
    pass(11 * DAY_MS);
    deepStrictEqual(await sweepSessions(inquiries.database), 1);
    deepStrictEqual([await sessions.belongs(used, sourceId), await sessions.belongs(unused, sourceId)], [true, false]);
  });
}
