import { request, type Dispatcher } from 'undici';

export type HttpReply = Dispatcher.ResponseData<unknown>;
type Options = Exclude<Parameters<typeof request>[1], undefined> & { signal: AbortSignal };

/** Sends one request; rejects with the signal at once: undici takes notice of it only when connected, and a name may hang. */
export function send(url: string, options: Options): Promise<HttpReply> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const { signal } = options;
  if (signal.aborted) reject(signal.reason as Error);
  else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  return Promise.race([request(url, options), ended]);
}

/** The text of a reply; undefined where it is longer than this. */
export async function readText({ body }: HttpReply, mostBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
