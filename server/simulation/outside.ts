import type { Run } from '#shared/policies/decider.ts';
import type { Outgoing, Post, Sent } from '../platform/outbound/post.ts';
import type { Chance } from './chance.ts';
import type { Schedule } from './schedule.ts';

/** How an endpoint outside behaves, whether a webhook or a push comes to it; the name is its host. */
export const MANNERS = ['healthy', 'flaky', 'broken', 'gone', 'redirecting', 'cutting', 'hanging'] as const;
export type Manner = (typeof MANNERS)[number];

/** The network beyond the hub, scripted; `told` holds when each webhook or topic was first taken. */
export function createOutside(schedule: Schedule, chance: Chance) {
  let isHealed = false;
  const told = new Map<string, number>();
  const counts = new Map<string, number>();

  async function reply(own: Manner, key: string, timeoutMs: number): Promise<Sent> {
    const manner = isHealed && own !== 'gone' ? 'healthy' : own;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (manner === 'hanging') {
      await schedule.sleep(timeoutMs);
      return { error: 'timeout' };
    }
    await schedule.sleep(chance.fixed(5, 400, `${manner} ${schedule.now}`));
    switch (manner) {
      case 'flaky':
        return { status: count % 2 === 1 ? 503 : 204 };
      case 'healthy':
        return { status: 204 };
      case 'broken':
        return { status: 500 };
      case 'gone':
        return { status: 410 };
      case 'redirecting':
        return { status: 307 };
      case 'cutting':
        return { error: 'connection reset' };
    }
  }

  const post: Post = async ({ url, headers, timeoutMs }: Outgoing) => {
    const manner = MANNERS.find((one) => URL.parse(url)?.hostname === `${one}.example`);
    if (manner === undefined || URL.parse(url)?.username !== '') return { error: 'address refused' };
    const key = headers['webhook-id'] ?? `${url} ${headers['topic']}`;
    const sent = await reply(manner, key, timeoutMs);
    if (sent.status === 204 && !told.has(key)) told.set(key, schedule.now);
    return sent;
  };
  /** From here on every endpoint takes what comes, but for what is gone for good. */
  const heal = (): void => void (isHealed = true);
  return { post, told, heal };
}
export type Outside = ReturnType<typeof createOutside>;

/** What a model says: an answer, nonsense or nothing, soon or late. */
export function createModel(schedule: Schedule, chance: Chance): () => Promise<Run> {
  return async () => {
    const draw = chance.fixed(0, 99, `model ${schedule.now}`);
    await schedule.sleep(draw * 120);
    const ran = { sent: '', received: '', ms: 0 };
    return draw % 4 === 0 ? { ...ran, problem: 'nonsense' } : { ...ran, answer: { text: 'by the decider' } };
  };
}
