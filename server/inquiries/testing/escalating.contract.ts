import { deepStrictEqual, rejects } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { newId } from '#shared/ids.ts';
import type { Ask } from '#shared/inquiry.ts';
import type { AppError } from '#shared/problem.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { putPolicies } from '../../automation/rules/change.ts';
import { addDevice } from '../../devices/admit.ts';
import { writeLive } from '../../devices/presence.ts';
import { changeGroup, createGroup } from '../../people/groups.ts';
import { removePerson } from '../../people/remove.ts';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { changeSource } from '../../sources/change.ts';
import { createSource } from '../../sources/create.ts';
import { answerInquiry } from '../answer.ts';
import type { Answerer } from '../answerer.ts';
import { ask } from '../ask.ts';
import { escalate } from '../escalate.ts';
import { sweep } from '../expire.ts';
import { extendInquiry } from '../extend.ts';
import { readForSource, readSnapshot, readVersions } from '../read.ts';
import { waitForResolution } from '../hold.ts';
import { withdrawAskedOf } from '../withdraw.ts';
import { anotherNode, type Place } from './place.ts';

const MINUTE = 60_000;
const ASK: Ask = { prompt: 'Ship it?', deadline: 3_600, escalate: [{ after: 600, to: ['anna'] }] };

/** Whom an inquiry is asked of too while nobody answers; the same on every engine. */
export function escalatingContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(async (t) => {
    const p = await open(t);
    // As soon as it is moved the clock is the test's own.
    p.pass(1);
    return { ...p, anna: await addPerson(p, 'anna'), jonas: await addPerson(p, 'jonas') };
  });

  test('[APR5] [LIV1] at its instant, and not before, it is asked of them too: of their devices, and everybody sees who was asked when', async (p) => {
    const id = await p.ask({ ...ASK, escalate: [{ after: 600, to: ['anna', p.phone.handle, 'anna'] }] });
    p.pass(10 * MINUTE - 5_000);
    await sweep(p.inquiries);
    deepStrictEqual(await shown(p, id), { owner: [[p.phone.handle], undefined, 1] });
    await rejects(answerInquiry(p.inquiries, p.anna, id, { text: 'Yes' }), { code: 'inquiry.unknown' });
    const before = await versions(p);
    p.news.length = 0;
    p.pass(5_000);
    await sweep(p.inquiries);
    const at = (await p.read(id)).escalated?.[0]?.at ?? '';
    const late = Date.parse(at) - Date.parse((await p.read(id)).openedAt) - 10 * MINUTE;
    deepStrictEqual([late >= 0, late < 5_000], [true, true]);
    const to = [p.phone.handle, 'anna'];
    const seen = [to, [{ at, to: ['anna'], people: ['anna'] }], 2];
    deepStrictEqual(await shown(p, id), { owner: seen, anna: seen });
    const after = await versions(p);
    deepStrictEqual(
      [p.news, after],
      [
        [{ event: 'inquiry', inquiryId: id, versions: raisedFrom(before, [p.phone, p.anna]) }],
        new Map([...before].map(([one, version]) => [one, one === p.jonas.personId ? version : version + 1])),
      ],
    );
    deepStrictEqual(await pushes(p, id), { anna: 'ask' });
    const { to: named, escalated, reach } = await p.read(id);
    deepStrictEqual([named, escalated, reach.told], [to, [{ at, to: ['anna'] }], 2]);
    deepStrictEqual((await answerInquiry(p.inquiries, p.anna, id, { text: 'Yes' })).won, true);
    deepStrictEqual((await answerInquiry(p.inquiries, p.phone, id, { text: 'No' })).won, false);
    deepStrictEqual(
      p.news.at(-1)?.versions.map(({ personId }) => personId),
      [p.phone.personId, p.anna.personId].toSorted(),
    );
  });

  test('[APR5] each step asks those who are new, in its turn; rounds in which no node ran are caught up before the deadline', async (p) => {
    await createGroup(p.database, { handle: 'ops', members: ['anna', 'jonas'] });
    const steps = [
      { after: 60, to: ['anna'] },
      { after: 120, to: ['anna', 'ops'] },
    ];
    const [each, late, never] = [
      await p.ask({ ...ASK, escalate: steps }),
      await p.ask({ ...ASK, escalate: steps }),
      await p.ask({ ...ASK, deadline: 121, latest: 121, escalate: steps }),
    ];
    const asked = async (id: string) => (await p.read(id)).escalated?.map(({ to }) => to.join());
    p.pass(MINUTE);
    await escalate(p.inquiries, each);
    deepStrictEqual(await asked(each), ['anna']);
    p.pass(2 * MINUTE);
    await escalate(p.inquiries, never);
    for (let round = 0; round < 3; round += 1) await sweep(p.inquiries);
    deepStrictEqual(
      [await asked(each), await asked(late), await asked(never), (await p.resolution(never))?.outcome],
      [['anna', 'ops'], ['anna', 'ops'], undefined, 'expired'],
    );
  });

  test('[APR5] what is resolved asks nobody, an extension moves no step, and an expiry says who was asked', async (p) => {
    const answered = await p.ask(ASK);
    const extended = await p.ask({ ...ASK, latest: 86_400 });
    const suggested = await p.ask({
      ...ASK,
      suggested: { text: 'Ship' },
      onExpire: 'suggested',
      context: { language: 'zh' },
    });
    await p.answer(answered, { text: 'Yes' });
    await extendInquiry(p.inquiries, p.phone, extended, 3_600);
    p.pass(10 * MINUTE);
    // As a node does that found it due before it was answered.
    await escalate(p.inquiries, answered);
    await sweep(p.inquiries);
    const at = async (id: string) => (await p.read(id)).escalated?.map((one) => one.at).join();
    deepStrictEqual([await at(answered), typeof (await at(extended))], [undefined, 'string']);
    p.pass(110 * MINUTE);
    await sweep(p.inquiries);
    deepStrictEqual(
      [(await p.resolution(extended))?.text, (await p.resolution(suggested))?.text],
      [
        `Nobody answered in time. Nobody decided: this is neither a yes nor a no. Do not ask the same again now.\nAsked: owner; anna too at ${await at(extended)}.`,
        `没有人在时限内答复。以下只是提问方自己的建议，不是人的决定：\n询问过：owner；${await at(suggested)} 也问了 anna。\nShip`,
      ],
    );
  });

  test('[APR5] an ask whose steps cannot be taken is refused with each place and what to do, and a default leaves them out', async (p) => {
    const sourceId = await allowed(p, ['owner', 'anna']);
    const wrong: Ask['escalate'] = [
      { after: 300, to: ['anna', 'jonas'] },
      { after: 300, to: ['owner'] },
      { after: 200, to: ['anna'] },
      { after: 3_600, to: ['anna'] },
      { after: 400, to: ['owner'] },
    ];
    const faults = [
      ['/escalate/0/to/1', 'handle.unknown'],
      ['/escalate/1/to', 'ask.escalate_nobody_new'],
      ['/escalate/3/after', 'ask.escalate_after'],
      ['/escalate/4/to', 'ask.escalate_nobody_new'],
    ];
    const use = (escalate: Ask['escalate'], own = sourceId) =>
      ask(p.inquiries, { sourceId: own, ask: { ...ASK, escalate }, waitMs: 0 });
    const refused = (expected: string[][]) => (error: AppError) => {
      deepStrictEqual(
        error.faults?.map(({ path, code }) => [path, code]),
        expected,
      );
      return true;
    };
    await rejects(use(wrong), refused(faults));
    await rejects(
      use(
        [
          { after: 20, to: ['anna'] },
          { after: 20, to: ['jonas'] },
        ],
        p.sourceId,
      ),
      refused([['/escalate/1/after', 'ask.escalate_after']]),
    );
    await rejects(changeSource(p.database, sourceId, { escalate: [{ after: 9, to: ['jonas'] }] }), {
      code: 'request.invalid',
    });
    await changeSource(p.database, sourceId, {
      escalate: [
        { after: 60, to: ['owner'] },
        { after: 120, to: ['anna'] },
      ],
    });
    const usual = async (asked: Ask, yolo?: true) => {
      const { inquiryId } = await ask(p.inquiries, { sourceId, ask: asked, waitMs: 0, ...(yolo ? { yolo } : {}) });
      return (await readForSource(p.inquiries, inquiryId, sourceId)).escalate;
    };
    const { escalate: _own, ...plain } = ASK;
    deepStrictEqual(
      [
        await usual(plain),
        await usual({ ...plain, escalate: [] }),
        await usual({ ...plain, to: ['anna'] }),
        await usual({ ...plain, deadline: 100 }),
        await usual(plain, true),
      ],
      [[{ after: 120, to: ['anna'] }], [], [{ after: 60, to: ['owner'] }], undefined, undefined],
    );
  });

  test('[APR5] whoever is gone or may not be asked any more is left out, and a group stands for its members of that instant', async (p) => {
    const ops = await createGroup(p.database, { handle: 'ops', members: ['anna'] });
    const sourceId = await allowed(p, ['owner', 'ops', 'jonas']);
    const asked = async (...to: string[]) =>
      (await ask(p.inquiries, { sourceId, ask: { ...ASK, escalate: [{ after: 60, to }] }, waitMs: 0 })).inquiryId;
    const [group, gone, nobody] = [await asked('ops'), await asked('ops', 'jonas'), await asked('jonas')];
    await addPerson(p, 'mara');
    await changeGroup(p.database, ops.id, { members: ['anna', 'mara'] });
    await removePerson(p.database, p.jonas.personId, withdrawAskedOf(p.inquiries));
    p.news.length = 0;
    p.pass(MINUTE);
    await sweep(p.inquiries);
    const who = async (id: string) => {
      const rows = p.database.read.selectFrom('recipients').innerJoin('people', 'id', 'person_id').select('handle');
      const handles = await rows.where('inquiry_id', '=', id).execute();
      return [
        handles.map(({ handle }) => handle).toSorted(),
        (await readForSource(p.inquiries, id, sourceId)).escalated?.map(({ to }) => to),
      ];
    };
    deepStrictEqual(
      [await who(group), await who(gone), await who(nobody), p.news.map(({ inquiryId }) => inquiryId === nobody)],
      [
        [['anna', 'mara', 'owner'], [['ops']]],
        [['anna', 'mara', 'owner'], [['ops']]],
        [['owner'], undefined],
        [false, false],
      ],
    );
    const barred = await asked('ops');
    await p.database.transaction((trx) =>
      trx
        .updateTable('sources')
        .set({ may_ask: JSON.stringify([p.phone.personId]) })
        .where('id', '=', sourceId)
        .execute(),
    );
    p.pass(MINUTE);
    await sweep(p.inquiries);
    deepStrictEqual(await who(barred), [['owner'], undefined]);
  });

  test('[APR5] [DLV2] [DLV3] the warning counts anew for those who are added, from when it rings for them, and names nobody who was reached before', async (p) => {
    const callback = { url: 'https://agent.test/hook' };
    const warned = async () => {
      const rows = p.database.read.selectFrom('deliveries').select('type').where('type', '=', 'inquiry.unreachable');
      return (await rows.execute()).length;
    };
    const found: number[] = [];
    const passing = async (ms: number) => {
      p.pass(ms);
      await sweep(p.inquiries);
      found.push(await warned());
    };
    const id = await p.ask({ ...ASK, callback });
    await accepted(p, id, p.phone);
    await passing(10 * MINUTE);
    await passing(MINUTE - 5_000);
    await passing(5_000);
    // Nobody is told of it at that instant: jonas has no device that takes pushes.
    await p.ask({ ...ASK, callback, escalate: [{ after: 60, to: ['jonas'] }] });
    await passing(MINUTE);
    await passing(10 * MINUTE);
    deepStrictEqual(found, [0, 0, 1, 2, 2]);
  });

  test('[APR5] what a rule asks quietly stays quiet for those who are added', async (p) => {
    const rules: Rule[] = [{ name: 'Quiet', when: { kind: 'text' }, then: 'ask-quietly' }];
    await putPolicies(p.database, { of: 'hub' } as never, { version: 0, rules }, p.phone.deviceId);
    const id = await p.ask(ASK);
    p.pass(10 * MINUTE);
    await sweep(p.inquiries);
    const row = p.database.read.selectFrom('inquiries').select('reach_due_at').where('id', '=', id);
    const { reach_due_at } = await row.executeTakeFirstOrThrow();
    deepStrictEqual(
      [(await readSnapshot(p.inquiries, p.anna)).inquiries.map((one) => one.id), await pushes(p, id), reach_due_at],
      [[id], {}, null],
    );
  });

  test('[APR5] a call that waits is handed who was asked meanwhile with its answer', async (p) => {
    const { inquiryId, inquiry } = await ask(p.inquiries, { sourceId: p.sourceId, ask: ASK, waitMs: 3_600_000 });
    const signal = new AbortController().signal;
    const read = () => p.read(inquiryId);
    const wait = { inquiryId, read, first: inquiry, callerId: p.sourceId, by: 'asker', ms: 60_000, signal } as const;
    const waiting = waitForResolution(p.inquiries, wait);
    await p.inquiries.database.transaction((trx) =>
      trx.updateTable('inquiries').set({ lease_until: null }).where('id', '=', inquiryId).execute(),
    );
    p.pass(10 * MINUTE);
    await sweep(p.inquiries);
    await answerInquiry(p.inquiries, p.anna, inquiryId, { text: 'Yes' });
    const { to, escalated, resolution } = (await waiting).inquiry;
    deepStrictEqual([to, escalated?.length, resolution?.outcome], [['owner', 'anna'], 1, 'answered']);
  });

  test('[race] [APR5] [RES1] two nodes that sweep at once ask once, and an answer at the same moment leaves nothing that rings', async (p) => {
    const nodes = [p.inquiries, anotherNode(p)];
    const [answered, left]: [string[], string[]] = [[], []];
    for (let count = 0; count < 20; count += 1) {
      answered.push(await p.ask(ASK));
      left.push(await p.ask(ASK));
    }
    p.pass(10 * MINUTE);
    p.news.length = 0;
    await Promise.all([
      ...answered.flatMap((id, at) => {
        const asks = () => escalate(nodes[at % 3 === 0 ? 0 : 1]!, id);
        const answers = () => answerInquiry(nodes[0]!, p.phone, id, { text: 'Yes' });
        return at % 2 === 0 ? [asks(), answers(), asks()] : [answers(), asks(), asks()];
      }),
      ...nodes.map((node) => sweep(node)),
    ]);
    for (const node of nodes) await sweep(node);
    const told = (id: string) =>
      p.news.filter(({ event, inquiryId }) => event === 'inquiry' && inquiryId === id).length;
    const open = (await readSnapshot(p.inquiries, p.anna)).inquiries.map(({ id }) => id);
    deepStrictEqual(
      [left.map(told), open.toSorted(), answered.filter((id) => told(id) > 1)],
      [left.map(() => 1), left.toSorted(), []],
    );
    // Nothing was sent, so nothing is to be withdrawn.
    for (const id of answered)
      deepStrictEqual(
        Object.values(await pushes(p, id)).filter((wanted) => wanted !== 'nothing'),
        [],
      );
  });
}

