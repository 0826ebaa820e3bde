import type { Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Draft, Snapshot } from '#shared/live.ts';
import type { Proposal } from '#shared/policies/decider.ts';
import type { YoloState } from '#shared/policies/yolo.ts';

/** What a decider proposes, as this version told it; without `proposal` it is gone. */
export type Proposed = { version: number; proposal?: Proposal | undefined };

/** Until when this person set it apart, as this version told it; without `at` no longer. */
export type Later = { version: number; at?: string | undefined };

/** An open inquiry, and the version at which it was last known to be open. */
export type Open = { inquiry: Inquiry; version: number };

/** What this page knows of the hub: exactly what is open, as far as it was told. */
export type LiveState = {
  /** Version of the last snapshot of this connection; -1 before the first. */
  base: number;
  /** Every version up to here is known. */
  floor: number;
  /** Versions known beyond a gap. */
  beyond: ReadonlySet<number>;
  open: ReadonlyMap<string, Open>;
  /** Resolved ids, so that an event that comes late never reopens one. */
  resolutions: ReadonlyMap<string, Resolution>;
  drafts: ReadonlyMap<string, Draft>;
  /** What there is to show of YOLO, as the newest of these versions told. */
  yolo: { version: number } & YoloState;
  proposals: ReadonlyMap<string, Proposed>;
  later: ReadonlyMap<string, Later>;
};

export type LiveEvent =
  | { type: 'connected' }
  /** What was open when the page was last closed, to be read while there is no line. */
  | { type: 'restored'; inquiries: Inquiry[] }
  | { type: 'snapshot'; snapshot: Snapshot }
  /** All that stands behind a snapshot with `more`, read over HTTP after it. */
  | { type: 'rest'; version: number; inquiries: Inquiry[] }
  | { type: 'inquiry'; version: number; inquiry: Inquiry }
  | { type: 'withdraw'; version: number; inquiryId: string; resolution: Resolution }
  /** The reply to an answer of this page, with the version of the withdraw it is spared, or a reading over HTTP. */
  | { type: 'resolved'; inquiryId: string; resolution: Resolution; version?: number | undefined }
  /** Read over HTTP, or in the reply to an approval that others are wanted beside. */
  | { type: 'read'; inquiry: Inquiry }
  | { type: 'draft'; draft: Draft }
  | { type: 'yolo'; version: number; yolo: YoloState }
  | ({ type: 'proposal'; inquiryId: string } & Proposed)
  | ({ type: 'later'; inquiryId: string } & Later)
  | { type: 'dismissed'; inquiryId: string }
  /** Whoever asked is gone since then; absent: it is back. */
  | { type: 'asker'; inquiryId: string; goneAt?: string }
  | { type: 'heartbeat'; version: number }
  | { type: 'gap_lasted' };

export type Effect =
  | { type: 'sync' }
  /** Dispatch `gap_lasted` in 300 ms. */
  | { type: 'watch_gap' }
  | { type: 'read_rest'; version: number }
  | { type: 'closed'; inquiry: Inquiry; resolution: Resolution }
  /** Open when last heard of, and no longer; how it ended is not known. */
  | { type: 'vanished'; inquiry: Inquiry };

type Applied = { state: LiveState; effects: Effect[] };

const RESOLUTIONS_KEPT = 2000;

export const nothingKnown: LiveState = {
  base: -1,
  floor: -1,
  beyond: new Set(),
  open: new Map(),
  resolutions: new Map(),
  drafts: new Map(),
  yolo: { version: -1 },
  proposals: new Map(),
  later: new Map(),
};

