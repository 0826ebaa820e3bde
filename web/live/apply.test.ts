import { deepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Proposal } from '#shared/policies/decider.ts';
import type { Yolo } from '#shared/policies/yolo.ts';
import { apply, type Effect, type LiveEvent, type LiveState, nothingKnown, snapshotOf } from './apply.ts';

const SEED = 20_260_711;

function inquiry(id: string, revision = 1): Inquiry {
  const at = new Date(1_800_000_000_000 + revision * 1000).toISOString();
  return {
    id,
    state: 'open',
    to: ['mara'],
    title: id,
    source: { id: 'src_1', name: 'Train' },
    digest: 'd',
    revision,
    openedAt: at,
    deadlineAt: at,
    latestAt: at,
    reach: { told: 0, accepted: 0, shown: 0, opened: 0 },
  };
}

function resolution(id: string): Resolution {
  return { outcome: 'answered', at: '2027-01-01T00:00:00.000Z', text: id, by: { kind: 'deadline', label: id } };
}

function snapshot(version: number, inquiries: Inquiry[], more = false): LiveEvent {
  return {
    type: 'snapshot',
    snapshot: { version, serverTime: '2027-01-01T00:00:00.000Z', inquiries, more, drafts: [] },
  };
}

function yolo(id: string): Yolo {
  const [startedAt, untilAt] = ['2027-01-01T00:00:00.000Z', '2027-01-01T01:00:00.000Z'];
  return { id, calls: 'approve', startedAt, startedOn: { id: 'dev_1', name: 'iPad' }, untilAt, settledCount: 0 };
}

function after(events: LiveEvent[], from: LiveState = nothingKnown): { state: LiveState; effects: Effect[] } {
  return events.reduce<{ state: LiveState; effects: Effect[] }>(
    (so, event) => {
      const { state, effects } = apply(so.state, event);
      return { state, effects: [...so.effects, ...effects] };
    },
    { state: from, effects: [] },
  );
}

/** What the person sees: which inquiries are open, and at which revision. */
function view(state: LiveState): [string, number][] {
  return [...state.open.values()]
    .map((open): [string, number] => [open.inquiry.id, open.inquiry.revision])
    .toSorted(byId);
}

/** A hub's history: from each number, an opening, a moved deadline or a resolution, with consecutive versions. */
function historyOf(choices: number[]): { deltas: LiveEvent[]; openAt: (version: number) => Inquiry[] } {
  const states: Map<string, Inquiry>[] = [new Map()];
  const deltas = choices.map((choice, index): LiveEvent => {
    const version = index + 1;
    const open = new Map(states.at(-1));
    states.push(open);
    const ids = [...open.keys()];
    const picked = ids[choice % Math.max(1, ids.length)];
    if (picked === undefined || choice % 3 === 0) {
      const opened = inquiry(`inq_${version}`);
      open.set(opened.id, opened);
      return { type: 'inquiry', version, inquiry: opened };
    }
    if (choice % 3 === 1) {
      const moved = inquiry(picked, (open.get(picked)?.revision ?? 0) + 1);
      open.set(picked, moved);
      return { type: 'inquiry', version, inquiry: moved };
    }
    open.delete(picked);
    return { type: 'withdraw', version, inquiryId: picked, resolution: resolution(picked) };
  });
  return { deltas, openAt: (version) => [...(states[version]?.values() ?? [])] };
}

const choices = fc.array(fc.nat(1000), { minLength: 1, maxLength: 25 });