type Scene = Place & { anna: Answerer; jonas: Answerer };

/** Somebody with a phone that takes pushes; jonas's takes none. */
async function addPerson({ database }: Place, handle: string): Promise<Answerer> {
  const row = { id: newId('per', database.clock.now()), handle, name: handle, created_at: 0, locale: null };
  await database.transaction((trx) => trx.insertInto('people').values(row).execute());
  const { deviceId } = await addDevice(database, row.id, 'Phone');
  await writeLive(database, new Map());
  const endpoint = `https://fcm.googleapis.com/fcm/send/${deviceId}`;
  const keys = { p256dh: '', auth: '', vapid_public_key: '' };
  const subscription = { device_id: deviceId, endpoint, ...keys, created_at: 0 };
  if (handle !== 'jonas')
    await database.transaction((trx) => trx.insertInto('subscriptions').values(subscription).execute());
  return { deviceId, deviceName: 'Phone', personId: row.id, handle, via: 'live' };
}

async function allowed({ database, phone }: Place, mayAsk: string[]): Promise<string> {
  return (await createSource(database, phone.personId, { name: 'Careful', mayAsk })).source.id;
}

function versions({ database, phone, anna, jonas }: Scene): Promise<Map<string, number>> {
  return readVersions(database.read, [phone.personId, anna.personId, jonas.personId]);
}

