import { deepStrictEqual, rejects } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AnswerBody } from '#shared/answer.ts';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import type { YoloState } from '#shared/policies/yolo.ts';
import { putPolicies } from '../rules/change.ts';
import { readYoloStates } from '../yolo/store.ts';
import { createSourceForEverybody } from '../../sources/create.ts';
import { changeSource } from '../../sources/change.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { ask } from '../../inquiries/ask.ts';
import { askForYolo } from '../yolo/asked.ts';
import { startYolo, stopYolo } from '../yolo/yolo.ts';
import type { Place } from '../../inquiries/testing/place.ts';

const CALL = { actions: [{ name: 'Bash', args: {}, allowed: ['approve', 'reject'] }] } as Ask;
const APPROVE = { decisions: [{ type: 'approve' }] } as const;
const edit = (minutes: number) => ({ decisions: [{ type: 'edit', args: { minutes } }] });

/** A source that asks for YOLO; the same on every engine. */
export function yoloAskedContract(place: (t: TestContext) => Promise<Place>): void {
  async function open(t: TestContext, mayAskYolo = true) {
    const p = await place(t);
    const told: YoloState[] = [];
    p.inquiries.announce = {
      ...p.inquiries.announce,
      yolo: (_personId, { version: _version, ...state }) => void told.push(state),
    };
    await changeSource(p.database, p.sourceId, { mayAskYolo });
    const { deviceId, deviceName, personId, handle } = p.phone;
    const phone = { id: deviceId, person: { id: personId } };
    const yolos = { database: p.database, announce: () => undefined, wakePushes: () => undefined };
    const running = async () => (await readYoloStates(p.database.read, [personId])).get(personId)?.running;
    const answer = ({ id, digest }: Inquiry, body: object) =>
      answerInquiry(p.inquiries, p.phone, id, { ...body, digest } as AnswerBody);
    const becomes = async (sourceId = p.sourceId) =>
      (await ask(p.inquiries, { sourceId, ask: CALL, waitMs: 0 })).inquiry?.resolution?.outcome ?? 'asked';
    const asking = (minutes: number) => askForYolo(p.inquiries, p.sourceId, { minutes, reason: 'Forty small edits.' });
    return {
      p,
      told,
      phone,
      yolos,
      running,
      answer,
      becomes,
      asking,
      started: { id: deviceId, name: deviceName },
      handle,
    };
  }

  test('[POL10] a source asks for YOLO in the hub’s words, and an approval starts it for its calls alone, on the device that answers', async (t) => {
    const { p, told, running, answer, becomes, asking, started, handle } = await open(t);
    const inquiry = await asking(30);
    const { title, to, actions, rules, yolo, resolution } = inquiry;
    deepStrictEqual(
      [title, to, rules, yolo, resolution, actions?.map(({ argsSchema: _schema, ...action }) => action)],
      [
        'Release train asks for YOLO for 30 minutes',
        [handle],
        'none',
        true,
        undefined,
        [
          {
            name: 'yolo',
            args: { minutes: 30 },
            description: 'Forty small edits.',
            allowed: ['approve', 'edit', 'reject'],
            caution: true,
          },
        ],
      ],
    );
    deepStrictEqual(await becomes(), 'asked');
    await rejects(answer(inquiry, edit(31)), { code: 'answer.does_not_fit' });
    await answer(inquiry, edit(10));
    const yolo1 = await running();
    const minutes = yolo1 && (Date.parse(yolo1.untilAt) - Date.parse(yolo1.startedAt)) / 60_000;
    deepStrictEqual(
      [yolo1?.calls, yolo1?.questions, yolo1?.sources, yolo1?.startedOn, minutes, told],
      ['approve', undefined, [p.sourceId], started, 10, [{ running: yolo1 }]],
    );
    const { source } = await createSourceForEverybody(p.database, p.phone.personId, 'Another');
    deepStrictEqual([await becomes(), await becomes(source.id)], ['answered', 'asked']);
    p.pass(10 * 60_000 + 1);
    deepStrictEqual(await becomes(), 'asked');
  });

  test('[POL10] no rule, no YOLO and no rejection starts it, and without the owner’s leave it cannot be asked for', async (t) => {
    const { p, running, answer, asking, phone, yolos } = await open(t);
    const rules = [{ name: 'all', when: { tool: '*' }, then: 'approve' as const }];
    await putPolicies(p.database, { of: 'hub', personId: p.phone.personId }, { version: 0, rules }, p.phone.deviceId);
    const { id } = await startYolo(yolos, phone, { calls: 'approve', until: 600 });
    const inquiry = await asking(30);
    deepStrictEqual(inquiry.resolution, undefined);
    await rejects(answer(inquiry, APPROVE), { code: 'yolo.running' });
    await stopYolo(yolos, phone, id);
    await answer(inquiry, { decisions: [{ type: 'reject' }] });
    deepStrictEqual(await running(), undefined);

    const lost = await asking(5);
    await answerInquiry(p.inquiries, p.laptop, lost.id, { outcome: 'declined' });
    deepStrictEqual([(await answer(lost, APPROVE)).won, await running()], [false, undefined]);

    const late = await asking(30);
    await changeSource(p.database, p.sourceId, { mayAskYolo: false });
    await rejects(answer(late, APPROVE), { code: 'yolo.not_allowed' });
    await rejects(asking(30), { code: 'yolo.not_allowed' });
    deepStrictEqual(await running(), undefined);
  });

  test('[POL10] what a source words itself as a call named "yolo" starts nothing', async (t) => {
    const { p, running, answer } = await open(t);
    const own = { actions: [{ name: 'yolo', args: { minutes: 30 }, allowed: ['approve'], caution: true }] } as Ask;
    const { inquiry } = await ask(p.inquiries, { sourceId: p.sourceId, ask: own, waitMs: 0 });
    await answer(inquiry!, APPROVE);
    deepStrictEqual([inquiry?.yolo, await running()], [undefined, undefined]);
  });
}
