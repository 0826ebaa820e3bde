import { takingTurns, type Turn } from '../loop.ts';
import type { Page } from './params.ts';
import { clientGone } from './late-reply.ts';
import type { Http } from './server.ts';

/** A large page is written entry by entry, and everything else runs in between. */
export function writePagesInTurns(app: Http): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (!request.work?.has() || !isPage(payload)) return payload;
    const text = await writePage(payload, takingTurns(clientGone(reply.raw)));
    reply.serializer(() => text);
    return payload;
  });
}

function isPage(payload: unknown): payload is Page<unknown> {
  return Array.isArray((payload as Partial<Page<unknown>> | null)?.items);
}

/** The same text as `JSON.stringify` writes, of what has only entries that JSON knows. */
export async function writePage({ items, ...rest }: Page<unknown>, turn: Turn): Promise<string> {
  const texts: string[] = [];
  for (const item of items) {
    await turn();
    texts.push(JSON.stringify(item));
  }
  const after = JSON.stringify(rest).slice(1);
  return `{"items":[${texts.join(',')}]${after === '}' ? '' : ','}${after}`;
}
