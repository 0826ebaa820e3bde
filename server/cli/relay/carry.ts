import { setTimeout as pause } from 'node:timers/promises';
import type { Ended, Send } from './post.ts';
import type { Request } from './request.ts';
import type { Session } from './session.ts';

/** A call waits for a person for hours; a hub that is away for minutes must not end it. */
const PATIENCE_MS = 10 * 60_000;
const RETRY_MS = { first: 200, most: 3_000 };
/** A reply that streamed for so long came from a hub that was there. */
const STEADY_MS = 5_000;

/** The hub that requests are carried to, and what is known of it. */
export type Destination = {
  url: URL;
  send: Send;
  session: Session;
  /** It replied at least once. */
  met: boolean;
};

/**
 * Carries one request to the hub and its replies to the client, until it is answered or no longer wanted. After a
 * break it goes on where the stream broke, or sends the request again. Returns why it gave up, if it did.
 */
export async function carry(
  to: Destination,
  request: Request,
  toClient: (text: string) => void,
): Promise<string | undefined> {
  let wait = RETRY_MS.first;
  let lostAt = performance.now();
  let resumeAt: string | undefined;
  while (!request.gone.signal.aborted) {
    const begunAt = performance.now();
    const ended = await attempt(to, request, resumeAt, toClient);
    if (request.answered() || request.gone.signal.aborted) return undefined;
    if (ended.how === 'refused') {
      const again = resumeAt !== undefined || (await isOver(to, request, ended));
      if (!again) return describeRefusal(ended);
      // 409: the hub still takes the broken stream for whole, which passes.
      if (ended.status !== 409) resumeAt = undefined;
    } else {
      resumeAt = request.modern ? undefined : ended.lastEventId;
    }
    if (performance.now() - begunAt > STEADY_MS) [lostAt, wait] = [performance.now(), RETRY_MS.first];
    // What never was there is told at once; what went away is waited for.
    if (!to.met || performance.now() - lostAt > PATIENCE_MS) {
      return `No hub replies at ${to.url.origin}; start it with "beckon serve" or set BECKON_URL.`;
    }
    await pause(wait, undefined, { signal: request.gone.signal }).catch(() => {});
    wait = Math.min(wait * 2, RETRY_MS.most);
  }
  return undefined;
}

async function attempt(
  to: Destination,
  request: Request,
  resumeAt: string | undefined,
  toClient: (text: string) => void,
): Promise<Ended> {
  const { send, session } = to;
  const again = new AbortController();
  const ended = await send({
    method: resumeAt === undefined ? 'POST' : 'GET',
    body: resumeAt === undefined ? request.text : undefined,
    headers: {
      ...request.headers,
      ...(request.modern ? {} : session.headers(request)),
      ...(resumeAt === undefined ? {} : { 'last-event-id': resumeAt }),
    },
    signal: AbortSignal.any([request.gone.signal, again.signal]),
    onHead(headers) {
      to.met = true;
      session.noteHead(request, headers);
    },
    onMessage(text) {
      const forwarded = request.pass(text);
      if (forwarded === undefined) return again.abort();
      session.noteMessage(request, forwarded);
      toClient(forwarded);
    },
  });
  to.met ||= ended.how === 'refused';
  return ended;
}

/** The hub forgot the session, as after a restart: it is opened anew and the request goes again. */
async function isOver({ session }: Destination, request: Request, { status }: { status: number }): Promise<boolean> {
  return status === 404 && !request.modern && request.method !== 'initialize' && (await session.reopen(request));
}

/** What a refusal says, be it JSON-RPC, a problem document, or something else. */
function describeRefusal({ status, body }: { status: number; body: string }): string {
  try {
    const { error, detail } = JSON.parse(body) as { error?: { message?: string }; detail?: string };
    return error?.message ?? detail ?? `HTTP ${status}`;
  } catch {
    return `What replies is not a Beckon hub (HTTP ${status}); set BECKON_URL.`;
  }
}
