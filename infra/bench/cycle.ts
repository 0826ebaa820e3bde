import { once } from 'node:events';
import { io, type Socket } from 'socket.io-client';
import { Agent, request } from 'undici';
import { LIVE_PROTOCOL } from '#shared/live.ts';
import type { Target, Who, Messages } from './target.ts';

const http = new Agent({ connections: 64, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
type Heard = { inquiry(id: string): void; withdraw(id: string): void };
type Open = { inquiries: { id: string }[] };
/** One person's devices, connected. */
export type Devices = { sockets: Socket[]; heard: Heard[] };

/** One cycle of a hub, as it comes over its sockets and its HTTP. */
export async function recordCycle(target: Target): Promise<Messages> {
  const [who] = target.people;
  const sockets = who!.tokens.slice(0, 2).map((token) => socketTo(target, token));
  const snapshots = await Promise.all(sockets.map((socket) => once(socket as never, 'snapshot')));
  const heard = ['inquiry', 'withdraw'].map((event) => once(sockets[1] as never, event));
  const asked = ask(target, who!, 'Recorded');
  const [inquiry] = (await heard[0]) as [Messages['inquiry']];
  const answer = { inquiryId: inquiry.inquiry.id, text: 'Yes' };
  const ack = (await sockets[0]!.emitWithAck('answer', answer)) as object;
  const [withdraw] = (await heard[1]) as [object];
  const reply = (await asked) as Messages['reply'];
  for (const socket of sockets) socket.disconnect();
  return { snapshot: snapshots[0]?.[0] as object, inquiry, ack, withdraw, reply };
}

function socketTo(target: Pick<Target, 'url'>, token: string): Socket {
  const auth = { protocol: LIVE_PROTOCOL, token };
  return io(target.url, { path: '/live', transports: ['websocket'], forceNew: true, auth });
}

/** Asks a person and resolves with the inquiry once it is resolved. */
export type Asker = (target: Target, who: Who, prompt: string) => Promise<{ resolution?: { outcome?: string } }>;

const ask: Asker = async (target, { handle }, prompt) => {
  const { body } = await request(`${target.url}/v1/inquiries?wait=60`, {
    dispatcher: http,
    method: 'POST',
    headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: [handle], prompt }),
  });
  return (await body.json()) as Awaited<ReturnType<Asker>>;
};

/** Connects devices, each with its own line, and waits for their snapshots. */
export async function connect(target: Pick<Target, 'url'>, tokens: string[]): Promise<Devices> {
  const heard: Heard[] = [];
  const sockets: Socket[] = [];
  for (let from = 0; from < tokens.length; from += 50) {
    const some = tokens.slice(from, from + 50).map((token) => {
      const socket = socketTo(target, token);
      const ears: Heard = { inquiry: () => undefined, withdraw: () => undefined };
      let open = new Set<string>();
      socket.on('inquiry', ({ inquiry }: { inquiry: { id: string } }) => {
        open.add(inquiry.id);
        ears.inquiry(inquiry.id);
      });
      socket.on('withdraw', ({ inquiryId }: { inquiryId: string }) => {
        open.delete(inquiryId);
        ears.withdraw(inquiryId);
      });
      // A snapshot stands for every event before it: what is new in it was asked, what is missing was withdrawn.
      socket.on('snapshot', ({ inquiries }: Open) => {
        const before = open;
        open = new Set(inquiries.map(({ id }) => id));
        for (const id of open) if (!before.has(id)) ears.inquiry(id);
        for (const id of before) if (!open.has(id)) ears.withdraw(id);
      });
      heard.push(ears);
      sockets.push(socket);
      return once(socket as never, 'snapshot');
    });
    await Promise.all(some);
  }
  return { sockets, heard };
}

export function disconnect({ sockets }: Devices): void {
  for (const socket of sockets) socket.disconnect();
}

/**
 * One cycle: ask over HTTP and wait, every device hears it, one answers, the others hear the withdraw,
 * the asker's wait returns. Resolves with the ms until all of that has happened, and until the last
 * withdraw since the answer was sent.
 */
export async function cycle(
  target: Target,
  who: Who,
  { sockets, heard }: Devices,
  label: string,
  asker = ask,
): Promise<{ ms: number; withdrawMs: number }> {
  const begun = performance.now();
  let answeredAt = 0;
  const [first, ...others] = heard;
  const withdrawn = others.map((ears) => new Promise<void>((resolve) => (ears.withdraw = () => resolve())));
  const shown = others.map((ears) => new Promise<void>((resolve) => (ears.inquiry = () => resolve())));
  const answered = new Promise<void>((resolve) => {
    if (first) {
      first.inquiry = (inquiryId) => {
        void Promise.all(shown).then(() => {
          answeredAt = performance.now();
          sockets[0]?.emit('answer', { inquiryId, text: 'Yes' }, () => resolve());
        });
      };
    }
  });
  const asked = asker(target, who, label);
  const allWithdrawn = Promise.all(withdrawn).then(() => performance.now());
  const [inquiry, last] = await Promise.all([asked, allWithdrawn, answered]);
  if (inquiry.resolution?.outcome !== 'answered')
    throw new Error(`a cycle at ${target.url} ended as ${JSON.stringify(inquiry)}`);
  return { ms: performance.now() - begun, withdrawMs: last - answeredAt };
}
