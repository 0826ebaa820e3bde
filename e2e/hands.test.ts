import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AnswerReply } from '#shared/answer.ts';
import type { HandReply } from '#shared/hands.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { call, must, type Reply } from './hub/call.ts';
import { startNodes, type Nodes } from './hub/nodes.ts';
import { openPage, type Page } from './hub/page.ts';
import { addPerson, addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

describe('several people who approve, on two nodes', { timeout: 120_000 }, () => {
  let hub: Nodes;
  let owner: Device;
  let anna: Device;
  let key: string;
  let page: Page;
  const decisions = [{ type: 'approve' }];
  const last = () => hub.nodes.at(-1)!;

  before(async () => {
    hub = await startNodes('Postgres', 2);
    owner = await ownerDevice(hub.nodes[0]);
    anna = await addPerson(hub.nodes[0], owner, 'anna');
    ({ key } = await addSource(hub.nodes[0], owner, 'Train', { mayAsk: [owner.handle, 'anna'] }));
    page = await openPage(hub.nodes[0], owner);
  });
  after(async () => {
    page?.close();
    await hub?.remove();
  });

  const action = { name: 'drop', args: { rows: 3 }, allowed: ['approve', 'edit', 'reject'] };
  const body = { actions: [action], approvals: { count: 2 }, deadline: 600 };
  const asked = () => ({ ...body, to: [owner.handle, 'anna'] });
  const says = (by: Device, { id, digest }: Inquiry, more: object = {}, node = last()) =>
    call<HandReply & AnswerReply & Problem>(node, `POST /v1/inquiries/${id}/answer`, {
      token: by.token,
      body: { digest, decisions, ...more },
    });
  const takesBack = (by: Device, { id }: Inquiry) =>
    call(last(), `DELETE /v1/inquiries/${id}/approval`, { token: by.token });
  const names = (inquiry?: Pick<Inquiry, 'approved'>) => inquiry?.approved?.map(({ by }) => by.handle);

  test('[APR4] [door] the first yes is told at once on the other node and hands nothing to the call that waits; the second does, with a receipt of both', async () => {
    const waiting = must<Inquiry>(hub.nodes[0], 'POST /v1/inquiries?wait=60', { token: key, body: asked() });
    const shown = await until('the owner to be asked', () => page.of('inquiry').at(-1)?.inquiry);
    const first = await says(anna, shown);
    deepStrictEqual([first.status, first.body.won, names(first.body.inquiry)], [202, false, ['anna']]);
    await until('the owner to see it', () => names(page.of('inquiry').at(-1)?.inquiry)?.length === 1);
    const edit = { decisions: [{ type: 'edit', args: { rows: 1 } }] };
    deepStrictEqual(
      [
        (await takesBack(owner, shown)).status,
        (await takesBack(anna, shown)).status,
        (await says(anna, shown, edit)).status,
        (await says(owner, shown)).body.code,
      ],
      [404, 204, 202, 'answer.edited'],
    );
    const { standing } = await must<Inquiry>(last(), `GET /v1/inquiries/${shown.id}`, { token: owner.token });
    const won = await page.send<AnswerReply>('answer', {
      inquiryId: shown.id,
      digest: shown.digest,
      decisions: standing,
    });
    const { resolution, approved, standing: none } = await waiting;
    deepStrictEqual(
      [won.won, names({ approved }), resolution?.answer, none, (await takesBack(anna, shown)).status],
      [true, ['anna', owner.handle], edit, undefined, 409],
    );
    const { receipt } = await must<{ receipt: string }>(last(), `GET /v1/inquiries/${shown.id}/receipt`, {
      token: key,
    });
    const claims = JSON.parse(Buffer.from(receipt.split('.')[1]!, 'base64url').toString()) as Record<string, object[]>;
    const at = (one: number) => Math.floor(Date.parse(approved?.[one]?.at ?? '') / 1000);
    deepStrictEqual(
      [claims['sub'], claims['approved_by']],
      [
        `person:${owner.handle}`,
        [
          { sub: 'person:anna', at: at(0), amr: ['user'] },
          { sub: `person:${owner.handle}`, at: at(1), amr: ['user'] },
        ],
      ],
    );
  });

  test('[APR4] [door] [race] both at once on two nodes, and one of them taken back at that moment: one resolution or none', async () => {
    for (let round = 0; round < 6; round += 1) {
      const inquiry = await must<Inquiry>(hub.nodes[0], 'POST /v1/inquiries', { token: key, body: asked() });
      if (round % 2 === 1) await says(anna, inquiry);
      const [one, other] = await Promise.all([
        says(owner, inquiry, {}, hub.nodes[0]),
        round % 2 === 1 ? takesBack(anna, inquiry) : says(anna, inquiry),
      ] as [Promise<Reply<AnswerReply>>, Promise<Reply<unknown>>]);
      const { state, approved } = await must<Inquiry>(last(), `GET /v1/inquiries/${inquiry.id}`, { token: key });
      const seen = [state, approved?.length, [one.status, other.status].toSorted((a, b) => a - b).join()];
      const wanted =
        round % 2 === 0
          ? ['answered', 2, '200,202']
          : other.status === 204
            ? ['open', 1, '202,204']
            : ['answered', 2, '200,409'];
      deepStrictEqual(seen, wanted);
    }
  });
});
