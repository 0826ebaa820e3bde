import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import type { EnrolmentLink } from '#shared/schemas/enrolments.ts';
import { call, must, type Reply } from '../hub/call.ts';
import { type Hub, startHub } from '../hub/hub.ts';
import { addDevices, addPerson, addSource, ownerDevice, type Device } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { openSession } from '../mcp/wire.ts';

/** Well under the 15 s after which a wait reads again by itself. */
const AT_ONCE_MS = 8_000;

describe('what was revoked is out at once', { timeout: 120_000 }, () => {
  let hub: Hub;
  let owner: Device;

  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
  });
  after(() => hub?.remove());

  const lostDevice = async (): Promise<Device> => (await addDevices(hub, owner, 1))[0] as Device;
  const revokeDevice = ({ id }: Device) => must(hub, `DELETE /v1/devices/${id}`, { token: owner.token });
  const revokeSource = ({ source }: NewSourceReply) =>
    must(hub, `DELETE /v1/sources/${source.id}`, { token: owner.token });
  const read = (id: string) => must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: owner.token });
  const opened = async (prompt: string): Promise<Inquiry> =>
    until(`"${prompt}"`, async () =>
      (await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: owner.token })).items.find(
        (inquiry) => inquiry.prompt === prompt,
      ),
    );

  test('[RES5] every link that a revoked device made lets nobody in', async () => {
    const lost = await lostDevice();
    const links = [
      await must<EnrolmentLink>(hub, 'POST /v1/enrolments', { token: lost.token }),
      await must<EnrolmentLink>(hub, `POST /v1/people/${owner.personId}/link`, { token: lost.token }),
      await must<EnrolmentLink>(hub, 'POST /v1/people', { token: lost.token, body: { handle: 'mallory' } }),
    ];
    await revokeDevice(lost);
    const replies = await Promise.all(
      links.map(({ link }) =>
        call(hub, 'POST /v1/enrolments/redeem', { body: { secret: new URL(link).hash.slice(1) } }),
      ),
    );
    deepStrictEqual(
      replies.map(codeOf),
      links.map(() => [410, 'enrolment.expired']),
    );
  });

  test('[SEC1] a poll of a revoked source hears nothing, and what it asked is withdrawn', async () => {
    const asker = await addSource(hub, owner, 'Asker');
    const body = { questions: [{ id: 'pin', type: 'text', secret: true, prompt: 'PIN?' }] };
    const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: asker.key, body });
    const polls = [
      call(hub, `GET /v1/inquiries/${id}?wait=60`, { token: asker.key }),
      call(hub, 'POST /v1/inquiries?wait=60', { token: asker.key, body: { prompt: 'Blocking?' } }),
    ];
    const blocking = await opened('Blocking?');
    const began = performance.now();
    await revokeSource(asker);
    deepStrictEqual((await Promise.all(polls)).map(codeOf), [
      [401, 'credential.unknown'],
      [401, 'credential.unknown'],
    ]);
    deepStrictEqual(performance.now() - began < AT_ONCE_MS, true);
    for (const inquiryId of [id, blocking.id]) {
      const { resolution } = await until('it to be withdrawn', async () => {
        const inquiry = await read(inquiryId);
        return inquiry.resolution && inquiry;
      });
      deepStrictEqual([resolution?.outcome, resolution?.message], ['withdrawn', 'its source was revoked']);
    }
  });

  test('[SEC1] a waiting tool call of a revoked source gets no answer', async () => {
    const asker = await addSource(hub, owner, 'Agent');
    const session = await openSession(`${hub.url}/mcp`, asker.key);
    const calling = await session.call(`${hub.url}/mcp`, 'send_inquiry', { prompt: 'Over MCP?' });
    const { id } = await opened('Over MCP?');
    await revokeSource(asker);
    await call(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { text: 'private' } });
    await calling.done;
    const said = JSON.stringify(calling.messages);
    deepStrictEqual([said.includes('private'), said.includes('not known here')], [false, true], said);
  });

  test('[SEC1] a poll of a revoked device hears nothing', async () => {
    const lost = await lostDevice();
    const asker = await addSource(hub, owner, 'Asks on');
    const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: asker.key, body: { prompt: 'Private?' } });
    const poll = call(hub, `GET /v1/inquiries/${id}?wait=60`, { token: lost.token });
    // Once this poll is answered, the other has been taken too.
    await call(hub, `GET /v1/inquiries/${id}?wait=0.5`, { token: lost.token });
    const began = performance.now();
    await revokeDevice(lost);
    deepStrictEqual(codeOf(await poll), [401, 'credential.revoked']);
    deepStrictEqual(performance.now() - began < AT_ONCE_MS, true);
    deepStrictEqual((await read(id)).resolution, undefined);
  });

  test('what only a removed person was asked is withdrawn, and what others are asked too stays', async () => {
    const bob = await addPerson(hub, owner, 'bob');
    const asker = await addSource(hub, owner, 'Asks both', { mayAsk: ['bob', 'owner'] });
    const ask = (to: string[]) =>
      must<Inquiry>(hub, 'POST /v1/inquiries', { token: asker.key, body: { to, prompt: 'Ship?' } });
    const asked = [await ask(['bob']), await ask(['bob', 'owner'])];
    const poll = call<Inquiry>(hub, `GET /v1/inquiries/${asked[0]?.id}?wait=60`, { token: asker.key });
    await must(hub, `DELETE /v1/people/${bob.personId}`, { token: owner.token });
    const { resolution } = (await poll).body;
    deepStrictEqual([resolution?.outcome, resolution?.message], ['withdrawn', 'the only person it asked was removed']);
    const read = async ({ id }: Inquiry) => must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: asker.key });
    deepStrictEqual(
      (await Promise.all(asked.map(read))).map((inquiry) => inquiry.resolution?.outcome),
      ['withdrawn', undefined],
    );
  });
});

function codeOf({ status, body }: Reply<unknown>): [number, unknown] {
  return [status, (body as { code?: unknown }).code];
}
