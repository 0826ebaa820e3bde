import { deepStrictEqual } from 'node:assert/strict';
import type { Inquiry } from '#shared/inquiry.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import { startUpstream, type Upstream } from '../gate/upstream.ts';
import { call, must } from '../hub/call.ts';
import type { Chance } from '../hub/chance.ts';
import { startEndpoint } from '../hub/endpoint.ts';
import { decisionOf, type History, newHistory, unlikeOneRegister } from '../hub/history.ts';
import type { Hub } from '../hub/hub.ts';
import { type Nodes, startNodes } from '../hub/nodes.ts';
import { openPage, type Page } from '../hub/page.ts';
import { addDevices, addSource, ownerDevice, type Device } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { type Load, runApprovals, runGate, runLoad, runRevoke } from './load.ts';

/** A claim of a try that was lost lasts 30 s; then come further tries. */
const OWED_MS = 120_000;
const CLOSED_MS = 20_000;

const NOTHING = { lost: [], twice: [], stolen: [], letIn: [], unlike: [] };

/** Nodes on one Postgres with sources, devices with pages, an endpoint for webhooks and a gate. */
export type Scene = {
  nodes: Nodes;
  history: History;
  devices: Device[];
  source: NewSourceReply;
  pages: Page[];
  upstream: Upstream;
  chance: Chance;
  /** Asks, answers, withdraws, reads and calls tools while `meanwhile` does its work. */
  under<T>(meanwhile: () => Promise<T>): Promise<T>;
  /** Fails where something that was acknowledged is lost, decided twice, unread, still shown or owed; says how much there was. */
  isWhole(): Promise<Figures>;
  remove(): Promise<void>;
};

/** How often each was acknowledged: `ran` by the tool itself, `replied` to who called it. */
type Figures = Record<'asked' | 'answered' | 'ran' | 'replied' | 'webhooks', number>;

/** Where something is reached from outside of its machine. */
type Via = (name: string, url: string) => Promise<string>;

export async function openScene(
  settings: Parameters<typeof startNodes>[2],
  chance: Chance,
  count = 2,
  via: Via = async (_, url) => url,
): Promise<Scene> {
  await using cleaning = new AsyncDisposableStack();
  const history = newHistory();
  const hooks = new Map<string, string | undefined>();
  const endpoint = cleaning.adopt(
    await startEndpoint(({ body }) => {
      const { data } = JSON.parse(body) as { data: Inquiry };
      const decided = decisionOf(data.resolution);
      hooks.set(data.id, decided);
      history.told.push({ id: data.id, by: 'webhook', from: 0, to: performance.now(), decided });
      return 204;
    }),
    ({ close }) => close(),
  );
  const upstream = cleaning.adopt(await startUpstream(), ({ close }) => close());
  const nodes = cleaning.adopt(await startNodes('Postgres', count, settings), ({ remove }) => remove());
  const [first] = nodes.nodes;
  const owner = await ownerDevice(first);
  const devices = [owner, ...(await addDevices(first, owner, 3))];
  const source = await addSource(first, owner, 'Asker', {
    webhookUrl: await via('webhooks', endpoint.url),
  });
  const gate = { upstream: { url: await via('the tools', upstream.url) }, otherwise: 'annotations' };
  await must(first, 'PUT /v1/gates/notes', { token: owner.token, body: gate });
  const doors: { url: string }[] = [];
  for (const [at, { url }] of nodes.nodes.entries()) doors.push({ url: await via(`the door of node ${at + 1}`, url) });
  const pages: Page[] = [];
  for (const [at, device] of devices.entries()) {
    const page = await openLastingPage(doors[at % count] ?? first, device);
    cleaning.defer(() => page.close());
    syncWhereMissing(page);
    pages.push(page);
  }
  const gates = { wrote: new Set<string>(), approved: new Set<string>() };
  const guests: Guest[] = [];
  const scene = { nodes, history, devices, source, pages, upstream, chance };
  const kept = cleaning.move();
  return {
    ...scene,
    async under(meanwhile) {
      let going = true;
      const load: Load = { ...scene, nodes: doors, going: () => going };
      const run = Date.now();
      const lanes = [0, 1, 2, 3].map((lane) => runLoad(load, `${run} ${lane}`));
      const tools = runGate(load, 'notes', `${run}`).then((wrote) => wrote.forEach((path) => gates.wrote.add(path)));
      const yes = runApprovals(load).then((approved) => approved.forEach((path) => gates.approved.add(path)));
      const [device] = (await addDevices(first, owner, 1)) as [Device];
      const page = await openLastingPage(chance.of(doors), device);
      kept.defer(() => page.close());
      const revoke = runRevoke(load, device).then((letIn) => letIn && guests.push({ page, letIn }));
      try {
        return await meanwhile();
      } finally {
        going = false;
        await Promise.all([...lanes, tools, yes, revoke]);
      }
    },
    isWhole: () => isWhole({ ...scene, hooks, gates, guests }),
    remove: () => kept.disposeAsync(),
  };
}

type Whole = Omit<Scene, 'under' | 'isWhole' | 'remove'> & {
  hooks: Map<string, string | undefined>;
  gates: { wrote: Set<string>; approved: Set<string> };
  guests: Guest[];
};

