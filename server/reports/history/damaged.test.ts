import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { insertProposal, newProposal, readProposals } from '../../automation/deciders/proposals.ts';
import { commitWith } from '../../platform/steps.ts';
import { toQuestion } from '../../automation/deciders/question.ts';
import { reportYolo } from '../../automation/yolo/report.ts';
import { startYolo } from '../../automation/yolo/yolo.ts';
import { readDeliveryPage } from '../../deliveries/read.ts';
import { openPlace, type Place } from '../../inquiries/testing/place.ts';
import { inquiryById, type InquiryRow } from '../../inquiries/store.ts';
import { putPolicies, readPolicies } from '../../automation/rules/change.ts';
import { readYoloStates } from '../../automation/yolo/store.ts';
import { listNotices } from '../../notices/read.ts';
import { sendNotice } from '../../notices/send.ts';
import { listSources } from '../../sources/store.ts';
import { readContext } from './context.ts';
import { previewRules } from './preview.ts';

const CALL = {
  actions: [{ name: 'Bash', args: { command: 'ls' }, allowed: ['approve' as const, 'reject' as const] }],
  context: { runId: 'r1' },
};
const APPROVE = { decisions: [{ type: 'approve' as const }] };

const callerOf = ({ phone: { deviceId: id, personId, handle } }: Place) => ({
  kind: 'device' as const,
  id,
  name: 'Phone',
  person: { id: personId, handle, name: '', owner: true, locale: undefined },
});

for (const column of ['asked', 'transport', 'resolution'])
  test(`one question whose ${column} a disk has damaged is left out of what is told of others`, async (t) => {
    const { place: p, close } = await openPlace();
    t.after(close);
    await p.database.transaction((trx) => trx.updateTable('sources').set({ webhook_url: 'https://a.test/' }).execute());
    const yolos = { database: p.database, announce: () => undefined, wakePushes: () => undefined };
    const { id: yolo } = await startYolo(yolos, callerOf(p), { questions: 'you-decide', until: 600 });
    const person = { id: p.phone.personId, handle: p.phone.handle };
    const ids = [await p.ask(CALL), await p.ask(CALL), await p.ask(CALL)];
    for (const id of ids) await p.answer(id, { ...APPROVE, digest: (await p.read(id)).digest });
    const open = await p.ask(CALL);
    const [first = '', second = '', damaged = ''] = ids;
    await p.database.transaction((trx) =>
      trx
        .updateTable('inquiries')
        .set({ [column]: 'x' })
        .where('id', '=', damaged)
        .execute(),
    );
    const { run, last } = await readContext(p.database, open, person);
    // What is told of it needs no transport.
    const newest = column === 'transport' ? damaged : second;
    deepStrictEqual([run.map(({ id }) => id), last?.id], [[second, first], newest]);
    const rules = [{ name: 'Bash', when: { tool: 'Bash' }, then: 'approve' as const }];
    const { looked, waiting } = await previewRules(p.database.read, person, { of: 'me', rules });
    deepStrictEqual([looked, waiting.map(({ id }) => id)], [2, [open]]);
    const [[row]] = await p.database.rows(inquiryById(open));
    const { examples } = await toQuestion(p.database.read, row as InquiryRow);
    deepStrictEqual(examples.length, column === 'transport' ? 3 : 2);
    const report = await reportYolo(p.database.read, yolo, person);
    // The title of one whose answer alone is damaged is told.
    const told = column === 'transport' ? [open, damaged, second, first] : [open, second, first];
    deepStrictEqual(
      report.asked.map(({ id }) => id),
      told,
    );
    const { items } = await readDeliveryPage(p.database.read, { viewer: { ownerId: person.id }, limit: 10 });
    deepStrictEqual(items.length, 3);
  });

test('a proposal that a disk has damaged is left out, and no other one', async (t) => {
  const { place: p, close } = await openPlace();
  t.after(close);
  const ids = [await p.ask({ prompt: 'A?' }), await p.ask({ prompt: 'B?' })];
  const now = p.database.clock.now();
  const rows = ids.map((id) => newProposal(id, { decider: { id: 'dcd_1', name: 'D' }, why: 'asked', now }));
  await p.database.steps(() => commitWith({ rows: rows.map(insertProposal) }));
  await p.database.transaction((trx) =>
    trx.updateTable('proposals').set({ answer: 'x' }).where('inquiry_id', '=', ids[0]!).execute(),
  );
  const found = await readProposals(p.database.read, [p.phone.personId]);
  deepStrictEqual(
    [...found.values()].flat().map(({ inquiryId }) => inquiryId),
    [ids[1]],
  );
});

test('a damaged source, list of rules, YOLO or notice stops no page and decides nothing', async (t) => {
  const { place: p, close } = await openPlace();
  t.after(close);
  const yolos = { database: p.database, announce: () => undefined, wakePushes: () => undefined };
  const { id: yolo } = await startYolo(yolos, callerOf(p), { questions: 'you-decide', until: 600 });
  const notices = { database: p.database, announce: { toPerson() {} }, wakePushes: () => undefined };
  await sendNotice(notices, p.sourceId, { title: 'N', body: 'secret', urgency: 'high', privacy: 'full' });
  const rules = [{ name: 'Yes', when: {}, then: 'you-decide' as const }];
  const which = { of: 'person', personId: p.phone.personId } as const;
  await putPolicies(p.database, which, { version: 0, rules }, p.phone.deviceId);
  await p.database.transaction(async (trx) => {
    await trx.updateTable('yolos').set({ choices: 'x' }).execute();
    await trx.updateTable('notices').set({ content: 'x' }).execute();
    await trx.updateTable('policies').set({ rules: 'x' }).execute();
  });
  deepStrictEqual((await p.read(await p.ask({ prompt: 'Q?' }))).state, 'open');
  await p.database.transaction((trx) =>
    trx.updateTable('sources').set({ may_ask: 'x', texts: 'x', decider: 'x', escalate: 'x' }).execute(),
  );
  const { read } = p.database;
  deepStrictEqual((await readPolicies(p.database, which)).rules, [
    { name: 'A list that cannot be read', when: {}, then: 'ask' },
  ]);
  const { running } = (await readYoloStates(read, [p.phone.personId])).get(p.phone.personId) ?? {};
  deepStrictEqual([running?.id, running?.questions], [yolo, undefined]);
  const { items } = await listNotices(read, { personId: p.phone.personId, unread: true, limit: 10 });
  deepStrictEqual(
    items.map(({ title, body, privacy }) => ({ title, body, privacy })),
    [{ title: 'N', body: undefined, privacy: 'nothing' }],
  );
  deepStrictEqual(
    (await listSources(read, '', 10)).items.map(({ mayAsk }) => mayAsk),
    [[]],
  );
});
