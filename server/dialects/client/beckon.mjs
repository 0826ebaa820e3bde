// Asks people through a Beckon hub. For browsers and Node 18 or newer; needs nothing else.

const RETRIED = [429, 502, 503, 504];
const GIVE_UP_MS = 300_000;
/** A reply within this time tells what time it is at the hub. */
const QUICK_MS = 2_000;
let ahead = 0;
/** Beside a body one such word is the name of a dialect; beside options it is a prompt. */
const DIALECT = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const WEBHOOK_MS = 300_000;
const QUERY = ['to', 'deadline', 'validFor', 'urgency', 'privacy', 'title', 'agent', 'language', 'callback', 'answer'];
const OPTIONS = ['url', 'apiKey', 'signal', 'giveUpMs', 'idempotencyKey', ...QUERY];

/** What the hub refused, or what it has in place of a reply: nobody answered, and the framework has no word for that. */
export class AskError extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title ?? `The hub replied ${problem.status}.`);
    this.name = 'AskError';
    this.problem = problem;
    this.status = problem.status;
    this.code = problem.code;
    this.outcome = problem.outcome;
    this.faults = problem.faults ?? [];
  }
}

/**
 * Asks in plain words and returns people's; with a dialect's name and a body, asks with a framework's own JSON and waits for
 * its own reply. Aborting its signal takes the question back, unless that has the caller's own key: then it stays open for
 * the process that comes back with the key.
 */
export async function ask(dialect, body, options) {
  const names = Object.keys(body ?? {});
  const plain = body === undefined || (names.length > 0 && names.every((name) => OPTIONS.includes(name)));
  if (options === undefined && (plain || !DIALECT.test(dialect)))
    return answered(await inquire({ prompt: dialect }, body)).text;
  return askInDialect(dialect, body, options);
}

/** Asks with the hub's own form, and returns the resolution, whatever it is: only "answered" holds an answer. */
export async function inquire(inquiry, options) {
  return askInDialect('inquiry', inquiry, options);
}

/** True where this very call was approved. Throws where nobody decided. */
export async function approve(name, args, { description, caution, ...options } = {}) {
  const actions = [{ name, args, description, caution, allowed: ['approve', 'reject'] }];
  const { answer } = answered(await inquire({ actions }, options));
  return answer?.decisions?.[0]?.type === 'approve';
}

/** True for yes, false for no. Throws where nobody decided. */
export async function confirm(prompt, { yes = 'Yes', no = 'No', ...options } = {}) {
  const choices = [
    { value: 'yes', label: yes },
    { value: 'no', label: no },
  ];
  return (await choose(prompt, choices, options)) === 'yes';
}

/** The value of the option that was chosen: texts, or `{value, label, description}`. Throws where nobody chose. */
export async function choose(prompt, choices, options) {
  const list = choices.map((one) => (typeof one === 'string' ? { value: one, label: one } : one));
  const questions = [{ id: 'choice', type: 'choice', prompt, options: list, required: true }];
  const { answer, text } = answered(await inquire({ questions }, options));
  const chosen = answer?.values?.choice;
  if (list.some(({ value }) => value === chosen)) return chosen;
  throw unanswered('answered', text);
}

function answered({ outcome, ...resolution }) {
  if (outcome !== 'answered') throw unanswered(outcome, resolution.text);
  return resolution;
}

function unanswered(outcome, detail) {
  return new AskError({
    type: 'urn:beckon:problem:ask.unanswered',
    status: 409,
    code: 'ask.unanswered',
    detail,
    outcome,
  });
}

async function askInDialect(dialect, body, options = {}) {
  // What waits for its answer has an asker to lose; a hook always waits, since it takes any other reply for a yes.
  if (options.idempotencyKey && !dialect.endsWith('-hook')) {
    const { status, value } = await post(pathOf(dialect, options, { wait: '0' }), body, options);
    return status === 202 ? reply(value.ask, options) : value;
  }
  let id;
  const seen = (response) => (id = response.headers.get('beckon-ask') ?? id);
  try {
    return (await post(pathOf(dialect, options), body, keyed(options), seen)).value;
  } catch (error) {
    if (options.signal?.aborted && id && !options.idempotencyKey)
      await withdraw(id, { ...options, signal: undefined }).catch(() => undefined);
    throw error;
  }
}

/** The same for a process that does not wait: `{ask, inquiries}`; store `ask` and call `reply` with it later. */
export async function start(dialect, body, options = {}) {
  return (await post(pathOf(dialect, options, { wait: '0' }), body, keyed(options))).value;
}