/** [LIV1] Folds one event into the state; late, doubled and reordered events end in the same state. Pure. */
export function apply(state: LiveState, event: LiveEvent): Applied {
  switch (event.type) {
    case 'connected':
      return {
        state: {
          ...state,
          base: -1,
          floor: -1,
          beyond: new Set(),
          open: forgetVersions(state.open),
          yolo: { ...state.yolo, version: -1 },
          proposals: forgotten(state.proposals),
          later: forgotten(state.later),
        },
        effects: [],
      };
    case 'restored':
      return state.base >= 0
        ? { state, effects: [] }
        : {
            state: {
              ...state,
              open: new Map([...event.inquiries.map(unversioned), ...state.open]),
              later: new Map([...laterOf(event.inquiries, -1), ...state.later]),
            },
            effects: [],
          };
    case 'snapshot':
      return applySnapshot(state, event.snapshot);
    case 'rest':
      return event.version === state.base
        ? applyList(state, event.version, event.inquiries, true)
        : { state, effects: [] };
    case 'inquiry':
      return applyInquiry(state, event.version, event.inquiry);
    case 'withdraw':
      return note(close(state, event.inquiryId, event.resolution), event.version);
    case 'resolved': {
      const closed = close(state, event.inquiryId, event.resolution);
      return event.version === undefined ? closed : note(closed, event.version);
    }
    case 'read': {
      const newer = (before: Inquiry) => (before.revision < event.inquiry.revision ? event.inquiry : before);
      return { state: { ...state, open: change(state.open, event.inquiry.id, newer) }, effects: [] };
    }
    case 'draft':
      return {
        state: isNewDraft(state, event.draft)
          ? { ...state, drafts: new Map(state.drafts).set(event.draft.inquiryId, event.draft) }
          : state,
        effects: [],
      };
    case 'yolo':
      return note({ state: withYolo(state, event.version, event.yolo), effects: [] }, event.version);
    case 'proposal':
      return note({ state: withProposal(state, event), effects: [] }, event.version);
    case 'later':
      return note({ state: withLater(state, event), effects: [] }, event.version);
    case 'dismissed':
      return { state: { ...state, open: change(state.open, event.inquiryId, dismissed) }, effects: [] };
    case 'asker':
      return { state: { ...state, open: change(state.open, event.inquiryId, gone(event.goneAt)) }, effects: [] };
    case 'heartbeat':
      return { state, effects: state.base >= 0 && event.version > state.floor ? [{ type: 'sync' }] : [] };
    case 'gap_lasted':
      return { state, effects: state.beyond.size > 0 ? [{ type: 'sync' }] : [] };
  }
}

/** What is open, each with what was told since of when this person set it apart. */
export function readOpen({ open, later }: LiveState): Inquiry[] {
  return [...open.values()].map(({ inquiry: { laterAt: _told, ...inquiry } }) => {
    const at = later.get(inquiry.id)?.at;
    return at === undefined ? inquiry : { ...inquiry, laterAt: at };
  });
}

function applySnapshot(state: LiveState, snapshot: Snapshot): Applied {
  // A snapshot that was overtaken by everything after it has nothing to tell.
  if (snapshot.version < state.floor) return { state, effects: [] };
  const beyond = new Set([...state.beyond].filter((version) => version > snapshot.version));
  const drafts = new Map([...state.drafts].filter(([, draft]) => draft.at > snapshot.serverTime));
  for (const draft of snapshot.drafts) if (!drafts.has(draft.inquiryId)) drafts.set(draft.inquiryId, draft);
  const proposals = new Map([...state.proposals].filter(([, { version }]) => version > snapshot.version));
  for (const proposal of snapshot.proposals ?? [])
    if (!proposals.has(proposal.inquiryId)) proposals.set(proposal.inquiryId, { version: snapshot.version, proposal });
  const later = new Map([...state.later].filter(([, { version }]) => version > snapshot.version));
  const listed = applyList(
    { ...withYolo(state, snapshot.version, snapshot.yolo), base: snapshot.version, beyond, drafts, proposals, later },
    snapshot.version,
    snapshot.inquiries,
    !snapshot.more,
  );
  const { floor, beyond: still } = settle(snapshot.version, beyond);
  return {
    state: { ...listed.state, floor, beyond: still },
    effects: [
      ...listed.effects,
      ...(still.size > 0 ? [{ type: 'watch_gap' } as const] : []),
      ...(snapshot.more ? [{ type: 'read_rest', version: snapshot.version } as const] : []),
    ],
  };
}

/** What was read over HTTP where there is no line, as a snapshot: it tells nothing of drafts and YOLO, so what is known of them stays. */
export function snapshotOf(inquiries: Inquiry[], { yolo }: LiveState): Snapshot {
  return { version: 0, serverTime: '', inquiries, more: false, drafts: [], yolo };
}

/** What the list names is open at `version`; with `whole`, nothing else known up to then is. */
function applyList(state: LiveState, version: number, inquiries: Inquiry[], whole: boolean): Applied {
  const open = new Map(state.open);
  for (const inquiry of inquiries) {
    if (state.resolutions.has(inquiry.id)) continue;
    const known = open.get(inquiry.id);
    const newer = known && known.inquiry.revision > inquiry.revision ? known.inquiry : inquiry;
    open.set(inquiry.id, { inquiry: newer, version: Math.max(known?.version ?? -1, version) });
  }
  const vanished = whole ? [...open.values()].filter((entry) => entry.version < version) : [];
  const drafts = new Map(state.drafts);
  for (const { inquiry } of vanished) {
    open.delete(inquiry.id);
    drafts.delete(inquiry.id);
  }
  const later = new Map([...laterOf(inquiries, version), ...state.later]);
  return {
    state: { ...state, open, drafts, later },
    effects: vanished.map(({ inquiry }) => ({ type: 'vanished', inquiry })),
  };
}