/** The page of a device that was revoked, and each call of it that was let in all the same. */
type Guest = { page: Page; letIn: string[] };

async function isWhole({ nodes, history, source, pages, upstream, hooks, gates, guests }: Whole): Promise<Figures> {
  const began = performance.now();
  const found = new Map<string, Inquiry>();
  const lost: string[] = [];
  const read = async (node: Hub, id: string): Promise<void> => {
    const from = performance.now();
    const { status, body } = await until('a reply', async () => {
      const reply = await call<Inquiry>(node, `GET /v1/inquiries/${id}`, { token: source.key }).catch(() => undefined);
      return reply?.status !== 503 && reply;
    });
    if (status !== 200) lost.push(`${id}: ${status}`);
    found.set(id, body);
    history.told.push({ id, by: 'the end', from, to: performance.now(), decided: decisionOf(body.resolution) });
  };
  for (const node of nodes.nodes) {
    const ids = history.asked.values();
    const line = async (): Promise<void> => {
      for (const id of ids) await read(node, id);
    };
    await Promise.all(Array.from({ length: 32 }, line));
  }
  await until(
    'no page to show what is settled',
    () => pages.every((page) => shown(page).every((id) => !found.get(id)?.resolution)),
    CLOSED_MS,
  );
  console.log(`the last page showed what is settled for at most ${Math.round(performance.now() - began)} ms more`);
  await until('the pages of revoked devices to be closed', () => guests.every(({ page }) => !page.socket.connected));
  const letIn = guests.flatMap((guest) => guest.letIn);
  const stolen = [...history.won].filter(([id, text]) => {
    const answer = found.get(id)?.resolution?.answer;
    return !(answer && 'text' in answer && answer.text === text);
  });
  const prompts = new Map(pages.flatMap(seen).map(({ id, prompt, actions }) => [id, actions ? id : prompt]));
  const twice = [...Map.groupBy(prompts.values(), (prompt) => prompt)].filter(([, asked]) => asked.length > 1);
  deepStrictEqual({ lost, twice, stolen, letIn, unlike: unlikeOneRegister(history) }, NOTHING);
  deepStrictEqual([history.asked.size > 0, history.won.size > 0], [true, true]);
  const paths = upstream.ran.map(({ args }) => (args as { path: string }).path);
  deepStrictEqual(
    {
      twice: paths.filter((path, at) => paths.indexOf(path) !== at),
      unasked: paths.filter((path) => !gates.approved.has(path)),
      pretended: [...gates.wrote].filter((path) => !paths.includes(path)),
    },
    { twice: [], unasked: [], pretended: [] },
  );
  const decided = [...found.values()].filter(({ resolution }) => resolution);
  await until(`all ${decided.length} webhooks`, () => decided.every(({ id }) => hooks.has(id)), OWED_MS);
  deepStrictEqual(
    decided.filter(({ id, resolution }) => hooks.get(id) !== decisionOf(resolution)),
    [],
  );
  const { asked, won } = history;
  const replied = gates.wrote.size;
  return { asked: asked.size, answered: won.size, ran: paths.length, replied, webhooks: hooks.size };
}

/** Comes back as a page does, also where the hub ended the line or could not look at its device: the client itself does not. */
async function openLastingPage(door: { url: string }, device: Device): Promise<Page> {
  const page = await openPage(door, device, { reconnection: true });
  const { socket } = page;
  let closed = false;
  const again = (): void => {
    if (!socket.active) setTimeout(() => !closed && socket.connect(), 500).unref();
  };
  socket.on('connect_error', again);
  socket.on('disconnect', (reason) => reason === 'io server disconnect' && again());
  return {
    ...page,
    close() {
      closed = true;
      page.close();
    },
  };
}

/** Reads anew where a heartbeat is ahead or a version is missing for 300 ms, as a page does. */
function syncWhereMissing({ socket, of }: Page): void {
  let from = of('snapshot').at(-1)?.version ?? 0;
  let newest = from;
  let seen = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  socket.onAny((name: string, { version }: { version?: number } = {}) => {
    if (version === undefined) return;
    newest = Math.max(newest, version);
    if (name === 'snapshot') {
      from = version;
      seen = new Set([...seen].filter((one) => one > version));
    } else if (name !== 'heartbeat') seen.add(version);
    while (seen.delete(from + 1)) from++;
    if (newest <= from) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      if (newest > from) socket.emit('sync', {}, () => {});
    }, 300).unref();
  });
}

/** Every inquiry that a page has shown. */
const seen = ({ of }: Page): Inquiry[] => [
  ...of('snapshot').flatMap(({ inquiries }) => inquiries),
  ...of('inquiry').map(({ inquiry }) => inquiry),
];

/** What stands on a page that draws what it hears: the last snapshot, what came after, less what was taken back. */
export function shown(page: Page): string[] {
  const gone = new Set(page.of('withdraw').map(({ inquiryId }) => inquiryId));
  const snapshot = page.of('snapshot').at(-1);
  const later = page.of('inquiry').filter(({ version }) => version > (snapshot?.version ?? 0));
  return [...(snapshot?.inquiries ?? []), ...later.map(({ inquiry }) => inquiry)]
    .map(({ id }) => id)
    .filter((id) => !gone.has(id));
}
