import { Agent } from 'undici';
import type { ConnectionKind } from '#shared/connections/connection.ts';
import type { Check, Trouble } from '#shared/connections/contact.ts';
import { iso, type Clock } from '../platform/clock.ts';
import { wordFor, type Sent } from '../platform/outbound/post.ts';
import { send } from '../platform/outbound/send.ts';
import { asLangGraph, ownHeaders, type Credentials } from './config.ts';

// Less than the page itself waits for a reply of the hub.
const LIMIT_MS = 8_000;
/** How the words for a reply begin that came and cannot be read. */
const UNREADABLE = 'reply ';
const NO_TLS = /ERR_SSL|EPROTO/;

/** What of a platform's API shows that it is one, and that it takes the hub's key. */
const ASKED = {
  chatcompletions: { method: 'GET', path: '/models', body: null },
  langgraph: { method: 'POST', path: '/threads/search', body: '{"limit":1}' },
} as const;

export type Checked = { kind: ConnectionKind; baseUrl?: string | undefined; credentials: Credentials };

/** Calls a platform once with the hub's own key, within 8 s, and says whether the connection can work. */
export async function checkConnection(
  { kind, baseUrl = '', credentials }: Checked,
  clock: Clock,
  limitMs = LIMIT_MS,
): Promise<Check> {
  const start = performance.now();
  const at = iso(clock.now());
  const own = kind === 'langgraph' ? asLangGraph(credentials) : credentials;
  const found = kind === 'inbound' ? NOTHING_TO_CALL : await call(kind, baseUrl, own, limitMs);
  return { ...found, at, ms: Math.round(performance.now() - start) };
}

type Outcome = Pick<Check, 'ok' | 'status' | 'code' | 'detail'>;

const NOTHING_TO_CALL: Outcome = {
  ok: true,
  code: 'upstream.nothing_to_call',
  detail: 'There is nothing to call: the platform calls the hub.',
};

async function call(
  kind: keyof typeof ASKED,
  baseUrl: string,
  credentials: Credentials,
  limitMs: number,
): Promise<Outcome> {
  const { method, path, body } = ASKED[kind];
  // Of its own, so that the certificate is looked at each time.
  const dispatcher = new Agent({ connect: { timeout: limitMs } });
  const headers = { ...(body ? { 'content-type': 'application/json' } : {}), accept: 'application/json' };
  const own = ownHeaders(credentials, baseUrl);
  const { host } = new URL(baseUrl);
  const signal = AbortSignal.timeout(limitMs);
  try {
    const options = { method, body, headers: { ...headers, ...own }, dispatcher, signal };
    const { statusCode: status, headers: said } = await send(baseUrl + path, options);
    const isJson = /[/+]json\b/i.test(String(said['content-type']));
    return { status, ...explainStatus(status, { kind, host, isJson, hasKey: Object.keys(own).length > 0 }) };
  } catch (error) {
    return { ok: false, ...explainWord(signal.aborted ? 'timeout' : wordFor(error), host) };
  } finally {
    void dispatcher.destroy();
  }
}

function explainStatus(
  status: number,
  { kind, host, isJson, hasKey }: { kind: keyof typeof ASKED; host: string; isJson: boolean; hasKey: boolean },
): Pick<Outcome, 'ok' | 'code' | 'detail'> {
  if (status >= 300 && status < 400) {
    const detail = `${host} answers with a redirect (${status}), which the hub does not follow: write the address that it leads to.`;
    return { ok: false, code: 'upstream.redirect', detail };
  }
  if (status === 401 || status === 403) {
    if (hasKey)
      return { ok: false, code: 'upstream.key_refused', detail: `${host} answers, and refuses the hub’s key.` };
    if (kind === 'langgraph')
      return { ok: false, code: 'upstream.key_refused', detail: `${host} answers, and asks for a key: write one.` };
    const detail = `${host} answers, and asks for a key: the hub has none of its own here, and passes on what clients send.`;
    return { ok: true, code: 'upstream.ok_without_key', detail };
  }
  if (status === 404 || status === 405 || (status < 300 && !isJson)) {
    const detail = `${host} answers, but not as such a platform does: check where its API begins, often at /v1.`;
    return { ok: false, code: 'upstream.no_api', detail };
  }
  if (status >= 400) return { ok: false, code: 'upstream.status', detail: `${host} answers with status ${status}.` };
  if (!hasKey) return { ok: true, code: 'upstream.ok_without_key', detail: `${host} answers without a key.` };
  return { ok: true, code: 'upstream.ok', detail: `${host} answers and accepts the hub’s key.` };
}

/** What a LangGraph Server sent in place of what was asked of it, as one sentence. */
export function explainSent({ status, error = '' }: Sent, host: string, hasKey: boolean): Trouble {
  if (status === undefined || error.startsWith(UNREADABLE)) return explainWord(error, host);
  const { code, detail } = explainStatus(status, { kind: 'langgraph', host, isJson: true, hasKey });
  return { code: code as Trouble['code'], detail };
}

/** A failed call, which `wordFor` put in a few words, as one sentence that says what to look at. */
export function explainWord(word: string, host: string): Trouble {
  const name = host.replace(/:\d+$/, '');
  const code = word.replace(/^.*: /, '');
  if (word === 'name not found')
    return { code: 'upstream.name_unknown', detail: `The name ${name} is not known: check the address.` };
  if (word === 'connection refused')
    return { code: 'upstream.refused', detail: `${host} refuses the connection: see that the platform runs there.` };
  if (word.startsWith(UNREADABLE))
    return { code: 'upstream.unreadable', detail: `${host} answers what the hub cannot read: ${word}.` };
  if (word === 'timeout') return { code: 'upstream.timeout', detail: `${host} does not answer in time.` };
  if (NO_TLS.test(word))
    return { code: 'upstream.no_tls', detail: `${host} does not take TLS (${code}): check "https" and the port.` };
  if (word.startsWith('certificate refused'))
    return { code: 'upstream.certificate', detail: `The certificate of ${host} is not valid: ${code}.` };
  return { code: 'upstream.unreachable', detail: `${host} cannot be reached: ${word}.` };
}