function applyInquiry(state: LiveState, version: number, inquiry: Inquiry): Applied {
  if (version <= state.base) return { state, effects: [] };
  if (inquiry.resolution) return note(close(state, inquiry.id, inquiry.resolution), version);
  const known = state.open.get(inquiry.id);
  if (state.resolutions.has(inquiry.id)) return note({ state, effects: [] }, version);
  const newer = known && known.inquiry.revision >= inquiry.revision ? known.inquiry : inquiry;
  const open = new Map(state.open).set(inquiry.id, {
    inquiry: newer,
    version: Math.max(known?.version ?? -1, version),
  });
  return note({ state: { ...state, open }, effects: [] }, version);
}

function close(state: LiveState, inquiryId: string, resolution: Resolution): Applied {
  if (state.resolutions.has(inquiryId)) return { state, effects: [] };
  const closed = state.open.get(inquiryId);
  const open = without(state.open, inquiryId);
  const drafts = without(state.drafts, inquiryId);
  const proposals = without(state.proposals, inquiryId);
  const later = without(state.later, inquiryId);
  const resolutions = new Map([...state.resolutions].slice(1 - RESOLUTIONS_KEPT)).set(inquiryId, resolution);
  return {
    state: { ...state, open, drafts, proposals, later, resolutions },
    effects: closed ? [{ type: 'closed', inquiry: closed.inquiry, resolution }] : [],
  };
}

/** Counts a version as known, and watches a gap before it. */
function note({ state, effects }: Applied, version: number): Applied {
  if (version <= state.floor) return { state, effects };
  const { floor, beyond } = settle(state.floor, new Set(state.beyond).add(version));
  const gap = state.base >= 0 && beyond.size > 0;
  return { state: { ...state, floor, beyond }, effects: gap ? [...effects, { type: 'watch_gap' }] : effects };
}

function settle(from: number, known: Set<number>): { floor: number; beyond: Set<number> } {
  let floor = from;
  while (known.delete(floor + 1)) floor++;
  return { floor, beyond: known };
}

/** What was read at a later version says how it stands. */
function withYolo(state: LiveState, version: number, yolo: YoloState = {}): LiveState {
  return version < state.yolo.version ? state : { ...state, yolo: { version, ...yolo } };
}

function change(open: LiveState['open'], inquiryId: string, to: (before: Inquiry) => Inquiry): LiveState['open'] {
  const entry = open.get(inquiryId);
  return entry ? new Map(open).set(inquiryId, { ...entry, inquiry: to(entry.inquiry) }) : open;
}

const dismissed = (inquiry: Inquiry): Inquiry => ({ ...inquiry, dismissed: true });
const gone =
  (askerGoneAt: string | undefined) =>
  ({ askerGoneAt: _before, ...inquiry }: Inquiry): Inquiry =>
    askerGoneAt === undefined ? inquiry : { ...inquiry, askerGoneAt };

function withProposal(state: LiveState, { inquiryId, version, proposal }: { inquiryId: string } & Proposed): LiveState {
  if (!isNews(state, inquiryId, version, state.proposals.get(inquiryId))) return state;
  return { ...state, proposals: new Map(state.proposals).set(inquiryId, { version, proposal }) };
}

function withLater(state: LiveState, { inquiryId, version, at }: { inquiryId: string } & Later): LiveState {
  if (!isNews(state, inquiryId, version, state.later.get(inquiryId))) return state;
  return { ...state, later: new Map(state.later).set(inquiryId, { version, at }) };
}

/** The newest version stands, whichever came first; the last snapshot has said all up to its own. */
function isNews({ base, resolutions }: LiveState, id: string, version: number, known = { version: base }): boolean {
  return version > base && version > known.version && !resolutions.has(id);
}

function isNewDraft(state: LiveState, draft: Draft): boolean {
  const known = state.drafts.get(draft.inquiryId);
  return !state.resolutions.has(draft.inquiryId) && (known === undefined || known.at < draft.at);
}

const without = <One>(from: ReadonlyMap<string, One>, id: string) => new Map([...from].filter(([one]) => one !== id));
// A hub that went back to an older copy counts from there.
const forgotten = <One extends { version: number }>(told: ReadonlyMap<string, One>) =>
  new Map([...told].map(([id, one]) => [id, { ...one, version: -1 }] as const));
const laterOf = (inquiries: Inquiry[], version: number) =>
  inquiries.flatMap(({ id, laterAt: at }) => (at === undefined ? [] : [[id, { version, at }] as const]));
const unversioned = (inquiry: Inquiry): [string, Open] => [inquiry.id, { inquiry, version: -1 }];
const forgetVersions = (open: LiveState['open']) =>
  new Map([...open.values()].map(({ inquiry }) => unversioned(inquiry)));
