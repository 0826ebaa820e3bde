import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerReply } from '#shared/answer.ts';
import { askCard } from './cards.ts';
import { decide } from './decide.ts';
import { startWorker } from './run.ts';
import { openDesktop } from './testing/desktop.ts';
import { ask, withdraw } from './testing/pushes.ts';
import type { Card, World } from './world.ts';

const NOW = Date.parse('2026-11-21T14:00:00Z');
const quiet: World = {
  now: NOW,
  engine: 'chromium',
  maxActions: 2,
  lang: 'en',
  visible: false,
  cards: [],
  settled: new Set(),
  badge: 0,
};
const cardFor = (id: string, more: Partial<Card> = {}): Card => ({ ...askCard(ask(id), quiet), ...more });
const done = (...args: Parameters<typeof decide>) => decide(...args).map((operation) => operation.do);

test('[DLV2] a question is shown with its buttons, counted, and reported as shown', () => {
  deepStrictEqual(decide({ type: 'push', message: ask('inq_a', { badge: 3 }) }, quiet), [
    { do: 'show', card: cardFor('inq_a') },
    { do: 'badge', count: 3 },
    { do: 'report', path: '/v1/inquiries/inq_a/marks', body: { kind: 'shown' } },
  ]);
});

test('a question has no more buttons than the engine draws, and a line to write on only in Chromium', () => {
  const writes = ask('inq_a', { actions: [], reply: { title: 'Write', placeholder: '', digest: 'd' } });
  const drawn = (message: ReturnType<typeof ask>, world: Partial<World>) => {
    const { actions, reply } = askCard(message, { ...quiet, ...world });
    return [actions.length, reply !== undefined];
  };
  deepStrictEqual(
    [
      drawn(ask('inq_a'), { maxActions: 1 }),
      drawn(ask('inq_a'), { engine: 'webkit', maxActions: 0 }),
      drawn(writes, {}),
      drawn(writes, { engine: 'firefox' }),
      drawn({ ...writes, actions: ask('inq_a').actions }, {}),
    ],
    [
      [1, false],
      [0, false],
      [0, true],
      [0, false],
      [2, false],
    ],
  );
});

test('a visible page shows a question itself; only WebKit must be shown something, without a sound', () => {
  const push = { type: 'push', message: ask('inq_a') } as const;
  deepStrictEqual(decide(push, { ...quiet, visible: true }), [{ do: 'wake' }, { do: 'badge', count: 1 }]);
  const [first] = decide(push, { ...quiet, visible: true, engine: 'webkit', maxActions: 0 });
  deepStrictEqual(first?.do === 'show' && first.card.silent, true);
});

test('what is not urgent makes no sound', () => {
  const silent = (urgency: 'low' | 'normal' | 'high') => {
    const [first] = decide({ type: 'push', message: ask('inq_a', { urgency }) }, quiet);
    return first?.do === 'show' && first.card.silent;
  };
  deepStrictEqual([silent('low'), silent('normal'), silent('high')], [true, false, false]);
});

test('[WDR2] a deadline counts as past only when this device’s clock is 10 minutes beyond it', () => {
  const by = (minutes: number) => ask('inq_a', { deadlineAt: new Date(NOW - minutes * 60_000).toISOString() });
  const kindOf = (minutes: number) => {
    const shown = decide({ type: 'push', message: by(minutes) }, quiet)[0];
    return shown?.do === 'show' && [shown.card.kind, shown.card.title];
  };
  deepStrictEqual(
    [kindOf(9), kindOf(11)],
    [
      ['ask', 'Shall inq_a happen?'],
      ['over', 'No longer asked'],
    ],
  );
});

