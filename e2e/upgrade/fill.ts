import { createECDH, createHash } from 'node:crypto';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Decider, Proposal } from '#shared/policies/decider.ts';
import type { Deliveries } from '#shared/schemas/deliveries.ts';
import type { SubscriptionState } from '#shared/push.ts';
import { ASKS } from '../fuzz/bodies.ts';
import { legacyCall, modernCall, modernHeaders, openSession, sendRaw } from '../gate/raw.ts';
import { startUpstream } from '../gate/upstream.ts';
import { call, must } from '../hub/call.ts';
import { startEndpoint } from '../hub/endpoint.ts';
import type { Hub } from '../hub/hub.ts';
import { startModel } from '../hub/model.ts';
import { openPage, type Page } from '../hub/page.ts';
import { addPerson, addSource, ownerDevice, type Device } from '../hub/people.ts';
import { until } from '../hub/until.ts';

/** The credentials with which a filled hub is read. */
export type Credentials = { owner: string; bob: string; asker: string; told: string };
type Outside = Awaited<ReturnType<typeof startOutside>>;
type Scene = { hub: Hub; outside: Outside; owner: Device; bob: Device; asker: string; askerId: string; page: Page };

const MONTH_SECONDS = 2_500_000;

/** Puts data of every kind into a new hub, through its wire. */
export async function fill(hub: Hub, outside: Outside): Promise<Credentials> {
  const owner = await ownerDevice(hub);
  const bob = await addPerson(hub, owner, 'bob');
  await must(hub, 'POST /v1/groups', {
    token: owner.token,
    body: { handle: 'team', name: 'The team', members: ['owner', 'bob'] },
  });
  const { key: asker, source } = await addSource(hub, owner, 'Asker', { mayAsk: ['owner', 'bob', 'team'] });
  const page = await openPage(hub, owner);
  const scene = { hub, outside, owner, bob, asker, askerId: source.id, page };
  await fillDevices(scene);
  await fillInquiries(scene);
  const told = await fillWebhooks(scene);
  await fillGates(scene);
  await fillConnections(scene);
  await fillDeciders(scene);
  await fillRules(scene);
  await fillAsks(scene);
  page.close();
  await settled(scene);
  return { owner: owner.token, bob: bob.token, asker, told };
}

/** Nothing is on its way any more, so that what is read after a start is what was stored. */
async function settled({ hub, owner, asker }: Scene): Promise<void> {
  await until('every push and withdraw', async () => {
    const { items } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inquiries?limit=100', { token: asker });
    const gone = items.find(({ prompt, resolution }) => prompt === 'Still?' && resolution);
    const pushes = await Promise.all(
      items.map(({ id }) => must<Deliveries>(hub, `GET /v1/inquiries/${id}/deliveries`, { token: owner.token })),
    );
    return gone && pushes.every(({ items: told }) => told.every(({ push }) => push?.state !== 'pending'));
  });
}

/** What a hub talks to: an endpoint that takes what it gets and one that fails, a push service, a model, an MCP server. */
export async function startOutside() {
  const endpoint = await startEndpoint(({ path }) => (path === '/fails' ? 500 : 201));
  const model = await startModel({ text: 'Blue.' });
  const upstream = await startUpstream();
  return {
    endpoint,
    model,
    upstream,
    async close() {
      await endpoint.close();
      model.close();
      await upstream.close();
    },
  };
}

async function fillDevices({ hub, outside, owner, bob }: Scene): Promise<void> {
  for (const { id, token } of [owner, bob]) {
    const { vapidPublicKey } = await must<SubscriptionState>(hub, 'GET /v1/devices/me/subscription', { token });
    const keys = {
      p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
      auth: createHash('sha256').update(id).digest().subarray(0, 16).toString('base64url'),
    };
    const endpoint = `${outside.endpoint.url}/push/${id}`;
    await must(hub, 'PUT /v1/devices/me/subscription', { token, body: { endpoint, keys, vapidPublicKey } });
  }
  const change = (token: string, body: object) => must(hub, 'PATCH /v1/people/me', { token, body });
  await change(owner.token, { name: 'Olga', locale: 'zh', privacy: 'title', preferences: { undoSeconds: 7 } });
  const quiet = { spans: [{ from: '22:00', to: '07:00', days: ['sun'] }], through: { high: true } };
  await change(bob.token, { preferences: { chosenTimeZone: 'Europe/Berlin', density: 'compact', quiet } });
  const revoked = await addPerson(hub, owner, 'gone');
  await must(hub, `DELETE /v1/devices/${revoked.id}`, { token: revoked.token });
  // One that asks to sign in, and a link that nobody has opened.
  await must(hub, 'POST /v1/enrolments', { body: { handle: 'bob', deviceName: 'New phone' } });
  await must(hub, 'POST /v1/enrolments', { token: owner.token, body: {} });
}

