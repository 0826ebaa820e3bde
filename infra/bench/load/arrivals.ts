import { Agent, request } from 'undici';
import type { Hub } from '../target.ts';

/** A source's key, and a person it asks with the token of a device. */
export type Pair = { key: string; handle: string; token: string };
export type Loaded = Hub<{ pairs: Pair[] }>;

/** What became of one inquiry that was to be asked at a time fixed beforehand; ms since that time, of the answer since its own. */
export type Arrival = { status: number; askMs: number; answerMs?: number; id?: string; retryAfter: string | undefined };

const AT_ONCE = 64;

const LINES = 1_000;
/** Lines of sources that keep them open: of new ones a node takes one in each turn of its loop, however many wait. */
const lines = new Agent({ connections: LINES, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 60_000 });

/** Opens all lines, for a source that has asked before has one. */
export async function openLines({ url }: Loaded): Promise<void> {
  const all = Array.from({ length: LINES }, async () => {
    const { body } = await request(`${url}/readyz`, { dispatcher: lines });
    await body.dump();
  });
  await Promise.all(all);
}

async function post(hub: Loaded, path: string, token: string, body: object) {
  const reply = await request(hub.url + path, {
    dispatcher: lines,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const read = (await reply.body.json()) as { id?: string; outcome?: string };
  return { status: reply.statusCode, retryAfter: reply.headers['retry-after'] as string | undefined, read };
}

/** Asks one inquiry and answers it, each call counted from `dueAt`, when it was to be sent. */
export async function askAndAnswer(hub: Loaded, at: number, dueAt = performance.now()): Promise<Arrival> {
  const { key, handle, token } = hub.pairs[at % hub.pairs.length]!;
  const asked = await post(hub, '/v1/inquiries', key, { to: [handle], prompt: `Ship ${at}?` });
  const askedAt = performance.now();
  const about = { status: asked.status, retryAfter: asked.retryAfter, askMs: askedAt - dueAt };
  if (asked.status !== 201) return about;
  const answered = await post(hub, `/v1/inquiries/${asked.read.id}/answer`, token, { text: 'Yes' });
  if (answered.status !== 200) throw new Error(`an answer ended with ${answered.status}`);
  return { ...about, id: asked.read.id!, answerMs: performance.now() - askedAt };
}

/** Inquiries that a hub opens and has answered in a second, by 64 askers that each wait for the last one. */
export async function measureCapacity(hub: Loaded, ms: number): Promise<number> {
  const begun = performance.now();
  let done = 0;
  const each = Array.from({ length: AT_ONCE }, async (_, asker) => {
    while (performance.now() - begun < ms) {
      const { status } = await askAndAnswer(hub, asker);
      if (status === 201) done++;
    }
  });
  await Promise.all(each);
  return (done * 1000) / (performance.now() - begun);
}

/** Inquiries that come at times fixed beforehand, so many a second at random, whatever became of those before. */
export async function arrive(hub: Loaded, perSecond: number, seconds: number): Promise<(Arrival & { at: number })[]> {
  const begun = performance.now();
  const all: Promise<Arrival & { at: number }>[] = [];
  for (let at = 0; ; at -= (Math.log(1 - Math.random()) * 1000) / perSecond) {
    if (at >= seconds * 1000) break;
    const early = begun + at - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    all.push(askAndAnswer(hub, all.length, begun + at).then((one) => ({ ...one, at })));
  }
  return Promise.all(all);
}
