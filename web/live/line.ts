import { batch, signal } from '@preact/signals';
import type { DeviceToHub } from '#shared/live.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { setAhead } from '../ui/clock.ts';
import { call, isPassing, type Refusal, type Reply } from './api.ts';
import { apply, nothingKnown, readOpen, snapshotOf, type Effect, type LiveEvent } from './apply.ts';
import { enrolmentEvents } from './enrolments.ts';
import { faults, note } from './faults.ts';
import { isMissed, saved, known, notTaken, openInquiryId, unseen, withEntry } from './inquiries.ts';
import { noticeEvents } from './notices.ts';
import { reloadOnce } from './reload.ts';
import { endSession, meEvents } from './session.ts';
import { openLine, type Line } from './socket.ts';
import { keepSettled, keepStored, recallSettled } from './stored.ts';
import { lastWins } from './outgoing/throttle.ts';

/** `live`: what is shown is what is open. `offline`: it is what was open at `lostAt`. */
export const connection = signal<'live' | 'connecting' | 'offline'>('connecting');
/** When the line was lost (ms), while it is. */
export const lostAt = signal<number | undefined>(undefined);

const GAP_MS = 300;
const SYNC_REPLY_MS = 2000;
const OFFLINE_AFTER_MS = 2500;

let line: Line | undefined;
let syncing = false;
let seekAt = 0;
let keptAhead = Infinity;
let gapTimer: ReturnType<typeof setTimeout> | undefined;
let offlineTimer: ReturnType<typeof setTimeout> | undefined;
const openToKeep = lastWins<Inquiry[]>(1000, keepStored);

/** Opens the line to the hub and keeps it open; `back` is called each time it is live again. Returns how to hang up. */
export function connect(token: string, back: () => void): () => void {
  line = openLine(token, {
    up: () => dispatch({ type: 'connected' }),
    down: () => lineLost(back),
    forgotten: () => void endSession(true),
    snapshot(snapshot) {
      hearTime(snapshot.serverTime);
      dispatch({ type: 'snapshot', snapshot });
      if (connection.value !== 'live' || faults.peek().has('polled')) lineBack(back);
    },
    inquiry: (event) => dispatch({ type: 'inquiry', ...event }),
    withdraw: (event) => dispatch({ type: 'withdraw', ...event }),
    not_taken: ({ inquiryId }) => (notTaken.value = new Set([...notTaken.value, inquiryId])),
    asker: (event) => dispatch({ type: 'asker', ...event }),
    picked_up: (event) => void notePickedUp(event),
    draft: (draft) => dispatch({ type: 'draft', draft }),
    heartbeat(event) {
      hearTime(event.serverTime);
      dispatch({ type: 'heartbeat', version: event.version });
    },
    yolo: ({ version, ...yolo }) => dispatch({ type: 'yolo', version, yolo }),
    later: (event) => dispatch({ type: 'later', ...event }),
    proposal: (event) => dispatch({ type: 'proposal', ...event }),
    upgrade: () => void reloadOnce(),
    outdated: () => void reloadOnce(),
    revoked: () => void endSession(true),
    ...meEvents,
    ...noticeEvents,
    ...enrolmentEvents,
  });
  const stopWaking = onWake();
  return () => {
    stopWaking();
    line?.close();
    line = undefined;
    keptAhead = Infinity;
    clearTimeout(offlineTimer);
    offlineTimer = undefined;
    openToKeep.drop('open');
    batch(() => {
      known.value = nothingKnown;
      connection.value = 'connecting';
      lostAt.value = undefined;
    });
  };
}

/** Sends one live event; undefined when there is no line or no acknowledgement in time. */
export function tell<Event extends keyof DeviceToHub>(event: Event, body: Parameters<DeviceToHub[Event]>[0]) {
  return line ? line.send(event, body) : Promise.resolve(undefined);
}

/** Tries the line now instead of at the next attempt. */
export function wake(): void {
  if (!line) return;
  if (line.connected()) void sync();
  else line.reconnect();
}

/** Folds one event into what is known, and does what follows from it. */
export function dispatch(event: LiveEvent): void {
  const { state, effects } = apply(known.value, event);
  batch(() => {
    known.value = state;
    for (const effect of effects) run(effect);
  });
  if (event.type !== 'connected') openToKeep.give('open', readOpen(state));
}

/** How an inquiry ended that was resolved while this page was away; without a hub, as this device was told before. */
export async function readOutcome(inquiryId: string): Promise<Inquiry | undefined> {
  const reply = await call<Inquiry>('GET', `/v1/inquiries/${encodeURIComponent(inquiryId)}`);
  if (reply.problem) return isPassing(reply.problem) ? recallSettled(inquiryId) : undefined;
  if (reply.ok.resolution) {
    dispatch({ type: 'resolved', inquiryId, resolution: reply.ok.resolution });
    keepSettled(reply.ok);
  }
  return reply.ok;
}

