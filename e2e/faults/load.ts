import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerReply, Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import { call, type Calling, must, type Reply } from '../hub/call.ts';
import type { Chance } from '../hub/chance.ts';
import { modernCall, modernHeaders, sendRaw } from '../gate/raw.ts';
import type { Device } from '../hub/people.ts';
import { type History, noting } from '../hub/history.ts';

/** As long as an agent or a page waits for one reply before it sends it again. */
const PATIENCE_MS = 5_000;

type At = { url: string };
export type Load = {
  nodes: At[];
  source: NewSourceReply;
  devices: Device[];
  chance: Chance;
  history: History;
  going(): boolean;
};

/** Asks, answers, withdraws and reads on any node until it is to end; what is not acknowledged is sent again elsewhere. */
export async function runLoad(load: Load, name: string): Promise<void> {
  for (let number = 0; load.going(); number++) await askAndAnswer(load, `${name} ${number}`);
}

async function askAndAnswer(load: Load, prompt: string): Promise<void> {
  const { source, devices, chance, history } = load;
  const body = { prompt, key: prompt };
  const bySource = { token: source.key };
  const asked = await insist<Inquiry>(load, { route: 'POST /v1/inquiries', calling: { ...bySource, body }, by: 'ask' });
  if (!asked) return;
  const { id } = asked.body;
  history.asked.add(id);
  const path = `/v1/inquiries/${id}`;
  const later = async (work: () => Promise<unknown>): Promise<void> => {
    await pause(chance.below(30));
    await work();
  };
  const answer = async (device: Device): Promise<void> => {
    const said = { answerId: `${device.name} on ${prompt}`, text: `${device.name} says so` };
    const calling = { token: device.token, body: said };
    const reply = await insist<AnswerReply>(load, { route: `POST ${path}/answer`, calling, by: 'answer', id });
    if (reply?.body.won) history.won.set(id, said.text);
  };
  const read = () => once(load, { route: `GET ${path}`, calling: bySource, by: 'read', id });
  const withdraw = () =>
    once(load, { route: `POST ${path}/withdraw`, calling: { ...bySource, body: {} }, by: 'withdraw', id });
  await Promise.all([
    ...chance.some(devices, 2).map((device) => later(() => answer(device))),
    ...[1, 2, 3].map(() => later(read)),
    ...(chance.below(5) === 0 ? [later(withdraw)] : []),
  ]);
}

/** A call, what it is called in the history, and of which inquiry it is, unless its reply says so. */
type Sent = { route: string; calling: Calling; by: string; id?: string };

async function once<T>(
  { chance, nodes, history }: Load,
  { route, calling, by, id }: Sent,
): Promise<Reply<T> | undefined> {
  const at = chance.below(nodes.length);
  const work = () => call<T>(nodes[at]!, route, { ...calling, signal: AbortSignal.timeout(PATIENCE_MS) });
  const says = ({ status, body }: Reply<T>) => {
    const { id: own, resolution } = (body ?? {}) as { id?: string; resolution?: Resolution };
    const isTold = status < 300 || (status === 409 && resolution);
    return isTold ? { id: id ?? own ?? '', resolution } : undefined;
  };
  return noting(history, `${by} on node ${at + 1}`, work, says).catch(() => undefined);
}

async function insist<T>(load: Load, sent: Sent): Promise<Reply<T> | undefined> {
  while (load.going()) {
    const reply = await once<T>(load, sent);
    if (reply && (reply.status < 300 || reply.status === 409)) return reply;
    if (reply && ![429, 503].includes(reply.status))
      throw new Error(`${sent.by} was refused with ${reply.status}: ${JSON.stringify(reply.body)}`);
    await pause(50);
  }
  return undefined;
}

/** Calls of a tool through a gate, each with a path of its own, until it is to end; returns which were said to have run. */
export async function runGate(
  { nodes, source, chance, going }: Load,
  gate: string,
  name: string,
): Promise<Set<string>> {
  const wrote = new Set<string>();
  for (let number = 0; going(); number++) {
    const path = `${name} ${number}`;
    const calling = { key: source.key, headers: modernHeaders('write_note') };
    const url = `${chance.of(nodes).url}/mcp/gate/${gate}`;
    const sent = sendRaw(url, modernCall('write_note', JSON.stringify({ path })), calling);
    const reply = await sent.catch(() => undefined);
    if (!reply) await pause(50);
    const said = reply && (await Promise.race([reply.text, pause(10_000, '')]));
    reply?.cut();
    if (said?.includes(`Wrote ${path}`)) wrote.add(path);
  }
  return wrote;
}

/** Revokes a device, and returns its calls that were taken though they began after that was acknowledged; undefined: it was not. */
export async function runRevoke(
  { nodes, devices, chance, going }: Load,
  { id, token }: Device,
): Promise<string[] | undefined> {
  const [owner] = devices as [Device];
  let letIn: string[] | undefined;
  const once = async (route: string, by: string): Promise<number | undefined> => {
    await pause(50);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await call(chance.of(nodes), route, { token: by, signal }).catch(() => undefined);
    return reply?.status;
  };
  await pause(chance.below(3_000));
  while (going())
    if (letIn) {
      if ((await once('GET /v1/inbox', token)) === 200) letIn.push(id);
    } else if ([200, 404].includes((await once(`DELETE /v1/devices/${id}`, owner.token)) ?? 0)) letIn = [];
  return letIn;
}

/** Approves or rejects what gates hold until it is to end; returns the paths whose approval won or may have won. */
export async function runApprovals(load: Load): Promise<Set<string>> {
  const { nodes, devices, chance, going } = load;
  const approved = new Set<string>();
  const [{ token }] = devices as [Device];
  while (going()) {
    const inbox = await must<{ items: Inquiry[] }>(chance.of(nodes), 'GET /v1/inbox', {
      token,
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => ({ items: [] }));
    for (const { id, digest, actions } of inbox.items) {
      const path = (actions?.[0]?.args as { path?: string } | undefined)?.path;
      if (path === undefined) continue;
      const type = chance.below(4) === 0 ? 'reject' : 'approve';
      if (type === 'approve') approved.add(path);
      const calling = { token, body: { digest, decisions: [{ type }] } };
      await once(load, { route: `POST /v1/inquiries/${id}/answer`, calling, by: 'approve', id });
    }
    await pause(50);
  }
  return approved;
}