async function fillInquiries(scene: Scene): Promise<void> {
  const { hub, owner, asker, page } = scene;
  // Every kind: open, answered and declined.
  for (const kind of ASKS) {
    const body = { ...kind, callback: undefined };
    await askOf(scene, { ...body, deadline: MONTH_SECONDS, latest: MONTH_SECONDS, to: ['team'] });
    const declined = await askOf(scene, body);
    await answerOf(scene, declined, { outcome: 'declined', message: 'Not now.' });
  }
  const text = await askOf(scene, { prompt: 'Colour?', key: 'k-1', to: ['bob', 'owner'] });
  await answerOf(scene, text, { text: 'Green.' });
  await call(hub, `POST /v1/inquiries/${text.id}/answer`, { token: scene.bob.token, body: { text: 'Red.' } });
  const secret = { id: 'pin', type: 'text', prompt: 'The PIN?', secret: true };
  await answerOf(scene, await askOf(scene, { questions: [secret] }), { values: { pin: '1234' } });
  const actions = [{ name: 'pay', args: { euros: 3 }, allowed: ['approve', 'edit', 'reject', 'respond'] }];
  for (const decision of [
    { type: 'approve' },
    { type: 'edit', args: { euros: 2 } },
    { type: 'reject', message: 'Too much.' },
    { type: 'respond', message: 'Ask Bob.' },
  ])
    await answerOf(scene, await askOf(scene, { actions }), { decisions: [decision] });
  await answerOf(scene, await askOf(scene, { document: { markdown: '# Draft' } }), { markdown: '# Mine' });
  // Taken back, with an answer after that; expired; replaced.
  const taken = await askOf(scene, { prompt: 'Taken back?' });
  await must(hub, `POST /v1/inquiries/${taken.id}/withdraw`, { token: asker, body: { reason: 'Found it.' } });
  await call(hub, `POST /v1/inquiries/${taken.id}/answer`, {
    token: owner.token,
    body: { digest: taken.digest, text: 'Late.', late: true },
  });
  // A client that gives up on a question that stays open.
  const signal = AbortSignal.timeout(5_200);
  const gaveUp = call(hub, 'POST /v1/inquiries?wait=100', { token: asker, body: { prompt: 'Still?' }, signal });
  const short = await askOf(scene, {
    prompt: 'Quick?',
    deadline: 5,
    onExpire: 'suggested',
    suggested: { text: 'No.' },
  });
  const before = await askOf(scene, { prompt: 'Which?', deadline: MONTH_SECONDS });
  await askOf(scene, { prompt: 'Which one?', deadline: MONTH_SECONDS, supersedes: before.id, urgency: 'high' });
  // Half written, hidden, made longer.
  const written = await askOf(scene, { prompt: 'How?', deadline: 600_000, latest: MONTH_SECONDS });
  await page.send('shown', { inquiryId: written.id });
  await page.send('opened', { inquiryId: written.id });
  await page.send('draft', { inquiryId: written.id, answer: { text: 'Half a sent' } });
  await must(hub, `POST /v1/inquiries/${written.id}/extend`, { token: owner.token, body: { seconds: 60 } });
  await must(hub, `POST /v1/inquiries/${written.id}/dismiss`, { token: owner.token, body: {} });
  for (const title of ['Read', 'Not read'])
    await must(hub, 'POST /v1/notices', { token: asker, body: { title, body: 'All of it.', key: title } });
  const { items } = await must<{ items: { id: string }[] }>(hub, 'GET /v1/notices', { token: owner.token });
  await must(hub, `POST /v1/notices/${items.at(-1)?.id}/read`, { token: owner.token, body: {} });
  await gaveUp.catch(() => {});
  await until('the end of a deadline', async () => (await read(scene, short)).resolution);
}