// Not picked up, an answer is news: whoever gave it thinks that it is done.
async function notePickedUp({ inquiryId, pickedUp }: { inquiryId: string; pickedUp: boolean }): Promise<void> {
  if (pickedUp && !saved.value.has(inquiryId)) return;
  const inquiry = await readOutcome(inquiryId);
  if (!inquiry) return;
  batch(() => {
    saved.value = withEntry(saved.value, inquiryId, inquiry);
    if (!pickedUp && openInquiryId.value !== inquiryId) unseen.value = new Set(unseen.value).add(inquiryId);
  });
}

function run(effect: Effect): void {
  switch (effect.type) {
    case 'sync':
      return void sync();
    case 'watch_gap':
      gapTimer ??= setTimeout(() => {
        gapTimer = undefined;
        dispatch({ type: 'gap_lasted' });
      }, GAP_MS);
      return;
    case 'read_rest':
      return void readRest(effect.version);
    case 'closed':
    case 'vanished':
      if (effect.type === 'closed') keepSettled({ ...effect.inquiry, resolution: effect.resolution });
      if (!isMissed(effect.inquiry.id)) return;
      saved.value = withEntry(saved.value, effect.inquiry.id, effect.inquiry);
      if (effect.type === 'vanished') void readOutcome(effect.inquiry.id);
  }
}

async function sync(): Promise<void> {
  if (syncing || !line?.connected()) return;
  syncing = true;
  const reply = await line.send('sync', {}, SYNC_REPLY_MS);
  syncing = false;
  // Whoever signed out meanwhile has none.
  if (reply === undefined) line?.reconnect();
}

async function readRest(version: number): Promise<void> {
  const inquiries = await readInbox();
  if (inquiries) dispatch({ type: 'rest', version, inquiries });
}

async function readInbox(): Promise<Inquiry[] | undefined> {
  const inquiries: Inquiry[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const reply: Reply<{ items: Inquiry[]; nextCursor?: string }> | Refusal = await call(
      'GET',
      `/v1/inbox?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    if (reply.problem) return undefined;
    inquiries.push(...reply.ok.items);
    cursor = reply.ok.nextCursor;
  }
  return inquiries;
}

function lineLost(back: () => void): void {
  if (faults.peek().has('polled')) return void seek(back);
  lostAt.value ??= Date.now();
  if (connection.value === 'offline') return void seek(back);
  connection.value = navigator.onLine ? 'connecting' : 'offline';
  offlineTimer ??= setTimeout(() => {
    connection.value = 'offline';
    void seek(back);
  }, OFFLINE_AFTER_MS);
}

// A live line cannot tell a network that is gone from one that wants a sign-in first, or from one that refuses live lines
// alone. There the page goes on over HTTP: it reads what is open each time the line was tried.
async function seek(back: () => void): Promise<void> {
  const began = performance.now();
  if (began < seekAt) return;
  seekAt = Infinity;
  const { problem, date } = await call('GET', '/healthz');
  const inquiries = problem ? undefined : await readInbox();
  // However much is open, a tenth of the time is spent on reading it.
  seekAt = inquiries ? 10 * performance.now() - 9 * began : 0;
  // It may be back since.
  if (!line || line.connected()) return;
  const isNew = !faults.peek().has('polled');
  if (date) hearTime(date);
  batch(() => {
    note('portal', problem?.code === 'network.intercepted');
    note('polled', inquiries !== undefined);
    connection.value = inquiries ? 'live' : 'offline';
    lostAt.value = inquiries ? undefined : (lostAt.value ?? Date.now());
    if (!inquiries) return;
    dispatch({ type: 'connected' });
    dispatch({ type: 'snapshot', snapshot: snapshotOf(inquiries, known.value) });
  });
  if (inquiries && isNew) back();
}

// A device whose clock is wrong goes by it without a line too.
function hearTime(serverTime: string): void {
  const ahead = Date.parse(serverTime) - Date.now();
  if (Number.isNaN(ahead)) return;
  setAhead(ahead);
  if (Math.abs(ahead - keptAhead) < 1000) return;
  keptAhead = ahead;
  void keepStored('ahead', ahead);
}

function lineBack(back: () => void): void {
  clearTimeout(offlineTimer);
  offlineTimer = undefined;
  batch(() => {
    lostAt.value = undefined;
    connection.value = 'live';
    note('portal', false);
    note('polled', false);
  });
  back();
}

function onWake(): () => void {
  const visible = () => document.visibilityState === 'visible' && wake();
  document.addEventListener('visibilitychange', visible);
  for (const name of ['online', 'offline', 'pageshow']) addEventListener(name, wake);
  return () => {
    document.removeEventListener('visibilitychange', visible);
    for (const name of ['online', 'offline', 'pageshow']) removeEventListener(name, wake);
  };
}
