import type { Problem } from '#shared/problem.ts';

export type Reply<T> = { status: number; type: string; body: T };
export type Calling = {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

/** One call of the hub's wire; rejects only when there was no reply. */
export async function call<T = unknown>(
  hub: { url: string },
  route: string,
  { token, body, headers = {}, signal }: Calling = {},
): Promise<Reply<T>> {
  const [method = 'GET', path = ''] = route.split(' ', 2);
  const response = await fetch(hub.url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    body: (text.trim() === '' ? undefined : JSON.parse(text)) as T,
  };
}

/** A call that must succeed: its body. */
export async function must<T>(hub: { url: string }, route: string, calling: Calling = {}): Promise<T> {
  const reply = await call<T>(hub, route, calling);
  if (reply.status >= 300)
    throw new Error(`${route} was refused with ${reply.status}: ${(reply.body as Problem | undefined)?.detail}`, {
      cause: reply.status,
    });
  return reply.body;
}

/** Every item of a list, page by page. */
export async function all<T>(hub: { url: string }, path: string, token: string): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query = `${path.includes('?') ? '&' : '?'}limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: { items: T[]; nextCursor?: string } = await must(hub, `GET ${path}${query}`, { token });
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}
