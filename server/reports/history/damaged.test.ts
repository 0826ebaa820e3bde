import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { insertProposal, newProposal, readProposals } from '../../automation/deciders/proposals.ts';
import { commitWith } from '../../platform/steps.ts';
import { toQuestion } from '../../automation/deciders/question.ts';
import { reportYolo } from '../../automation/yolo/report.ts';
import { startYolo } from '../../automation/yolo/yolo.ts';
import { readDeliveryPage } from '../../deliveries/read.ts';
import { openPlace } from '../../inquiries/testing/place.ts';
import { inquiryById, type InquiryRow } from '../../inquiries/store.ts';
import { readContext } from './context.ts';
import { previewRules } from './preview.ts';

const CALL = {
  actions: [{ name: 'Bash', args: { command: 'ls' }, allowed: ['approve' as const, 'reject' as const] }],
  context: { runId: 'r1' },
};
const APPROVE = { decisions: [{ type: 'approve' as const }] };

for (const column of ['asked', 'transport', 'resolution'])
  test(`one question whose ${column} a disk has damaged is left out of what is told of others`, async (t) => {
    const { place: p, close } = await openPlace();
    t.after(close);
    await p.database.transaction((trx) => trx.updateTable('sources').set({ webhook_url: 'https://a.test/' }).execute());
    const caller = {
      kind: 'device' as const,
      id: p.phone.deviceId,
      name: 'Phone',
      person: { id: p.phone.personId, handle: p.phone.handle, name: '', owner: true, locale: undefined },
    };
    const yolos = { database: p.database, announce: () => undefined, wakePushes: () => undefined };
    const { id: yolo } = await startYolo(yolos, caller, { questions: 'you-decide', until: 600 });
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
