import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { call, must } from './hub/call.ts';
import { startNodes, type Engine, type Nodes } from './hub/nodes.ts';
import { openPage, type Page } from './hub/page.ts';
import { addPerson, addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

escalation('SQLite', 1);
escalation('Postgres', 2);

function escalation(engine: Engine, count: number): void {
  describe(`when nobody answers, on ${engine} with ${count} node${count > 1 ? 's' : ''}`, { timeout: 120_000 }, () => {
    let hub: Nodes;
    let owner: Device;
    let key: string;
    let pages: Record<'owner' | 'anna' | 'mara', Page>;

    before(async () => {
      hub = await startNodes(engine, count);
      const [first] = hub.nodes;
      owner = await ownerDevice(first);
      const [anna, mara] = [await addPerson(first, owner, 'anna'), await addPerson(first, owner, 'mara')];
      const members = { handle: 'ops', members: ['anna'] };
      await must(first, 'POST /v1/groups', { token: owner.token, body: members });
      ({ key } = await addSource(first, owner, 'Train', { mayAsk: [owner.handle, 'ops'] }));
      const last = hub.nodes.at(-1) ?? first;
      pages = {
        owner: await openPage(first, owner),
        anna: await openPage(last, anna),
        mara: await openPage(last, mara),
      };
    });
    after(async () => {
      for (const page of Object.values(pages ?? {})) page.close();
      await hub?.remove();
    });

    const seenBy = (page: Page, id: string) => page.of('inquiry').filter(({ inquiry }) => inquiry.id === id);

    test('[APR5] [door] its devices show it from then on, everybody else sees who was asked when, once, and the first answer wins', async () => {
      const body = { prompt: 'Ship it?', deadline: 600, escalate: [{ after: 1, to: ['ops'] }] };
      const { id } = await must<Inquiry>(hub.nodes[0], 'POST /v1/inquiries', { token: key, body });
      const [shown] = await until('anna to be asked', () => {
        const events = seenBy(pages.anna, id);
        return events.length > 0 && events;
      });
      await until('the owner to see it', () => seenBy(pages.owner, id).length === 2);
      const { escalated = [], to, openedAt, revision } = shown?.inquiry ?? ({} as Inquiry);
      const at = escalated[0]?.at ?? '';
      deepStrictEqual(
        [to, escalated, revision, Date.parse(at) - Date.parse(openedAt) >= 1_000],
        [[owner.handle, 'ops'], [{ at, to: ['ops'], people: ['anna'] }], 2, true],
      );
      deepStrictEqual(seenBy(pages.owner, id).at(-1)?.inquiry.escalated, escalated);
      const { won } = await pages.anna.send<{ won: boolean }>('answer', { inquiryId: id, text: 'Yes' });
      await until('the owner to be told', () => pages.owner.of('withdraw').some(({ inquiryId }) => inquiryId === id));
      const read = await must<Inquiry>(hub.nodes.at(-1)!, `GET /v1/inquiries/${id}`, { token: key });
      deepStrictEqual(
        [won, read.escalated, read.resolution?.text, seenBy(pages.anna, id).length, seenBy(pages.mara, id).length],
        [true, [{ at, to: ['ops'] }], 'Yes', 1, 0],
      );
    });

    test('[APR5] [door] what cannot be had is refused with its place and what to do, and nobody hears of it', async () => {
      const refused = async (...escalate: object[]) => {
        const body = { prompt: 'Ship it?', deadline: 600, escalate };
        const { status, body: problem } = await call<Problem>(hub.nodes[0], 'POST /v1/inquiries', { token: key, body });
        return [status, ...(problem.faults ?? []).map(({ path, code }) => `${path} ${code}`)];
      };
      const many = [1, 2, 3, 4, 5, 6].map((after) => ({ after, to: ['ops'] }));
      const before = pages.anna.of('inquiry').length;
      deepStrictEqual(
        [
          await refused({ after: 600, to: ['ops'] }),
          await refused({ after: 20, to: [owner.handle] }),
          await refused({ after: 20, to: ['ops', 'mara', 'nobody'] }),
          await refused({ after: 0, to: ['ops'] }, { after: 5, to: [] }),
          await refused(...many),
        ],
        [
          [422, '/escalate/0/after ask.escalate_after'],
          [422, '/escalate/0/to ask.escalate_nobody_new'],
          [422, '/escalate/0/to/1 handle.unknown', '/escalate/0/to/2 handle.unknown'],
          [422, '/escalate/0/after field.too_small', '/escalate/1/to field.too_small'],
          [422, '/escalate field.too_big'],
        ],
      );
      deepStrictEqual(pages.anna.of('inquiry').length, before);
    });
  });
}
