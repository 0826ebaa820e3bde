import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Unreachable } from '../command/hub-client.ts';
import { onStopSignal, UsageError, type Terminal } from '../command/terminal.ts';

const CLIENT = 'beckon';
const REPLIES_MS = 10_000;
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';

type Reply = Record<string, unknown>;
type Wait = (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown>;
type Asked = { code: string; userCode: string; page: string; paceS: number; endsAt: number };

/**
 * Asks the owner of the hub at `url` for the key of a new source (RFC 8628): shows the code to compare and waits for the
 * yes, over restarts of the hub. A sentence where there is none.
 */
export async function askForKey(
  url: string,
  name: string,
  { err }: Pick<Terminal, 'err'>,
  wait: Wait = pause,
): Promise<string> {
  const asked = await begin(url, name);
  const minutes = Math.round((asked.endsAt - performance.now()) / 60_000);
  err.write(`
The hub asks its owner whether this machine may have a key, on every device that is signed in, and at
${asked.page}
Say yes only where this code is shown:

  ${asked.userCode}

Waiting, ${minutes} minutes at most …
`);
  const left = new AbortController();
  const unheard = onStopSignal(() => left.abort());
  try {
    return await collect(url, asked, left.signal, wait);
  } finally {
    unheard();
  }
}

async function begin(url: string, name: string): Promise<Asked> {
  const { status, reply } = await post(`${url}/v1/device-authorizations`, {
    client_id: CLIENT,
    client_name: name,
    host_name: hostname().slice(0, 80),
  }).catch((cause: unknown) => {
    throw new Unreachable(`No hub replies at ${url}; is that its address?`, { cause });
  });
  const { device_code: code, user_code: userCode, verification_uri: page, interval = 5, expires_in: endsIn } = reply;
  if (status === 404)
    throw new UsageError(
      `The hub at ${url} is older than this command: make a key on its page, under Connect, and say BECKON_KEY=bks_….`,
    );
  if (status !== 200 || ![code, userCode, page].every((one) => typeof one === 'string' && printable(one) === one))
    throw new UsageError(`The hub at ${url} gives no key to this machine: ${said(status, reply)}`);
  return {
    code: String(code),
    userCode: String(userCode),
    page: String(page),
    // Another than a hub may say anything.
    paceS: Math.min(60, Math.max(1, Number(interval) || 5)),
    endsAt: performance.now() + Math.min(3_600, Number(endsIn) || 0) * 1000,
  };
}

async function collect(
  url: string,
  { code, paceS: first, endsAt }: Asked,
  signal: AbortSignal,
  wait: Wait,
): Promise<string> {
  for (let paceS = first; performance.now() < endsAt;) {
    await wait(paceS * 1000, undefined, { signal }).catch(() => {});
    if (signal.aborted) throw new UsageError('Nothing was written: it no longer waits for a yes.');
    const form = { grant_type: GRANT_TYPE, device_code: code, client_id: CLIENT };
    const got = await post(`${url}/v1/device-authorizations/token`, form).catch(() => undefined);
    // A hub that is away for a moment keeps the request.
    if (got === undefined || got.status === 429 || got.status >= 500) continue;
    const { access_token: key, error } = got.reply;
    if (got.status === 200 && typeof key === 'string' && /^bks_[\w-]+$/.test(key)) return key;
    if (error === 'slow_down') paceS += 5;
    else if (error === 'access_denied') throw new UsageError(`Nothing was written: the owner of ${url} said no.`);
    else if (error === 'expired_token') break;
    else if (error !== 'authorization_pending')
      throw new UsageError(`The hub at ${url} gave no key: ${said(got.status, got.reply)}`);
  }
  throw new UsageError(`Nothing was written: nobody said yes in time; is the owner signed in at ${url}?`);
}

async function post(address: string, form: Record<string, string>): Promise<{ status: number; reply: Reply }> {
  const got = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'error',
    signal: AbortSignal.timeout(REPLIES_MS),
  });
  const reply: unknown = await got.json().catch(() => ({}));
  return { status: got.status, reply: typeof reply === 'object' && reply !== null ? (reply as Reply) : {} };
}

function said(status: number, { error_description: detail }: Reply): string {
  return typeof detail === 'string' ? printable(detail) : `HTTP ${status}.`;
}

// Another than a hub may reply: nothing of it moves the cursor.
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '');
}