test(`[LIV1] deltas doubled and in any order around two snapshots end in the same state (seed ${SEED})`, () => {
  fc.assert(
    fc.property(choices, fc.nat(), fc.infiniteStream(fc.nat(1_000_000)), (made, at, chance) => {
      const { deltas, openAt } = historyOf(made);
      const snapshots = [at, next(chance)]
        .map((some) => some % (deltas.length + 1))
        .map((version) => snapshot(version, openAt(version)));
      const doubled = [...deltas, ...deltas, ...snapshots];
      const shuffled = shuffle(doubled, chance);
      const { state } = after([{ type: 'connected' }, ...shuffled]);
      deepStrictEqual(view(state), listed(openAt(deltas.length)));
      deepStrictEqual([state.floor, state.beyond.size], [deltas.length, 0]);
    }),
    { seed: SEED, numRuns: 400 },
  );
});

test(`[LIV1] whatever was lost, late or doubled, the next snapshot and what follows it make the state whole (seed ${SEED + 1})`, () => {
  fc.assert(
    fc.property(choices, fc.nat(), fc.infiniteStream(fc.nat(1_000_000)), (made, at, chance) => {
      const { deltas, openAt } = historyOf(made);
      const first = at % (deltas.length + 1);
      const heard = shuffle(deltas, chance).filter(() => next(chance) % 2 === 0);
      const late = shuffle(deltas, chance).filter(() => next(chance) % 2 === 0);
      const whole = snapshot(deltas.length, openAt(deltas.length));
      const { state } = after([{ type: 'connected' }, snapshot(first, openAt(first)), ...heard, whole, ...late]);
      deepStrictEqual(view(state), listed(openAt(deltas.length)));
    }),
    { seed: SEED + 1, numRuns: 400 },
  );
});

test(`[LIV1] a resolved inquiry never comes back, whatever arrives after (seed ${SEED + 2})`, () => {
  fc.assert(
    fc.property(choices, fc.infiniteStream(fc.nat(1_000_000)), (made, chance) => {
      const { deltas, openAt } = historyOf(made);
      const snapshots = deltas.map((_, version) => snapshot(version, openAt(version)));
      const gone = new Set<string>();
      let state = nothingKnown;
      for (const event of shuffle([...deltas, ...deltas, ...snapshots, { type: 'connected' } as const], chance)) {
        state = apply(state, event).state;
        if (event.type === 'withdraw') gone.add(event.inquiryId);
        ok(
          view(state).every(([id]) => !gone.has(id)),
          'a resolved inquiry is open again',
        );
      }
    }),
    { seed: SEED + 2, numRuns: 400 },
  );
});

test('[LIV1] a gap is watched, and asks for a snapshot when it lasts', () => {
  const start = after([{ type: 'connected' }, snapshot(4, [])]).state;
  const gap = after([{ type: 'inquiry', version: 6, inquiry: inquiry('inq_6') }], start);
  deepStrictEqual(gap.effects, [{ type: 'watch_gap' }]);
  deepStrictEqual(after([{ type: 'gap_lasted' }], gap.state).effects, [{ type: 'sync' }]);
  deepStrictEqual(
    after([{ type: 'inquiry', version: 5, inquiry: inquiry('inq_5') }, { type: 'gap_lasted' }], gap.state).effects,
    [],
  );
});

test('[LIV1] a heartbeat that is ahead asks for a snapshot, one that is not does nothing', () => {
  const start = after([{ type: 'connected' }, snapshot(4, [])]).state;
  deepStrictEqual(after([{ type: 'heartbeat', version: 4 }], start).effects, []);
  deepStrictEqual(after([{ type: 'heartbeat', version: 5 }], start).effects, [{ type: 'sync' }]);
});

test('[WDR2] what was open before and is missing from the snapshot vanishes; how it ended is for others to ask', () => {
  const before = after([
    { type: 'connected' },
    snapshot(1, [inquiry('inq_1'), inquiry('inq_2')]),
    { type: 'connected' },
  ]).state;
  const { state, effects } = after([snapshot(7, [inquiry('inq_2')])], before);
  deepStrictEqual([view(state), effects], [[['inq_2', 1]], [{ type: 'vanished', inquiry: inquiry('inq_1') }]]);
});

