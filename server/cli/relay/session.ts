import type { Message } from '../../mcp/messages.ts';
import type { Send } from './post.ts';
import type { Request } from './request.ts';

const END_MS = 2_000;
const OPEN_MS = 10_000;

/** The session of an older client on the hub, which a restart of the hub ends and this opens again. */
export function createSession(send: Send) {
  const sentIn = new WeakMap<Request, string | undefined>();
  let id: string | undefined;
  let version: string | undefined;
  let opening: string | undefined;
  let reopening: Promise<void> | undefined;

  const own = (): Record<string, string> => ({
    ...(id === undefined ? {} : { 'mcp-session-id': id }),
    ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
  });

  async function openAnew(body: string): Promise<void> {
    let opened: string | null = null;
    const onHead = (headers: Headers) => void (opened = headers.get('mcp-session-id'));
    await send({ body, headers: {}, signal: AbortSignal.timeout(OPEN_MS), onHead });
    if (opened === null) return;
    id = opened;
    const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    await send({ body: initialized, headers: own(), signal: AbortSignal.timeout(OPEN_MS) });
  }

  return {
    /** What a request in the session must carry; nothing for the one that opens it. */
    headers(request?: Request): Record<string, string> {
      if (request?.method === 'initialize') return {};
      if (request) sentIn.set(request, id);
      return own();
    },
    noteHead({ method }: Request, headers: Headers): void {
      if (method === 'initialize') id = headers.get('mcp-session-id') ?? undefined;
    },
    noteMessage({ method, text }: Request, said: string): void {
      if (method !== 'initialize') return;
      const { result } = JSON.parse(said) as Message;
      if (!result) return;
      opening = text;
      version = String(result['protocolVersion']);
    },
    /** Opens the session anew, unless that was done since this request was sent; false when there never was one. */
    async reopen(request: Request): Promise<boolean> {
      if (opening === undefined) return false;
      if (sentIn.get(request) !== id) return true;
      reopening ??= openAnew(opening).finally(() => (reopening = undefined));
      await reopening;
      return true;
    },
    async end(): Promise<void> {
      if (id !== undefined) await send({ method: 'DELETE', headers: own(), signal: AbortSignal.timeout(END_MS) });
    },
  };
}
export type Session = ReturnType<typeof createSession>;
