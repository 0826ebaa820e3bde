import { deepStrictEqual } from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Decider, DeciderRun, Proposal } from '#shared/policies/decider.ts';
import { must } from './hub/call.ts';
import type { Hub } from './hub/hub.ts';
import { startModel } from './hub/model.ts';
import { startNodes, type Engine } from './hub/nodes.ts';
import { openPage, type Page } from './hub/page.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

const HOLD_SECONDS = 5;
const WORDS = 'Blue.';

/** A hub whose source has a decider behind a scripted model. */
async function scene(t: TestContext, engine: Engine, count = 1) {
  const model = await startModel({ text: WORDS });
  t.after(() => model.close());
  const started = await startNodes(engine, count);
  t.after(() => started.remove());
  const [hub] = started.nodes;
  const owner = await ownerDevice(hub);
  const { key, source } = await addSource(hub, owner, 'Atlas');
  const decider = await must<Decider>(hub, 'POST /v1/deciders', {
    token: owner.token,
    body: {
      kind: 'chat',
      name: 'Helper',
      url: model.url,
      model: 'm',
      instructions: 'Be brief.',
      holdSeconds: HOLD_SECONDS,
    },
  });
  await must(hub, `PATCH /v1/sources/${source.id}`, {
    token: owner.token,
    body: { decider: { id: decider.id, suggests: false, actions: false, agentMayAsk: false } },
  });
  return { hub, other: started.nodes[1] ?? hub, owner, key, model, decider };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** An inquiry that was handed to the decider. */
async function handed({ hub, owner, key }: Scene): Promise<string> {
  const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: { prompt: 'Which colour?' } });
  await must(hub, `POST /v1/inquiries/${id}/decider`, { token: owner.token, body: {} });
  return id;
}

/** What is shown of it once its answer is held. */
function heldOn(page: Page, inquiryId: string): Promise<Proposal> {
  return until('the hold', () => {
    const shown = page.of('proposal').filter((one) => one.inquiryId === inquiryId);
    return shown.at(-1)?.proposal?.decidesAt === undefined ? undefined : shown.at(-1)?.proposal;
  });
}

async function endOf(hub: Hub, { owner, key }: Scene, id: string) {
  const read = () => must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: key });
  const { resolution, late } = await until('the end', async () => {
    const inquiry = await read();
    return inquiry.resolution && { ...inquiry, resolution: inquiry.resolution };
  });
  const { items } = await must<{ items: DeciderRun[] }>(hub, `GET /v1/inquiries/${id}/runs`, { token: owner.token });
  const inbox = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: owner.token });
  const { outcome, text, by } = resolution;
  return { outcome, text, by, late, runs: items.map(({ why, answer }) => ({ why, answer })), open: inbox.items.length };
}

function decidedBy({ decider }: Scene) {
  return {
    outcome: 'answered',
    text: `${WORDS}\nDecided by “Helper” in the person’s place; it is not the person’s own decision.`,
    by: { kind: 'decider', label: 'Helper', deciderId: decider.id },
    late: undefined,
    runs: [{ why: 'asked', answer: { text: WORDS } }],
    open: 0,
  };
}

async function pastEnd({ decidesAt }: Proposal): Promise<void> {
  await until('the end of the hold', () => Date.now() > Date.parse(decidesAt ?? ''));
}

async function inboxOf(hub: Hub, { token }: Device): Promise<string[]> {
  return (await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token })).items.map(({ id }) => id);
}

describe('a hub that dies or freezes while a decider decides', { timeout: 280_000, concurrency: true }, () => {
  for (const engine of ['SQLite', 'Postgres'] as const) {
    test(`[POL8] [crash] kill -9 in the midst of a run on ${engine}: people are asked, and it is run again`, async (t) => {
      const s = await scene(t, engine);
      const answer = s.model.hold();
      const id = await handed(s);
      await until('the decider to be asked', () => s.model.asked.length === 1);
      await s.hub.kill();
      await s.hub.start();
      deepStrictEqual(await inboxOf(s.hub, s.owner), [id]);
      answer();
      deepStrictEqual([await endOf(s.hub, s, id), s.model.asked.length], [decidedBy(s), 2]);
    });

    test(`[POL9] [crash] kill -9 in the midst of a hold on ${engine}: it is carried out once, as the decider's`, async (t) => {
      const s = await scene(t, engine);
      const page = await openPage(s.hub, s.owner);
      const id = await handed(s);
      const held = await heldOn(page, id);
      page.close();
      await s.hub.kill();
      await pastEnd(held);
      await s.hub.start();
      deepStrictEqual([await endOf(s.hub, s, id), s.model.asked.length], [decidedBy(s), 1]);
    });
  }

  test('[POL9] a hub that is frozen across the end of a hold carries it out when it thaws', async (t) => {
    const s = await scene(t, 'SQLite');
    const page = await openPage(s.hub, s.owner);
    const id = await handed(s);
    const held = await heldOn(page, id);
    await s.hub.signal('SIGSTOP');
    await pastEnd(held);
    await s.hub.signal('SIGCONT');
    page.close();
    deepStrictEqual([await endOf(s.hub, s, id), s.model.asked.length], [decidedBy(s), 1]);
  });

  test('[POL9] what a person said to a frozen hub within the hold counts, though it thaws after it', async (t) => {
    const s = await scene(t, 'SQLite');
    const page = await openPage(s.hub, s.owner);
    const id = await handed(s);
    const held = await heldOn(page, id);
    await s.hub.signal('SIGSTOP');
    const said = page.send<{ won: boolean }>('answer', { inquiryId: id, text: 'Green.' });
    await pastEnd(held);
    await s.hub.signal('SIGCONT');
    const { won } = await said;
    page.close();
    const { id: device, name } = s.owner;
    deepStrictEqual(
      [won, await endOf(s.hub, s, id)],
      [
        true,
        {
          ...decidedBy(s),
          text: 'Green.',
          by: { kind: 'person', handle: 'owner', device: { id: device, name }, via: 'live' },
        },
      ],
    );
  });

  test('[POL9] a hold that began on a node that dies is carried out on another, and can be stopped there', async (t) => {
    const s = await scene(t, 'Postgres', 2);
    const page = await openPage(s.other, s.owner);
    const [first, second] = [await handed(s), await handed(s)];
    const held = await heldOn(page, first);
    const stopped = await heldOn(page, second);
    await must(s.other, `POST /v1/proposals/${stopped.id}/stop`, { token: s.owner.token, body: {} });
    await s.hub.kill();
    await pastEnd(held);
    const { open, ...carriedOut } = decidedBy(s);
    const { open: left, ...ended } = await endOf(s.other, s, first);
    deepStrictEqual([ended, left, await inboxOf(s.other, s.owner)], [carriedOut, open + 1, [second]]);
    page.close();
  });
});