async function fillWebhooks(scene: Scene): Promise<string> {
  const { hub, outside, owner } = scene;
  const told = await addSource(hub, owner, 'Told', { webhookUrl: `${outside.endpoint.url}/hook` });
  const texts = { locale: 'zh', texts: { declined: 'No.' } };
  await must(hub, `PATCH /v1/sources/${told.source.id}`, { token: owner.token, body: texts });
  const failing = await addSource(hub, owner, 'Failing', { webhookUrl: `${outside.endpoint.url}/fails` });
  for (const { key, source } of [told, failing]) {
    const asked = await askOf(scene, { prompt: `Tell ${source.name}?` }, key);
    await answerOf(scene, asked, { text: 'yes' });
    await until('an attempt', async () => {
      const { webhooks } = await must<Deliveries>(hub, `GET /v1/inquiries/${asked.id}/deliveries`, { token: key });
      return webhooks?.[0]?.attempts[0]?.status;
    });
  }
  await must(hub, `PATCH /v1/sources/${failing.source.id}`, { token: owner.token, body: { webhooksPaused: true } });
  const ended = await addSource(hub, owner, 'Ended');
  await must(hub, `DELETE /v1/sources/${ended.source.id}`, { token: owner.token });
  return told.key;
}

async function fillGates(scene: Scene): Promise<void> {
  const { hub, outside, owner, asker: key } = scene;
  const body = {
    upstream: { url: outside.upstream.url, headers: { authorization: 'Bearer sealed' } },
    rules: [{ tool: 'write_*', does: 'ask', caution: true }],
    otherwise: 'ask',
  };
  await must(hub, 'PUT /v1/gates/notes', { token: owner.token, body });
  const url = `${hub.url}/mcp/gate/notes`;
  const session = await openSession(url, key, '2025-11-25');
  // One call of each era that waits when the hub ends.
  void sendRaw(url, legacyCall('write_note', '{"path":"old"}'), { key, headers: session }).catch(() => {});
  void sendRaw(url, modernCall('write_note', '{"path":"new"}'), { key, headers: modernHeaders('write_note') }).catch(
    () => {},
  );
  await opened(scene, 'write_note', 2);
}

async function fillConnections({ hub, outside, owner }: Scene): Promise<void> {
  const connect = (body: object) =>
    must<NewConnectionReply>(hub, 'POST /v1/connections', { token: owner.token, body: { to: ['owner'], ...body } });
  const answerUrl = `${outside.endpoint.url}/answer`;
  const flow = await connect({ name: 'Flow', kind: 'inbound', answerUrl, answer: { text: '{response}' } });
  const asked = await fetch(flow.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'Posted?', deadline: MONTH_SECONDS }),
  });
  if (!asked.ok) throw new Error(`the connection refused with ${asked.status}: ${await asked.text()}`);
  const baseUrl = outside.model.url;
  await connect({ name: 'Chat', kind: 'chatcompletions', baseUrl, answerUrl, apiKey: 'sk-sealed' });
  const graph = await connect({ name: 'Graph', kind: 'langgraph', baseUrl, headers: { 'x-key': 'sealed' } });
  await must(hub, `PATCH /v1/connections/${graph.connection.id}`, { token: owner.token, body: { enabled: false } });
}

async function fillDeciders(scene: Scene): Promise<void> {
  const { hub, outside, owner, page, askerId } = scene;
  const { id } = await must<Decider>(hub, 'POST /v1/deciders', {
    token: owner.token,
    body: {
      kind: 'chat',
      name: 'Helper',
      url: outside.model.url,
      model: 'm',
      instructions: 'Be brief.',
      key: 'sk-sealed',
      holdSeconds: 300,
    },
  });
  const decider = { id, suggests: false, actions: true, agentMayAsk: true };
  await must(hub, `PATCH /v1/sources/${askerId}`, { token: owner.token, body: { decider } });
  for (const stops of [false, true]) {
    const asked = await askOf(scene, { prompt: stops ? 'Stopped?' : 'Held?', deadline: MONTH_SECONDS });
    await must(hub, `POST /v1/inquiries/${asked.id}/decider`, { token: owner.token, body: {} });
    const held = await until('the hold', () => {
      const shown = page.of('proposal').filter(({ inquiryId }) => inquiryId === asked.id);
      return shown.at(-1)?.proposal?.decidesAt === undefined ? undefined : (shown.at(-1)?.proposal as Proposal);
    });
    if (stops) await must(hub, `POST /v1/proposals/${held.id}/stop`, { token: owner.token, body: {} });
  }
}

