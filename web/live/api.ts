import type { Problem } from '#shared/problem.ts';

/**
 * A refusal with the hub's own reason, `network.unreachable` (status 0) when there was no reply, or `network.intercepted`
 * (status 0) when something between replied in the hub's place, as the sign-in page of a network does.
 */
export type Refusal = { problem: Problem; text?: string; ok?: never; date?: never };
/** `text`: the body as it came; `date`: when the hub sent it. */
export type Reply<T> = { ok: T; text: string; status: number; date: string | null; problem?: never };

const TIMEOUT_MS = 10_000;
const credential: { token: string | undefined; onRevoked: () => void } = { token: undefined, onRevoked: () => {} };

/** Which token every call carries, and what to do when the hub no longer knows it. */
export function useCredential(token: string | undefined, onRevoked: () => void): void {
  credential.token = token;
  credential.onRevoked = onRevoked;
}

/** One call of the hub's HTTP interface, with this device's token or another, which with `keepalive` outlives the page; never throws. */
export async function call<T>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  { timeoutMs = TIMEOUT_MS, keepalive = false, token = credential.token } = {},
): Promise<Reply<T> | Refusal> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'omit',
      cache: 'no-store',
      // The hub redirects none of these.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      keepalive,
    });
  } catch {
    return { problem: noReply };
  }
  const text = await response.text().catch(() => '');
  const read: unknown = parsed(text);
  const { status, headers } = response;
  if (response.ok && (read !== undefined || status === 204))
    return { ok: read as T, text, status, date: headers.get('date') };
  // Not the hub's: that replies in JSON. A proxy says itself that it is too much, or that no hub is there.
  if (read === undefined && status < 500 && status !== 413)
    return { problem: text || !status ? { ...noReply, code: 'network.intercepted' } : noReply };
  const problem = isProblem(read)
    ? read
    : {
        ...noReply,
        status,
        code: 'hub.unclear',
        detail: `The hub replied with ${status}.`,
        ...(read as object),
      };
  if (token !== undefined && token === credential.token && isRevoked(problem)) credential.onRevoked();
  return { problem, text };
}

/** The JSON value, or undefined. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True when the hub answers that it is well, and the network is still there after that. */
export async function hubAnswers(): Promise<boolean> {
  return (await call('GET', '/healthz')).problem === undefined && navigator.onLine;
}

/** True for the two codes after which a token will never work again. */
export function isRevoked(problem: { code?: unknown } | undefined): boolean {
  return problem?.code === 'credential.revoked' || problem?.code === 'credential.unknown';
}

/** True when the same call may succeed later: no reply, too busy, or the hub is stopping; what a disk damaged stays so. */
export function isPassing({ status, code }: Problem): boolean {
  return status === 0 || status === 429 || (status >= 500 && code !== 'inquiry.damaged');
}

const noReply: Problem = {
  type: 'urn:beckon:problem:network.unreachable',
  title: 'network unreachable',
  status: 0,
  detail: 'The hub did not reply. Check the connection and try again.',
  code: 'network.unreachable',
};

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'detail' in value && 'status' in value;
}
