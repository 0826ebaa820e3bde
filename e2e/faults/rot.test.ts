import { deepStrictEqual, match } from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { call, must, type Reply } from '../hub/call.ts';
import { chanceOf, faultCases, faultSeed } from '../hub/chance.ts';
import { startHub, type Hub } from '../hub/hub.ts';
import { addSource, ownerDevice, type Device } from '../hub/people.ts';

const CASES = faultCases(10, 400);
const SEED = faultSeed();
const ASKS = 30;
/** What a hub may say that does not start; each names what to do. */
const REFUSED =
  /^the hub did not start: (The database \S+ is damaged \(.*\): stop the hub, put the newest backup|The database was made by a newer version|The migration \S+ was edited|This database was sealed with another key|The sealing key \S+ is damaged: put back)[^\n]*\n?$/;
const DAMAGED = ['inquiry.damaged', 'database.damaged', 'inquiry.unknown', 'internal'];

describe(`a disk that rots, seed ${SEED}`, { timeout: 3_600_000 }, () => {
  const chance = chanceOf(SEED);
  const folder = mkdtempSync(join(tmpdir(), 'beckon-rot-'));
  let owner: Device;
  let key: string;
  const ids: string[] = [];
  let hub: Hub;
  before(async () => {
    hub = await startHub({ DATA_DIR: join(folder, 'whole') });
    owner = await ownerDevice(hub);
    ({ key } = await addSource(hub, owner, 'Asker'));
    for (let at = 0; at < ASKS; at++) ids.push(await askAndReject(hub, { key, owner, at }));
    await hub.stop();
  });
  after(async () => {
    await hub?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test(`[RES1] is refused with one sentence, or named; nothing rejected is ever approved (${CASES} cases)`, async () => {
    for (let number = 0; number < CASES; number++) {
      const dataDir = join(folder, `case-${number}`);
      cpSync(join(folder, 'whole'), dataDir, { recursive: true });
      const what = damage(dataDir, chance);
      const rotten = await startHub({ DATA_DIR: dataDir }).catch((error: Error) => {
        match(error.message.replaceAll(dataDir, 'DATA_DIR'), REFUSED, what);
      });
      if (!rotten) continue;
      const read = await Promise.all(ids.map((id) => call(rotten, `GET /v1/inquiries/${id}`, { token: key }))).catch(
        (error) => {
          throw new Error(`${what}: ${rotten.log()}`, { cause: error });
        },
      );
      deepStrictEqual(read.flatMap(unsound), [], what);
      await rotten.remove();
    }
  });

  test('[RES3] a call that is shown with another letter than was asked cannot be approved', async () => {
    const dataDir = join(folder, 'shown');
    const asking = await startHub({ DATA_DIR: dataDir });
    const device = await ownerDevice(asking);
    const source = await addSource(asking, device, 'Asker');
    const body = { actions: [{ name: 'shell', args: { command: 'ls ./Rotten' }, allowed: ['approve', 'reject'] }] };
    const { id, digest } = await must<Inquiry>(asking, 'POST /v1/inquiries', { token: source.key, body });
    await asking.stop();
    const file = join(dataDir, 'beckon.sqlite');
    const bytes = readFileSync(file);
    for (let at = bytes.indexOf('./Rotten'); at >= 0; at = bytes.indexOf('./Rotten', at + 1)) bytes[at + 2]! ^= 1;
    writeFileSync(file, bytes);
    await asking.start();
    const approval = { decisions: [{ type: 'approve' }], digest };
    const refused = await call<{ code: string }>(asking, `POST /v1/inquiries/${id}/answer`, {
      token: device.token,
      body: approval,
    });
    const checked = await asking.cli('check');
    const { state } = await must<Inquiry>(asking, `GET /v1/inquiries/${id}`, { token: source.key });
    await asking.remove();
    deepStrictEqual(
      [refused.status, refused.body.code, checked.code, checked.out, state],
      [500, 'inquiry.damaged', 3, `${id}: what was asked does not fit its digest\n`, 'open'],
    );
  });
});

async function askAndReject(hub: Hub, { key, owner, at }: { key: string; owner: Device; at: number }): Promise<string> {
  const secret = { questions: [{ id: 'pin', type: 'text', prompt: 'PIN?', secret: true }] };
  const action = { actions: [{ name: 'shell', args: { command: `rm ${at}` }, allowed: ['approve', 'reject'] }] };
  const body = at % 2 === 0 ? action : secret;
  const { id, digest } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body });
  const answer = at % 2 === 0 ? { decisions: [{ type: 'reject' }], digest } : { values: { pin: `pin ${at}` } };
  await must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: answer });
  return id;
}

/** Turns one bit, empties a sector or cuts the end off, of the database or the sealing key. */
function damage(dataDir: string, chance: ReturnType<typeof chanceOf>): string {
  const name = chance.number() < 0.1 ? 'sealing-key' : 'beckon.sqlite';
  const bytes = readFileSync(join(dataDir, name));
  const used = [...bytes.keys()].filter((at) => bytes[at] !== 0);
  const at = chance.of(used);
  const kind = chance.of(['a bit', 'a sector', 'the end']);
  if (kind === 'a bit') bytes[at]! ^= 1 << chance.below(8);
  if (kind === 'a sector') bytes.fill(0, at - (at % 512), Math.min(bytes.length, at - (at % 512) + 512));
  writeFileSync(join(dataDir, name), kind === 'the end' ? bytes.subarray(0, at) : bytes);
  return `${kind} of ${name} at ${at}`;
}

/** What no reading may say: a yes, or a refusal that does not name what is damaged. */
function unsound({ status, body }: Reply<unknown>): unknown[] {
  if (status >= 300) return DAMAGED.includes((body as { code: string }).code) ? [] : [body];
  const { resolution } = body as Inquiry;
  const yes = resolution?.answer?.decisions?.some(({ type }) => type === 'approve' || type === 'edit');
  return yes ? [body] : [];
}
