import { idKey, progressNotification, type Message } from '../../mcp/messages.ts';

export type LifePace = { everyMs: number };
export const LIFE_PACE: LifePace = { everyMs: 10_000 };

export type Life = ReturnType<typeof createLife>;

const STEP = 1e-6;

/** Signs of life to a client whose call waits for a person, so that it does not give up. */
export function createLife(toClient: (line: string) => void, { everyMs }: LifePace = LIFE_PACE) {
  // Progress must increase, and the server's own comes on top of ours.
  const latest = new Map<string, number>();
  return {
    /** Shows at once and then every few seconds that this call waits, where its client gave it a progress token; the result ends it. */
    show({ params }: Message): () => void {
      const progressToken = params?._meta?.['progressToken'];
      if (progressToken === undefined) return () => undefined;
      const key = idKey(progressToken);
      const tick = (): void => {
        const progress = (latest.get(key) ?? 0) + STEP;
        latest.set(key, progress);
        const frame = progressNotification({ progressToken, progress, message: 'Waiting for a person' });
        toClient(JSON.stringify({ jsonrpc: '2.0', ...frame }));
      };
      tick();
      const timer = setInterval(tick, everyMs);
      return () => {
        clearInterval(timer);
        latest.delete(key);
      };
    },
    /** A message of the server passes: what progress it told. */
    notePassing({ method, params }: Message): void {
      if (method !== 'notifications/progress') return;
      const key = idKey(params?.['progressToken']);
      const progress = Number(params?.['progress']);
      if (latest.has(key) && progress > (latest.get(key) ?? 0)) latest.set(key, progress);
    },
  };
}