/** The reply to an ask that was started, once people have decided; where none is waited for, it is asked for with a pause. */
export async function reply(id, options = {}) {
  for (;;) {
    const path = `/v1/asks/${encodeURIComponent(id)}?wait=60`;
    const begunAt = Date.now();
    const { status, value } = await call(path, { method: 'GET' }, options);
    if (status !== 202) return value;
    if (Date.now() - begunAt < QUICK_MS) await pause(QUICK_MS, options.signal);
  }
}

/** The time by the hub's clock, in ms, as its last reply told it that did not wait: this machine's may be wrong. */
export function hubTime() {
  return Date.now() + ahead;
}

/** Takes an ask back; one that is resolved already stays as it is. */
export async function withdraw(id, options = {}) {
  const body = options.reason === undefined ? {} : { reason: options.reason };
  await post(`/v1/asks/${encodeURIComponent(id)}/withdraw`, body, { giveUpMs: 10_000, ...options }).catch((error) => {
    if (error.code !== 'ask.already_resolved') throw error;
  });
}

/**
 * The event of a webhook whose signature is the hub's, and at most five minutes old; anything else throws. `body`: its bytes
 * as they came. The same event may come twice, with the same `webhook-id`.
 */
export async function verifyWebhook(body, headers, secret) {
  const read = (name) => (typeof headers.get === 'function' ? headers.get(name) : headers[name]) ?? '';
  const [id, at] = [read('webhook-id'), read('webhook-timestamp')];
  const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { crypto } = globalThis;
  // By the source's public key, or by its secret.
  const pinned = secret.startsWith('whpk_');
  const by = pinned ? { name: 'Ed25519' } : { name: 'HMAC', hash: 'SHA-256' };
  const known = bytesOf(secret.replace(/^wh(sec|pk)_/, ''));
  const key = await crypto.subtle.importKey('raw', known, by, false, ['verify']);
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const signed = new Uint8Array(await new Blob([`${id}.${at}.`, content]).arrayBuffer());
  const signatures = read('webhook-signature')
    .split(' ')
    .filter((one) => (pinned ? /^v1a,[A-Za-z0-9+/]{86}==$/ : /^v1,[A-Za-z0-9+/]{43}=$/).test(one));
  const fits = await Promise.all(
    signatures.map((one) => crypto.subtle.verify(by.name, key, bytesOf(one.split(',')[1]), signed)),
  );
  if (id === '' || id.includes('.') || !fits.includes(true)) throw new Error('This webhook is not signed by the hub.');
  if (!(Math.abs(Date.now() - Number(at) * 1000) <= WEBHOOK_MS)) throw new Error('This webhook is too old.');
  return JSON.parse(new TextDecoder().decode(content));
}

/**
 * An inquiry of this hub as a frame of a stream of chat completions: `data: {…}`, with the empty line after it. A platform
 * writes it into its own stream, where its front end finds the question to draw.
 */
export function progressFrame(inquiry) {
  return frame(inquiry, 'INQUIRY', 0, inquiry.openedAt);
}

/** The frame that says that it is resolved, here or elsewhere: the front end closes what it drew. */
export function resolvedFrame(inquiry) {
  return frame(inquiry, 'INQUIRY_RESOLVED', 1, inquiry.resolution?.at ?? inquiry.openedAt);
}

function frame({ id: inquiryId, prompt, title, source, context = {} }, type, progress, at) {
  const method = 'notifications/progress';
  const meta = { question: prompt ?? title, inquiryId, type };
  const params = { meta, progressToken: 1, progress, total: null, message: null, method };
  const notification = JSON.stringify({ method, params, jsonrpc: '2.0' });
  const { agent = source.name, runId = inquiryId } = context;
  const chunk = {
    id: `chatcmpl-${runId}`,
    created: Math.floor(Date.parse(at) / 1000),
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { chatos_additional_data: { mcp_progress_notification_data: notification } } }],
    agent_info: { name: agent, run_id: runId },
  };
  // Readers that split text at every line end of Unicode must find one line.
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `data: ${JSON.stringify(chunk).replace(/[\u0085\u2028\u2029]/g, escaped)}\n\n`;
}

async function post(path, body, options, seen) {
  const headers = { 'content-type': 'application/json' };
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey;
  // Text goes as it is: numbers above 2^53 survive in it.
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return call(path, { method: 'POST', headers, body: text }, options, seen);
}