function raisedFrom(before: Map<string, number>, people: Answerer[]) {
  return people
    .map(({ personId }) => ({ personId, version: (before.get(personId) ?? 0) + 1 }))
    .toSorted((a, b) => (a.personId < b.personId ? -1 : 1));
}

/** How this inquiry reads on the devices of those who are asked. */
async function shown({ inquiries, phone, anna, jonas }: Scene, id: string) {
  const views: Record<string, unknown> = {};
  for (const [name, who] of Object.entries({ owner: phone, anna, jonas })) {
    const one = (await readSnapshot(inquiries, who)).inquiries.find((inquiry) => inquiry.id === id);
    if (one) views[name] = [one.to, one.escalated, one.revision];
  }
  return views;
}

/** What is wanted of it on the devices that take pushes, by their people. */
async function pushes({ database }: Place, id: string): Promise<Record<string, string>> {
  const rows = database.read.selectFrom('pushes').innerJoin('devices', 'devices.id', 'device_id');
  const named = rows.innerJoin('people', 'people.id', 'devices.person_id').select(['handle', 'wanted']);
  const found = await named.where('subject_id', '=', id).execute();
  return Object.fromEntries(found.map(({ handle, wanted }) => [handle, wanted]));
}

async function accepted({ database }: Place, id: string, { deviceId }: Answerer): Promise<void> {
  await database.transaction((trx) =>
    trx
      .updateTable('inquiry_devices')
      .set({ accepted_at: database.clock.now() })
      .where('inquiry_id', '=', id)
      .where('device_id', '=', deviceId)
      .execute(),
  );
}
