import { Agent, request } from 'undici';

const http = new Agent({ connections: 64, headersTimeout: 0, bodyTimeout: 0 });

/** One call to a hub over HTTP; throws unless it ends well. */
export async function send<T>(hub: { url: string }, path: string, token: string, body?: object): Promise<T> {
  const reply = await request(hub.url + path, {
    dispatcher: http,
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const read = await reply.body.json();
  if (reply.statusCode >= 300) throw new Error(`${path} ended with ${reply.statusCode}: ${JSON.stringify(read)}`);
  return read as T;
}
