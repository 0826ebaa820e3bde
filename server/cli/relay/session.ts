import type { Message } from '../../gate/messages.ts';
import { send } from './post.ts';
import type { Request } from './request.ts';

const END_MS = 2_000;
const OPEN_MS = 10_000;

/** The session of an older client on the hub, which a restart of the hub ends and this opens again. */
export type Session = {
  /** What a request in the session must carry; nothing for the one that opens it. */
  headers(request?: Request): Record<string, string>;
  noteHead(request: Request, headers: Headers): void;
  noteMessage(request: Request, text: string): void;
  /** Opens the session anew, unless that was done since this request was sent; false when there never was one. */
  reopen(request: Request): Promise<boolean>;
  end(): Promise<void>;
};

export function createSession({ url, authorization }: { url: URL; authorization: string }): Session {
  const sentIn = new WeakMap<Request, string | undefined>();
  let id: string | undefined;
  let version: string | undefined;
  let opening: string | undefined;
  let reopening: Promise<void> | undefined;

  const own = (): Record<string, string> => ({
    ...(id === undefined ? {} : { 'mcp-session-id': id }),
    ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
  });
  const post = (body: string, headers: Record<string, string>, onHead?: (headers: Headers) => void) => {
    const signal = AbortSignal.timeout(OPEN_MS);
    const all = { authorization, ...headers };
    return send({
      url,
      method: 'POST',
      body,
      headers: all,
      signal,
      onMessage: () => undefined,
      ...(onHead ? { onHead } : {}),
    });
  };

  async function openAnew(text: string): Promise<void> {
    let opened: string | null = null;
    await post(text, {}, (headers) => (opened = headers.get('mcp-session-id')));
    if (opened === null) return;
    id = opened;
    await post('{"jsonrpc":"2.0","method":"notifications/initialized"}', own());
  }

  return {
    headers(request) {
      if (request?.method === 'initialize') return {};
      if (request) sentIn.set(request, id);
      return own();
    },
    noteHead({ method }, headers) {
      if (method === 'initialize') id = headers.get('mcp-session-id') ?? undefined;
    },
    noteMessage({ method, text }, said) {
      if (method !== 'initialize') return;
      const { result } = JSON.parse(said) as Message;
      if (!result) return;
      opening = text;
      version = String(result['protocolVersion']);
    },
    async reopen(request) {
      if (opening === undefined) return false;
      if (sentIn.get(request) !== id) return true;
      reopening ??= openAnew(opening).finally(() => (reopening = undefined));
      await reopening;
      return true;
    },
    async end() {
      if (id === undefined) return;
      const signal = AbortSignal.timeout(END_MS);
      await send({ url, method: 'DELETE', headers: { authorization, ...own() }, signal, onMessage: () => undefined });
    },
  };
}