async function fillRules(scene: Scene): Promise<void> {
  const { hub, owner, bob, askerId } = scene;
  const rule = (tool: string, then: unknown) => ({ name: tool, when: { source: askerId, tool }, then });
  for (const [token, path, rules] of [
    [owner.token, 'policies/hub', [rule('hub_*', 'approve'), rule('rm', { reject: 'Never.' })]],
    [owner.token, 'policies', [rule('mine_*', 'approve')]],
    [bob.token, 'policies', [rule('his_*', 'ask-quietly')]],
  ] as const)
    await must(hub, `PUT /v1/${path}`, { token, body: { version: 0, rules } });
  const context = { runId: 'run-1' };
  for (const name of ['hub_a', 'rm', 'mine_a'])
    await askOf(scene, { actions: [{ name, args: {}, allowed: ['approve', 'reject'] }], context });
  const start = (token: string, body: object) => must<{ id?: string }>(hub, 'POST /v1/yolo', { token, body });
  // Of one source and run that asks nothing further, so that it settles nothing else of this.
  await start(owner.token, { calls: 'approve', sources: [askerId], runs: ['run-2'], until: 80_000 });
  const second = { actions: [{ name: 'any', args: {}, allowed: ['approve'] }], context: { runId: 'run-2' } };
  await askOf(scene, second);
  await start(bob.token, { questions: 'you-decide', until: 3_600 });
  const { running } = await must<{ running: { id: string } }>(hub, 'GET /v1/yolo', { token: bob.token });
  await must(hub, `POST /v1/yolo/${running.id}/stop`, { token: bob.token, body: {} });
}

/** What frameworks ask: answered, open, and one call that a hook names. */
async function fillAsks(scene: Scene): Promise<void> {
  const { hub, asker } = scene;
  const dialect = (name: string, body: object) =>
    must<{ id: string; inquiries?: string[] }>(hub, `POST /v1/ask/${name}?wait=0&deadline=${MONTH_SECONDS}`, {
      token: asker,
      body,
    });
  const interrupt = (id: string, name: string) => {
    const review_configs = [{ action_name: name, allowed_decisions: ['approve', 'reject'] }];
    return { id, value: { action_requests: [{ name, args: { euros: 3 } }], review_configs } };
  };
  await dialect('langgraph', [interrupt('one', 'pay'), { id: 'two', value: 'And why?' }]);
  await dialect('langgraph', [interrupt('answered', 'buy')]);
  const [answered] = await opened(scene, 'buy', 1);
  await answerOf(scene, answered as Inquiry, { decisions: [{ type: 'approve' }] });
  const hook = { hook_event_name: 'PermissionRequest', session_id: 's', tool_use_id: 't', cwd: '/srv' };
  const body = { ...hook, tool_name: 'Bash', tool_input: { command: 'ls' } };
  void call(hub, 'POST /v1/ask/claude-hook', { token: asker, body }).catch(() => {});
  await opened(scene, 'Bash', 1);
}

function askOf({ hub, asker }: Scene, body: object, token = asker): Promise<Inquiry> {
  return must(hub, 'POST /v1/inquiries', { token, body });
}

function answerOf({ hub, owner }: Scene, { id, digest }: Inquiry, body: object): Promise<unknown> {
  return must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { digest, ...body } });
}

/** The open calls of a tool, once there are so many. */
function opened({ hub, owner }: Scene, tool: string, count: number): Promise<Inquiry[]> {
  return until(`${count} open calls of ${tool}`, async () => {
    const { items } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: owner.token });
    const calls = items.filter(({ actions }) => actions?.[0]?.name === tool);
    return calls.length === count && calls;
  });
}

function read({ hub, owner }: Scene, { id }: Inquiry): Promise<Inquiry> {
  return must(hub, `GET /v1/inquiries/${id}`, { token: owner.token });
}
