import { deepStrictEqual, match } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HEARTBEAT_MS } from '#shared/live.ts';
import { call, must } from '../hub/call.ts';
import { environment, runHub } from '../hub/hub.ts';
import { openPage } from '../hub/page.ts';
import { addDevices, addPerson, type Device } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { openScene, type Scene } from './scene.ts';

type Requests = { items: { enrolmentId: string; address: string }[] };

describe('two nodes, behind one proxy', { timeout: 120_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene('Postgres', 2, { TRUST_PROXY: '1' });
  });
  after(() => scene?.remove());

  // One device that asks again replaces its own request, so each is another device.
  let devices = 0;
  const request = (at: Scene['hub'], { handle }: Device, headers: Record<string, string>) =>
    call(at, 'POST /v1/enrolments', { body: { handle, deviceName: `Stranger ${(devices += 1)}` }, headers });
  const requested = async ({ token }: Device) =>
    (await must<Requests>(scene.other, 'GET /v1/enrolments', { token })).items.map(({ address }) => address);
  const fiveFrom = (address: string) => Array.from({ length: 5 }, () => address);

  test('sixty access requests at once let five through', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        request(at % 2 === 0 ? scene.hub : scene.other, scene.owner, { 'x-forwarded-for': '198.51.100.7' }),
      ),
    );
    deepStrictEqual(await requested(scene.owner), fiveFrom('198.51.100.7'));
  });

  test('only the entry that the trusted proxy added counts, whatever stands before it', async () => {
    const alice = await addPerson(scene.hub, scene.owner, 'alice');
    for (let times = 0; times < 10; times++)
      await request(scene.hub, alice, { 'x-forwarded-for': `1.1.1.${times}, 2.2.2.${times}, 198.51.100.8` });
    deepStrictEqual(await requested(alice), fiveFrom('198.51.100.8'));
  });

  test('[SEC1] a revoked device hears nothing more, with Redis down and asked on its own node', async () => {
    const [stolen] = await addDevices(scene.hub, scene.owner, 1);
    const page = await openPage(scene.other, stolen!);
    await scene.redis?.kill();
    await must(scene.hub, `DELETE /v1/devices/${stolen!.id}`, { token: scene.owner.token });
    await until('it to be cut, before a heartbeat notices', () => !page.socket.connected, HEARTBEAT_MS);
    const heard = page.of('inquiry').length;
    const kept = await openPage(scene.other, scene.owner);
    for (let times = 0; times < 10; times++) await scene.ask({ prompt: 'Private?' }, scene.source, scene.other);
    await until('the owner to hear all', () => kept.of('inquiry').length === 10);
    deepStrictEqual(page.of('inquiry').length - heard, 0);
    kept.close();
    page.close();
    await scene.redis?.start();
  });
});

test('TRUST_PROXY=true is refused with what to write instead', { timeout: 30_000 }, async (t) => {
  const hub = runHub(environment({ PORT: '0', TRUST_PROXY: 'true' }));
  t.after(() => hub.end('SIGKILL'));
  const { code, err } = await hub.ended;
  deepStrictEqual(code, 1);
  match(err, /TRUST_PROXY/);
  match(err, /\b1\b/);
});