test('[LIV1] with more than the snapshot holds, the rest is read before anything is taken away', () => {
  const before = after([
    { type: 'connected' },
    snapshot(1, [inquiry('inq_1'), inquiry('inq_2')]),
    { type: 'connected' },
  ]).state;
  const first = after([snapshot(7, [inquiry('inq_9')], true)], before);
  deepStrictEqual([view(first.state).length, first.effects], [3, [{ type: 'read_rest', version: 7 }]]);
  const rest = after([{ type: 'rest', version: 7, inquiries: [inquiry('inq_2')] }], first.state);
  deepStrictEqual(
    [view(rest.state), rest.effects],
    [
      [
        ['inq_2', 1],
        ['inq_9', 1],
      ],
      [{ type: 'vanished', inquiry: inquiry('inq_1') }],
    ],
  );
});

test('[LIV1] a hub that went back to an older copy is believed at the next connection', () => {
  const before = after([{ type: 'connected' }, snapshot(90, [inquiry('inq_1')])]).state;
  deepStrictEqual(view(after([snapshot(3, [])], before).state), [['inq_1', 1]]);
  deepStrictEqual(view(after([{ type: 'connected' }, snapshot(3, [])], before).state), []);
});

test('[LIV1] what an earlier visit kept is shown until the first snapshot, and never after it', () => {
  const restored: LiveEvent = { type: 'restored', inquiries: [inquiry('inq_1')] };
  deepStrictEqual(view(after([restored]).state), [['inq_1', 1]]);
  deepStrictEqual(view(after([restored, { type: 'connected' }, snapshot(2, [])]).state), []);
  deepStrictEqual(view(after([{ type: 'connected' }, snapshot(2, []), restored]).state), []);
});

test('[LIV1] what is read over HTTP opens and closes, and leaves drafts and YOLO as they are known', () => {
  const draft = {
    inquiryId: 'inq_1',
    device: { id: 'dev_1', name: 'iPad' },
    handle: 'mara',
    at: '2027-01-01T00:00:02Z',
  };
  const before = after([
    { type: 'connected' },
    snapshot(7, [inquiry('inq_1'), inquiry('inq_2')]),
    { type: 'yolo', version: 8, yolo: { running: yolo('yol_1') } },
    { type: 'draft', draft },
  ]).state;
  const read = (state: LiveState) =>
    after(
      [{ type: 'connected' }, { type: 'snapshot', snapshot: snapshotOf([inquiry('inq_1'), inquiry('inq_3')], state) }],
      state,
    ).state;
  const { open, drafts, yolo: shown } = read(read(before));
  deepStrictEqual(
    [[...open.keys()], [...drafts.values()], shown.running],
    [['inq_1', 'inq_3'], [draft], yolo('yol_1')],
  );
});

test('[LIV1] of two drafts the later one stands, and none outlives its inquiry', () => {
  const draft = (at: string): LiveEvent => ({
    type: 'draft',
    draft: { inquiryId: 'inq_1', device: { id: 'dev_1', name: 'iPad' }, handle: 'mara', at },
  });
  const open = after([
    { type: 'connected' },
    snapshot(1, [inquiry('inq_1')]),
    draft('2027-01-01T00:00:02.000Z'),
    draft('2027-01-01T00:00:01.000Z'),
  ]);
  deepStrictEqual(
    [...open.state.drafts.values()].map(({ at }) => at),
    ['2027-01-01T00:00:02.000Z'],
  );
  const closed = after(
    [
      { type: 'withdraw', version: 2, inquiryId: 'inq_1', resolution: resolution('inq_1') },
      draft('2027-01-01T00:00:03.000Z'),
    ],
    open.state,
  );
  deepStrictEqual([...closed.state.drafts], []);
});

