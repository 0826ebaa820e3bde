import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import type { NewSourceReply, Person } from '#shared/wire.ts';
import { ASKS, BODIES } from './fuzz/bodies.ts';
import { fuzzCall, readRoutes, type Pools, type Route } from './fuzz/calls.ts';
import { fuzzEvent, writeFrame } from './fuzz/events.ts';
import { complaint, complaintOf } from './fuzz/judge.ts';
import { send } from './fuzz/send.ts';
import { all, must } from './hub/call.ts';
import { casesOf, chanceOf, seedsOf, type Chance } from './hub/chance.ts';
import type { Hub } from './hub/hub.ts';
import { startNodes, type Engine, type Nodes } from './hub/nodes.ts';
import { openPage, type Page } from './hub/page.ts';
import { addDevices, addPerson, addSource, ownerDevice, type Device } from './hub/people.ts';

const CALLS_OF_EACH_ROUTE = casesOf(10, 100);
const EVENTS = casesOf(150, 3_000);
/** Below the burst that one line is allowed. */
const EVENTS_OF_A_LINE = 150;

describe('whatever is sent, the hub stands and explains itself', { concurrency: true }, () => {
  for (const engine of ['SQLite', 'Postgres'] as const) {
    describe(`on ${engine}`, { concurrency: 1 }, () => {
      for (const seed of seedsOf(`fuzz on ${engine}`)) fuzz(engine, seed);
    });
  }
});

function fuzz(engine: Engine, seed: number): void {
  describe(`on ${engine}, seed ${seed}`, { timeout: 240_000, concurrency: 1 }, () => {
    const chance = chanceOf(seed);
    let nodes: Nodes;
    let hub: Hub;
    let owner: Device;
    let devices: Device[];
    let sources: NewSourceReply[];
    let routes: Route[];
    let pools: Pools;
    let listener: Page;
    const opened = new Set<string>();
    const answered = new Set<string>();

    before(async () => {
      nodes = await startNodes(engine);
      [hub] = nodes.nodes;
      owner = await ownerDevice(hub);
      const other = await addPerson(hub, owner, 'constructor');
      devices = [owner, ...(await addDevices(hub, owner, 1)), other];
      sources = [
        await addSource(hub, owner, 'Asker'),
        await addSource(hub, owner, 'Other', { mayAsk: ['owner', 'constructor'] }),
      ];
      listener = await openPage(hub, owner);
      for (const ask of ASKS) for (const { key } of sources) await open(key, ask);
      await open(sources[1]?.key ?? '', { prompt: 'Not for the owner', to: ['constructor'] });
      routes = await readRoutes(hub);
      pools = {
        tokens: { source: sources.map(({ key }) => key), device: devices.map(({ token }) => token) },
        ids: [
          ...opened,
          owner.id,
          owner.personId,
          other.id,
          other.personId,
          ...sources.map(({ source }) => source.id),
          'inq_01hzzzzzzzzzzzzzzzzzzzzzzz',
        ],
      };
    });
    after(async () => {
      listener?.close();
      await nodes?.remove();
    });

    async function open(key: string, body: object): Promise<void> {
      opened.add((await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body })).id);
    }

    test('every call that takes a body has one here', () => {
      const withBody = routes.filter(({ takesBody }) => takesBody).map(({ name }) => name);
      deepStrictEqual(withBody.toSorted(compare), Object.keys(BODIES).toSorted(compare));
    });

    test('[ASK3] [RES3] no call makes it fail, and each refusal is a problem that names its faults', async () => {
      const complaints: string[] = [];
      for (const route of routes) {
        for (let times = 0; times < CALLS_OF_EACH_ROUTE; times++) {
          const sent = fuzzCall(route, pools, chance);
          const got = await send(hub, sent);
          if (!got) continue;
          const wrong = complaint(got, { headless: sent.method === 'HEAD' });
          if (wrong)
            complaints.push(
              `${sent.method} ${sent.path.slice(0, 100)} ${JSON.stringify(sent.headers).slice(0, 300)} ${sent.body?.toString().slice(0, 300)}: ${wrong}`,
            );
          if (got.status >= 400 || sent.method === 'HEAD') continue;
          if (route.name === 'POST /v1/inquiries' && sent.method === 'POST')
            opened.add((JSON.parse(got.text) as Inquiry).id);
          if (got.status === 202 && route.path.startsWith('/v1/ask/'))
            for (const id of (JSON.parse(got.text) as { inquiries: string[] }).inquiries) opened.add(id);
          if (route.path.endsWith('/answer') && sent.method === 'POST') answered.add(sent.path.split('/')[3] ?? '');
        }
      }
      deepStrictEqual(complaints, []);
    });

    test('[ASK3] [RES3] no live event makes it fail, and each one is acknowledged', async () => {
      const complaints: string[] = [];
      for (let times = 0; times < EVENTS; times += EVENTS_OF_A_LINE) complaints.push(...(await fuzzLine(chance)));
      deepStrictEqual(complaints, []);
    });

    async function fuzzLine(chanceOfLine: Chance): Promise<string[]> {
      const page = await openPage(hub, chanceOfLine.of(devices));
      const complaints: string[] = [];
      for (let times = 0; times < EVENTS_OF_A_LINE; times++) {
        const { name, reply, inquiryId: answeredId } = await fuzzEvent(page, pools.ids, chanceOfLine);
        const { problem, won } = (reply ?? {}) as { problem?: Problem; won?: boolean };
        const wrong = problem && (problem.status >= 500 ? `failed: ${JSON.stringify(problem)}` : complaintOf(problem));
        if (wrong) complaints.push(`${name}: ${wrong}`);
        if (won && answeredId !== undefined) answered.add(answeredId);
      }
      for (let times = 0; times < 3 && page.socket.connected; times++) writeFrame(page, chanceOfLine);
      page.close();
      return complaints;
    }

    test('[ASK3] nothing but what was acknowledged is stored, and nobody was told of anything else', async () => {
      const stored = (await Promise.all(sources.map(({ key }) => all<Inquiry>(hub, '/v1/inquiries', key)))).flat();
      deepStrictEqual(stored.map(({ id }) => id).toSorted(compare), [...opened].toSorted(compare));
      const unasked = stored.filter(({ id, resolution }) => resolution?.by.kind === 'person' && !answered.has(id));
      deepStrictEqual(unasked, []);
      const heard = new Set(listener.of('inquiry').map(({ inquiry }) => inquiry.id));
      deepStrictEqual(
        [...heard].filter((id) => !opened.has(id)),
        [],
      );
    });

    test('the hub that was started still runs and has logged no failure', async () => {
      const me = await must<{ person: Person }>(hub, 'GET /v1/people/me', { token: owner.token });
      deepStrictEqual(
        [
          me.person.id,
          hub
            .log()
            .split('\n')
            .filter((line) => /"level":(50|60)|unhandled error/.test(line)),
        ],
        [owner.personId, []],
      );
    });
  });
}

const compare = (a: string, b: string): number => (a < b ? -1 : 1);