/** Calls until there is a reply. With a key the same call finds its question again, so that nobody is asked twice. */
async function call(path, { headers, ...init }, options, seen = () => undefined) {
  const env = globalThis.process?.env ?? {};
  const { url = env.BECKON_URL ?? 'http://localhost:4275', apiKey = env.BECKON_KEY } = options;
  const { signal, giveUpMs = GIVE_UP_MS } = options;
  const address = new URL(url.replace(/\/+$/, '') + path);
  // An impossible header is the caller's mistake, and no lost connection.
  const sent = new Headers({ ...headers, authorization: `Bearer ${apiKey}` });
  for (let [tries, reads, failing] = [0, 0]; ; tries++) {
    signal?.throwIfAborted();
    let error = new Error('The connection to the hub was lost.');
    let pauseMs = Math.min(500 * 2 ** tries, 15_000);
    try {
      const sentAt = Date.now();
      const response = await fetch(address, { ...init, headers: sent, redirect: 'manual', signal });
      seen(response);
      const receivedAt = Date.now();
      const told = Date.parse(response.headers.get('date') ?? '') + 999;
      if (receivedAt - sentAt < QUICK_MS && told > 0) ahead = told - receivedAt;
      // Only a call that found its question gets on.
      if (response.headers.has('beckon-ask')) [tries, failing] = [0, undefined];
      pauseMs = Number(response.headers.get('retry-after')) * 1000 || pauseMs;
      const text = await response.text().catch((cut) => {
        // A refusal is known by its status.
        if (response.ok || RETRIED.includes(response.status)) throw cut;
        return '';
      });
      const value = parsed(response, text);
      if (value !== undefined && stillValid(response, value, { sentAt, receivedAt, isLast: ++reads >= 3 }))
        return { status: response.status, value };
      if (value !== undefined) continue;
    } catch (thrown) {
      if (thrown instanceof AskError && !RETRIED.includes(thrown.status)) throw thrown;
      error = thrown;
    }
    signal?.throwIfAborted();
    failing ??= Date.now();
    if (Date.now() + pauseMs - failing > giveUpMs) throw unreached(address, error);
    await pause(pauseMs, signal);
  }
}

function unreached({ origin }, error) {
  if (error instanceof AskError) return error;
  const cause = [error.message, error.cause?.code].filter(Boolean).join(', ');
  return new Error(`The hub at ${origin} was not reached (${cause}).`, { cause: error });
}

/** What a response holds, or undefined where it was cut off. Throws what is a problem, under 200 too. */
function parsed(response, text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    if (response.ok && text.trim() === '') return undefined;
    const detail = `The hub replied ${response.status} and no JSON; is its address right?`;
    throw new AskError({ status: response.status, code: 'reply.not_json', detail });
  }
  const isProblem = typeof value?.type === 'string' && value.type.startsWith('urn:beckon:problem:');
  if (!response.ok || isProblem) throw new AskError({ status: response.status, ...value });
  return value;
}

/**
 * Refuses what was approved and had ended as it was read: a reply that comes once more may be of last week. False where a
 * process that slept, or a slow network, may have read it after its end: then it is read again, and refused in the end.
 */
function stillValid({ headers }, value, { sentAt, receivedAt, isLast }) {
  const until = headers.get('beckon-valid-until') ?? value?.validUntil;
  if (typeof until !== 'string') return true;
  // By the hub's clock, which tells whole seconds; a proxy may have taken it away.
  const told = Date.parse(headers.get('date') ?? '');
  const now = Number.isNaN(told) ? Date.now() : told + 999 + Date.now() - receivedAt;
  const isSure = Number.isNaN(told) || now + receivedAt - sentAt < Date.parse(until);
  if (now < Date.parse(until) && (isSure || !isLast)) return isSure;
  const detail = `The approval ended at ${until}: do not run it. Ask again if it is still needed.`;
  throw new AskError({ type: 'urn:beckon:problem:ask.ended', status: 409, code: 'ask.ended', detail });
}

function pathOf(dialect, options, more = {}) {
  const query = new URLSearchParams(more);
  for (const name of QUERY) if (options[name] !== undefined) query.set(name, String(options[name]));
  return `/v1/ask/${encodeURIComponent(dialect)}?${query}`;
}

function keyed(options) {
  // crypto.randomUUID is missing in Node 18 and on pages without TLS; the hub tells sources apart.
  const random = () => Math.random().toString(36).slice(2);
  return { ...options, idempotencyKey: options.idempotencyKey ?? `${Date.now()}-${random()}${random()}` };
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
