import { deepStrictEqual, ok } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { newId } from '#shared/ids.ts';
import { mark } from '../../deliveries/inquiry-devices.ts';
import { addDevice } from '../../devices/admit.ts';
import { saveDraft } from '../draft.ts';
import type { Viewer } from '../answerer.ts';
import { readSnapshot, readSnapshots } from '../read.ts';
import { readHistory } from '../../reports/history/read.ts';
import { withdrawInquiry } from '../withdraw.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import type { Place } from './place.ts';

const PEOPLE = 20;

/** What devices are sent when very many of them connect at once; the same on every engine. */
export function snapshotsContract(place: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(place);
  test('[LIV1] snapshots read together are what each device reads alone, in statements for all of them', async (p) => {
    const { database } = p;
    const viewers: Viewer[] = [p.phone, p.laptop];
    const handles = Array.from({ length: PEOPLE }, (_, at) => `guest${at}`);
    for (const handle of handles) {
      const row = { id: newId('per', database.clock.now()), handle, name: handle, created_at: 0, locale: null };
      await database.transaction((trx) => trx.insertInto('people').values(row).execute());
      viewers.push({ personId: row.id, deviceId: (await addDevice(database, row.id, 'Phone')).deviceId });
    }
    const everybody = [p.phone.handle, ...handles];
    const shared = await p.ask({ prompt: 'All of you?', to: everybody });
    for (const handle of everybody.slice(0, -5)) await p.ask({ prompt: `You, ${handle}?`, to: [handle] });
    for (const prompt of ['One', 'Two', 'Three', 'Four']) await p.ask({ prompt, to: [p.phone.handle] });
    await saveDraft(p.inquiries, p.phone, shared, { text: 'Ye' });
    await mark(database, [
      { inquiryId: shared, deviceId: p.laptop.deviceId, kind: 'dismissed', at: database.clock.now() },
    ]);

    let statements = 0;
    const counting = {
      transformQuery: ({ node }) => (statements++, node),
      transformResult: async ({ result }) => result,
    } satisfies KyselyPlugin;
    const counted = {
      settling: p.inquiries.settling,
      database: { ...database, read: database.read.withPlugin(counting) },
    };
    const timeless = ({ serverTime: _now, ...snapshot }: Awaited<ReturnType<typeof readSnapshot>>) => snapshot;
    for (const limit of [200, 3]) {
      statements = 0;
      const together = await readSnapshots(counted, viewers, limit);
      const cost = statements;
      const alone = [];
      for (const viewer of viewers) alone.push(await readSnapshot(p.inquiries, viewer, limit));
      deepStrictEqual(together.map(timeless), alone.map(timeless));
      // Sizes, then texts: two statements for all of them instead of one.
      if (limit === 200) ok(cost <= 8, `${cost} statements`);
      const [phone, laptop, guest] = together.map(({ inquiries, more, drafts }) => [
        inquiries.map(({ prompt, dismissed }) => (dismissed ? `(${prompt})` : prompt)),
        more,
        drafts.map(({ answer }) => answer ?? 'somebody'),
      ]);
      const newest = ['Four', 'Three', 'Two'];
      const of = (all: string[]) => [...newest, 'One', `You, ${p.phone.handle}?`, ...all];
      deepStrictEqual(
        [phone, laptop, guest],
        limit === 3
          ? [
              [newest, true, []],
              [newest, true, []],
              [['You, guest0?', 'All of you?'], false, ['somebody']],
            ]
          : [
              [of(['All of you?']), false, [{ text: 'Ye' }]],
              [of(['(All of you?)']), false, [{ text: 'Ye' }]],
              [['You, guest0?', 'All of you?'], false, ['somebody']],
            ],
      );
    }
  });

  test('[LIV2] a snapshot and a page of the history hold 2 MiB and say that there is more, until all was read', async (p) => {
    const text = 'x'.repeat(200_000);
    const ids = [];
    for (let at = 0; at < 24; at++) ids.push(await p.ask({ title: `Large ${at}?`, prompt: text }));
    const { inquiries, more } = await readSnapshot(p.inquiries, p.phone);
    deepStrictEqual([more, inquiries.map(({ id }) => id)], [true, ids.toReversed().slice(0, inquiries.length)]);
    const bytes = Buffer.byteLength(JSON.stringify(inquiries));
    ok(bytes > 1_500_000 && bytes < 2 * 1024 * 1024 + 10_000, `${bytes}`);
    for (const id of ids) await withdrawInquiry(p.inquiries, p.sourceId, id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await readHistory(p.database.read, p.phone, { limit: 200, cursor });
      const size = Buffer.byteLength(JSON.stringify(page.items));
      ok(size < 2 * 1024 * 1024 + 30_000, `${size}`);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    deepStrictEqual(seen.toSorted(), ids.toSorted());
  });

  test('a device sees everybody who is asked with it, behind a group too; the source sees only whom it named', async (p) => {
    const { database } = p;
    const jonas = {
      id: newId('per', database.clock.now()),
      handle: 'jonas',
      name: 'Jonas',
      created_at: 0,
      locale: null,
    };
    const group = { id: 'grp_oncall', handle: 'on-call', name: 'On call', created_at: 0 };
    await database.transaction(async (trx) => {
      await trx.insertInto('people').values(jonas).execute();
      await trx.insertInto('groups').values(group).execute();
      const members = [jonas.id, p.phone.personId].map((person_id) => ({ group_id: group.id, person_id }));
      await trx.insertInto('group_members').values(members).execute();
    });
    const asked = await p.ask({ prompt: 'Page them?', to: ['on-call'] });
    await p.ask({ prompt: 'You alone?', to: [p.phone.handle] });
    const { inquiries } = await readSnapshot(p.inquiries, p.phone);
    const { people, to } = await p.read(asked);
    deepStrictEqual(
      [...inquiries.map((one) => [one.prompt, one.to, one.people]), ['its source', to, people]],
      [
        ['You alone?', [p.phone.handle], undefined],
        ['Page them?', ['on-call'], ['jonas', p.phone.handle].toSorted()],
        ['its source', ['on-call'], undefined],
      ],
    );
  });

  test('[LIV1] nobody’s snapshot is cut short because somebody else in the batch is asked a lot meanwhile', async (p) => {
    const { database } = p;
    const guest = {
      id: newId('per', database.clock.now()),
      handle: 'guest',
      name: 'Guest',
      created_at: 0,
      locale: null,
    };
    await database.transaction((trx) => trx.insertInto('people').values(guest).execute());
    const { deviceId } = await addDevice(database, guest.id, 'Phone');
    for (const { handle } of [p.phone, guest]) await p.ask({ prompt: `You, ${handle}?`, to: [handle] });

    let reads = 0;
    const askedMeanwhile = {
      transformQuery: ({ node }) => node,
      // After the versions, read with the counts.
      transformResult: async ({ result }) => {
        if (++reads === 1) for (let at = 0; at < 10; at++) await p.ask({ prompt: `And ${at}?`, to: [guest.handle] });
        return result;
      },
    } satisfies KyselyPlugin;
    const meanwhile = {
      settling: p.inquiries.settling,
      database: { ...database, read: database.read.withPlugin(askedMeanwhile) },
    };
    const snapshots = await readSnapshots(meanwhile, [p.phone, { personId: guest.id, deviceId }], 3);
    deepStrictEqual(
      snapshots.map(({ inquiries, more }) => [inquiries.map(({ prompt }) => prompt), more]),
      [
        [[`You, ${p.phone.handle}?`], false],
        [['And 9?', 'And 8?', 'And 7?'], true],
      ],
    );
  });
}