test('[WDR1] a withdraw closes silently where that is free, and replaces the question where it is not', () => {
  const push = { type: 'push', message: withdraw('inq_a') } as const;
  const cards = [cardFor('inq_a')];
  const other = cardFor('inq_b');
  deepStrictEqual(
    [
      done(push, { ...quiet, cards }),
      done(push, { ...quiet, cards, visible: true }),
      done(push, { ...quiet, cards: [...cards, other] }),
      done(push, { ...quiet, cards: [...cards, { ...other, kind: 'over' }] }),
      done(push, { ...quiet, cards: [...cards, other], engine: 'webkit' }),
    ],
    [
      ['show', 'remember', 'badge', 'closeLater'],
      ['close', 'remember', 'badge'],
      ['close', 'remember', 'badge'],
      ['show', 'remember', 'badge', 'closeLater'],
      ['close', 'show', 'remember', 'badge'],
    ],
  );
});

test('the last withdraw takes the digest with it', () => {
  const digest = { ...cardFor('digest'), kind: 'digest' } as const;
  const tagsClosed = (badge: number) =>
    decide({ type: 'push', message: withdraw('inq_a', badge) }, { ...quiet, cards: [digest] }).flatMap((operation) =>
      operation.do === 'close' ? operation.tags : [],
    );
  deepStrictEqual([tagsClosed(2), tagsClosed(0)], [[], ['digest']]);
});

test('a page that is open closes all but what is open, and spares what came a moment ago', () => {
  const aged = { shownAt: NOW - 60_000 };
  const cards = [
    cardFor('inq_open', aged),
    cardFor('inq_gone', aged),
    cardFor('inq_over'),
    cardFor('inq_new'),
    cardFor('ntc_read', { ...aged, kind: 'notice' }),
    cardFor('digest', { ...aged, kind: 'digest' }),
  ];
  const sync = { type: 'sync', open: ['inq_open'], notices: [], settled: ['inq_over'] } as const;
  deepStrictEqual(
    decide({ ...sync, open: [...sync.open], notices: [], settled: [...sync.settled] }, { ...quiet, cards }),
    [
      { do: 'close', tags: ['inq_gone', 'inq_over', 'ntc_read', 'digest'] },
      { do: 'remember', ids: ['inq_over'] },
      { do: 'badge', count: 1 },
    ],
  );
});

test('a device that was signed out closes everything and forgets', () => {
  const cards = [cardFor('inq_a'), cardFor('ntc_a', { kind: 'notice' })];
  const push = { type: 'push', message: { t: 'signed_out' } } as const;
  deepStrictEqual(
    [done(push, { ...quiet, cards }), done(push, { ...quiet, cards, visible: true })],
    [
      ['close', 'show', 'closeLater', 'badge', 'forget'],
      ['close', 'badge', 'forget'],
    ],
  );
});

test('what cannot be read, and what a newer hub says, still shows something', () => {
  const shown = (message: unknown) => decide({ type: 'push', message: message as undefined }, quiet)[0];
  for (const message of [undefined, {}, { t: 'tomorrow' }]) {
    const first = shown(message);
    deepStrictEqual(first?.do === 'show' && first.card.title, 'Something changed');
  }
});

const resolution = {
  outcome: 'answered',
  at: '2026-11-21T14:00:00Z',
  text: 'No\u202e, not now',
  by: { kind: 'person', handle: 'jonas', device: { id: 'dev_1', name: 'MacBook' }, via: 'live' },
} as const satisfies AnswerReply['resolution'];

/** Presses "Yes" on a question, while the hub answers with this. */
async function press(status: number, body?: unknown, reply?: string) {
  const desktop = openDesktop('chromium');
  const handle = startWorker(desktop.browser);
  const writes = { title: 'Write', placeholder: '', digest: 'd' };
  await handle({ type: 'push', message: ask('inq_a', reply ? { actions: [], reply: writes } : {}) });
  desktop.happened.posted.length = 0;
  desktop.replies.set('/v1/inquiries/inq_a/answer', { status, body });
  const card = desktop.screen.shown[0]?.card as Card;
  await handle({ type: 'click', card, action: reply ? '' : 'yes', reply, answerId: 'one' });
  return desktop;
}