test('[POL6] [LIV1] however late or doubled, the newest word on YOLO stands, and counts as a known version', () => {
  const running = yolo('yol_1');
  const started: LiveEvent = { type: 'yolo', version: 2, yolo: { running } };
  const ended: LiveEvent = { type: 'yolo', version: 3, yolo: { ended: running } };
  const open = after([{ type: 'connected' }, snapshot(1, [])]);
  for (const events of [
    [started, ended],
    [ended, started],
    [ended, started, ended],
  ]) {
    const { state, effects } = after(events, open.state);
    const sync = effects.some(({ type }) => type === 'sync');
    deepStrictEqual([state.yolo, state.floor, sync], [{ version: 3, ended: running }, 3, false]);
  }
  const { state } = after([started], open.state);
  deepStrictEqual(after([snapshot(3, [])], state).state.yolo, { version: 3 });
  // Its hub went back to an older copy.
  deepStrictEqual(after([{ type: 'connected' }, snapshot(1, [])], state).state.yolo, { version: 1 });
});

test('[LIV1] however late or doubled, the newest word on a proposal stands, and none outlives its inquiry', () => {
  const proposal = (state: Proposal['state']): Proposal => ({
    id: 'prp_1',
    inquiryId: 'inq_1',
    decider: { id: 'dcd_1', name: 'Helper' },
    why: 'asked',
    state,
    at: '2027-01-01T00:00:00.000Z',
  });
  const ready: LiveEvent = { type: 'proposal', version: 2, inquiryId: 'inq_1', proposal: proposal('ready') };
  const gone: LiveEvent = { type: 'proposal', version: 3, inquiryId: 'inq_1' };
  const open = after([{ type: 'connected' }, snapshot(1, [inquiry('inq_1')])]).state;
  for (const events of [
    [ready, gone],
    [gone, ready],
    [gone, ready, gone],
  ]) {
    const { state } = after(events, open);
    deepStrictEqual([state.proposals.get('inq_1')?.proposal, state.floor], [undefined, 3]);
  }
  const { state } = after([ready], open);
  deepStrictEqual(state.proposals.get('inq_1')?.proposal?.state, 'ready');
  deepStrictEqual([...after([snapshot(3, [inquiry('inq_1')])], state).state.proposals], []);
  deepStrictEqual([...after([snapshot(3, [inquiry('inq_1')]), ready], state).state.proposals], []);
  const ended: LiveEvent = { type: 'withdraw', version: 3, inquiryId: 'inq_1', resolution: resolution('inq_1') };
  deepStrictEqual([...after([ended, ready], state).state.proposals], []);
});

test('[DLV4] [LIV1] however late or doubled, the newest word on what was set apart stands, and none outlives its inquiry', () => {
  const at = '2027-01-01T09:00:00.000Z';
  const set: LiveEvent = { type: 'later', version: 2, inquiryId: 'inq_1', at };
  const back: LiveEvent = { type: 'later', version: 3, inquiryId: 'inq_1' };
  const until = (events: LiveEvent[], from: LiveState) => after(events, from).state.later.get('inq_1')?.at;
  const open = after([{ type: 'connected' }, snapshot(1, [inquiry('inq_1')])]).state;
  for (const events of [
    [set, back],
    [back, set],
    [back, set, back],
  ])
    deepStrictEqual([until(events, open), after(events, open).state.floor], [undefined, 3]);
  const apart = after([set], open).state;
  const told = { ...inquiry('inq_1'), laterAt: at };
  const moved: LiveEvent = { type: 'inquiry', version: 3, inquiry: inquiry('inq_1', 2) };
  deepStrictEqual(
    [
      until([], apart),
      until([moved], apart),
      until([snapshot(3, [told])], apart),
      until([snapshot(3, [told]), moved], open),
      until([snapshot(3, [inquiry('inq_1')])], apart),
      until([snapshot(3, [inquiry('inq_1')]), set], apart),
      until([{ type: 'connected' }, snapshot(1, [inquiry('inq_1')])], apart),
      until([{ type: 'restored', inquiries: [told] }], nothingKnown),
    ],
    [at, at, at, at, undefined, undefined, undefined, at],
  );
  const ended: LiveEvent = { type: 'withdraw', version: 3, inquiryId: 'inq_1', resolution: resolution('inq_1') };
  deepStrictEqual([...after([ended, set], apart).state.later], []);
});

