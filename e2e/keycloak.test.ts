import { deepStrictEqual, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { all, must } from './hub/call.ts';
import { type Hub, startHub } from './hub/hub.ts';
import { ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';
import { openOp, type Op } from './keycloak/op.ts';

describe('a real OpenID provider whose authentication channel is the hub', { timeout: 120_000 }, () => {
  let op: Op;
  let hub: Hub;
  let phone: Device;

  before(async () => {
    op = await openOp();
    hub = await startHub({ KEYCLOAK_ISSUERS: op.issuer });
    op.useHub(hub.url);
    phone = await ownerDevice(hub);
    const tied = await hub.cli('person', 'tie', 'owner', op.issuer, 'anna');
    deepStrictEqual(tied.out, `Sign-ins of anna at ${op.issuer} are asked of owner.\n`);
  });
  after(async () => {
    await hub?.remove();
    await op?.close();
  });

  const asked = () => until('the question', async () => (await all<Inquiry>(hub, '/v1/inbox', phone.token)).at(0));
  const decide = ({ id, digest }: Inquiry, type: 'approve' | 'reject') =>
    must(hub, `POST /v1/inquiries/${id}/answer`, {
      token: phone.token,
      body: { decisions: [{ type, optionId: type === 'approve' ? 'yes' : 'no' }], digest },
    });

  test('[CIB1] [CIB2] [crash] from what a client asks over a hub that is killed meanwhile to its tokens', async () => {
    const { tokens } = await op.begin();
    await hub.kill();
    await hub.start();
    const inquiry = await asked();
    deepStrictEqual(inquiry.prompt?.includes('# `W4SCT`'), true);
    const polling = tokens();
    await decide(inquiry, 'approve');
    deepStrictEqual((await polling).claims()?.sub, 'anna');
    deepStrictEqual(op.callbacks.splice(0), ['SUCCEED']);
    const [{ state, attemptCount } = {} as WebhookDelivery] = await all<WebhookDelivery>(
      hub,
      '/v1/deliveries',
      phone.token,
    );
    deepStrictEqual([state, attemptCount], ['delivered', 1]);
  });

  test('[CIB1] a no on the phone is a no for the client', async () => {
    const { tokens } = await op.begin();
    const polling = rejects(tokens(), { error: 'access_denied' });
    await decide(await asked(), 'reject');
    await polling;
    deepStrictEqual(op.callbacks.splice(0), ['CANCELLED']);
  });

  test('[CIB1] a sign-in that nobody answers in time is a no for the client', async () => {
    const { tokens } = await op.begin({ requested_expiry: '4' });
    await rejects(tokens(), { error: 'access_denied' });
    deepStrictEqual(op.callbacks.splice(0), ['UNAUTHORIZED']);
  });
});