test('[RES2] a button answers with the hub’s own body, and the card is gone', async () => {
  const desktop = await press(200, { won: true, resolution });
  deepStrictEqual(desktop.happened.posted, [
    {
      path: '/v1/inquiries/inq_a/answer',
      body: { values: { q: 'yes' }, digest: 'd', answerId: 'one', via: 'notification' },
    },
  ]);
  deepStrictEqual([desktop.tags(), desktop.happened.opened, desktop.happened.badge], [[], [], 0]);
});

test('words typed into a notification are the answer, also where the engine names no action', async () => {
  const desktop = await press(200, { won: true, resolution }, 'On Monday');
  deepStrictEqual(desktop.happened.posted[0]?.body, {
    response: 'On Monday',
    digest: 'd',
    answerId: 'one',
    via: 'notification',
  });
});

test('[RES2] who was faster is said silently, and goes by itself', async () => {
  const desktop = await press(409, { won: false, resolution });
  deepStrictEqual(
    desktop.screen.shown.map(({ card: { title, body, silent } }) => ({ title, body, silent })),
    [{ title: 'Answered: No , not now', body: 'jonas, on MacBook', silent: true }],
  );
  await desktop.pass(60_000);
  deepStrictEqual([desktop.tags(), desktop.happened.opened], [[], []]);
});

test('[APR4] an approval that others are wanted beside shows nothing, and its question may come again', async () => {
  const desktop = await press(202, { won: false, inquiry: {} });
  deepStrictEqual([desktop.tags(), desktop.happened.opened, desktop.happened.queued], [[], [], []]);
});

test('an answer that found no hub, or a network that replied in its place, is left to the page, which opens', async () => {
  for (const status of [0, 200, 202, 403]) {
    const desktop = await press(status);
    deepStrictEqual(
      [desktop.happened.queued.map(({ body }) => body.answerId), desktop.happened.told, desktop.happened.opened],
      [['one'], [{ type: 'queued' }], ['/i/inq_a']],
    );
  }
});

test('an answer that the hub refuses is not sent again: the page opens', async () => {
  const desktop = await press(422, { code: 'answer.invalid' });
  deepStrictEqual([desktop.happened.queued, desktop.happened.opened], [[], ['/i/inq_a']]);
});

test('where the browser opens no page, a card says that the answer has not left', async () => {
  const desktop = openDesktop('chromium');
  desktop.page.opens = false;
  const handle = startWorker(desktop.browser);
  desktop.replies.set('/v1/inquiries/inq_a/answer', { status: 0, body: undefined });
  await handle({ type: 'click', card: cardFor('inq_a'), action: 'yes', answerId: 'one' });
  deepStrictEqual(
    desktop.screen.shown.map(({ card: { title, path } }) => ({ title, path })),
    [{ title: 'Your answer is not sent yet', path: '/i/inq_a' }],
  );
});

test('[DLV2] a tap opens the inquiry and says so; wiping it away is reported once it is a question', () => {
  const card = cardFor('inq_a');
  deepStrictEqual(decide({ type: 'click', card, action: '', answerId: 'one' }, quiet), [
    { do: 'close', tags: ['inq_a'] },
    { do: 'open', path: '/i/inq_a' },
    { do: 'report', path: '/v1/inquiries/inq_a/marks', body: { kind: 'opened' } },
  ]);
  deepStrictEqual(decide({ type: 'closed', card }, quiet), [
    { do: 'report', path: '/v1/inquiries/inq_a/marks', body: { kind: 'dismissed' } },
  ]);
  deepStrictEqual(decide({ type: 'closed', card }, { ...quiet, settled: new Set(['inq_a']) }), []);
  deepStrictEqual(decide({ type: 'closed', card: { ...card, kind: 'over' } }, quiet), []);
});