test('[RES2] the reply to an own answer closes the inquiry, and the withdraw that follows changes nothing', () => {
  const open = after([{ type: 'connected' }, snapshot(1, [inquiry('inq_1')])]).state;
  const own = after([{ type: 'resolved', inquiryId: 'inq_1', resolution: resolution('inq_1') }], open);
  deepStrictEqual(own.effects, [{ type: 'closed', inquiry: inquiry('inq_1'), resolution: resolution('inq_1') }]);
  const told = after(
    [{ type: 'withdraw', version: 2, inquiryId: 'inq_1', resolution: resolution('other') }],
    own.state,
  );
  deepStrictEqual([told.effects, told.state.resolutions.get('inq_1'), told.state.floor], [[], resolution('inq_1'), 2]);
});

function listed(inquiries: Inquiry[]): [string, number][] {
  return inquiries.map(({ id, revision }): [string, number] => [id, revision]).toSorted(byId);
}

function byId([a]: [string, number], [b]: [string, number]): number {
  return a < b ? -1 : 1;
}

function next(chance: Iterator<number>): number {
  return chance.next().value as number;
}

function shuffle<Item>(items: Item[], chance: Iterator<number>): Item[] {
  return items
    .map((item) => ({ item, key: next(chance) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

test('[LIV1] the reply to an own answer fills the place of the withdraw that this screen is spared', () => {
  const open = after([{ type: 'connected' }, snapshot(1, [inquiry('inq_1')])]).state;
  const won: LiveEvent = { type: 'resolved', inquiryId: 'inq_1', resolution: resolution('inq_1'), version: 2 };
  const { state, effects } = after([won, { type: 'inquiry', version: 3, inquiry: inquiry('inq_2') }], open);
  deepStrictEqual([state.floor, effects.map(({ type }) => type)], [3, ['closed']]);
});

test('[ASK5] whose asker is gone is told on an open inquiry until it is back, and a snapshot says how it stands', () => {
  const goneAt = '2027-01-01T00:00:05.000Z';
  const gone: LiveEvent = { type: 'asker', inquiryId: 'a', goneAt };
  const asked = (events: LiveEvent[]) => after([snapshot(1, [inquiry('a')]), ...events]).state.open.get('a')?.inquiry;
  deepStrictEqual(
    [
      asked([gone]),
      asked([gone, { type: 'asker', inquiryId: 'a' }]),
      asked([gone, snapshot(2, [inquiry('a')])]),
      asked([{ type: 'asker', inquiryId: 'b', goneAt }]),
    ],
    [{ ...inquiry('a'), askerGoneAt: goneAt }, inquiry('a'), inquiry('a'), inquiry('a')],
  );
});

test('[APR4] how an open inquiry stands by a reply counts until the line tells a later one, and opens nothing', () => {
  const read = (revision: number, id = 'a'): LiveEvent => ({ type: 'read', inquiry: inquiry(id, revision) });
  const asked = (events: LiveEvent[]) =>
    [...after([snapshot(1, [inquiry('a', 2)]), ...events]).state.open.values()].map((one) => one.inquiry);
  const told: LiveEvent = { type: 'inquiry', version: 2, inquiry: inquiry('a', 4) };
  deepStrictEqual(
    [asked([read(3)]), asked([read(1)]), asked([told, read(3)]), asked([read(3), told]), asked([read(9, 'b')])],
    [[inquiry('a', 3)], [inquiry('a', 2)], [inquiry('a', 4)], [inquiry('a', 4)], [inquiry('a', 2)]],
  );
});
