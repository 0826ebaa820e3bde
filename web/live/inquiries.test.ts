import { deepStrictEqual } from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { AnswerReply, Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { apply, type LiveEvent, nothingKnown } from './apply.ts';
import {
  entries,
  isMissed,
  saved,
  known,
  openInquiryId,
  receipts,
  unseen,
  waiting,
  withEntry,
  words,
} from './inquiries.ts';

const resolution: Resolution = {
  outcome: 'answered',
  at: '2027-01-01T00:00:09.000Z',
  text: 'Yes',
  by: { kind: 'person', handle: 'jonas', device: { id: 'dev_2', name: 'MacBook' }, via: 'live' },
};

function inquiry(id: string, deadlineAt: string): Inquiry {
  return {
    id,
    state: 'open',
    to: ['mara'],
    title: id,
    source: { id: 'src_1', name: 'Train' },
    digest: 'd',
    revision: 1,
    openedAt: '2027-01-01T00:00:00.000Z',
    deadlineAt,
    latestAt: deadlineAt,
    reach: { told: 0, accepted: 0, shown: 0, opened: 0 },
  };
}

const first = inquiry('inq_1', '2027-01-02T00:00:00.000Z');
const second = inquiry('inq_2', '2027-01-01T12:00:00.000Z');

function hear(...events: LiveEvent[]): void {
  for (const event of events) known.value = apply(known.value, event).state;
}

describe('what a page knows', () => {
  beforeEach(() => {
    known.value = nothingKnown;
    saved.value = new Map();
    words.value = new Map();
    receipts.value = new Map();
    unseen.value = new Set();
    waiting.value = { queue: [], underWay: new Set() };
    openInquiryId.value = undefined;
    hear(
      { type: 'connected' },
      {
        type: 'snapshot',
        snapshot: {
          version: 1,
          serverTime: '2027-01-01T00:00:00.000Z',
          inquiries: [first, second],
          more: false,
          drafts: [],
        },
      },
    );
  });

  test('the most pressing inquiry comes first, whatever the order they came in', () => {
    deepStrictEqual(entries.value, [{ inquiry: second }, { inquiry: first }]);
  });

  test('[WDR3] an inquiry is missed while it is open, holds words, has an answer under way, or has news nobody has seen', () => {
    const missed = () => isMissed('inq_1');
    const before = missed();
    openInquiryId.value = 'inq_1';
    const open = missed();
    openInquiryId.value = 'inq_2';
    words.value = new Map([['inq_1', { text: 'half a' }]]);
    const written = missed();
    words.value = new Map();
    waiting.value = {
      queue: [{ inquiryId: 'inq_1', answerId: 'a', at: '2027-01-01T00:00:00.000Z', body: {} }],
      underWay: new Set(),
    };
    const queued = missed();
    waiting.value = { queue: [], underWay: new Set() };
    unseen.value = new Set(['inq_1']);
    deepStrictEqual([before, open, written, queued, missed()], [false, true, true, true, true]);
  });

  test('[WDR3] an inquiry taken away with words in it keeps them, and says who answered', () => {
    words.value = new Map([['inq_1', { text: 'half a' }]]);
    saved.value = withEntry(saved.value, 'inq_1', first);
    hear({ type: 'withdraw', version: 2, inquiryId: 'inq_1', resolution });
    deepStrictEqual(entries.value, [{ inquiry: second }, { inquiry: first, resolution, own: { text: 'half a' } }]);
  });

  test('[RES2] an answer that waits, one on its way, and what came of it stand on the inquiry', () => {
    const queue = [{ inquiryId: 'inq_1', answerId: 'a', at: '2027-01-01T00:00:05.000Z', body: { text: 'No' } }];
    const entry = () => entries.value.find(({ inquiry: { id } }) => id === 'inq_1');
    waiting.value = { queue, underWay: new Set() };
    deepStrictEqual(entry(), { inquiry: first, sending: 'queued', queuedAt: '2027-01-01T00:00:05.000Z' });
    waiting.value = { queue, underWay: new Set(['a']) };
    deepStrictEqual(entry(), { inquiry: first, sending: 'sent', queuedAt: '2027-01-01T00:00:05.000Z' });
    waiting.value = { queue: [], underWay: new Set() };
    const reply: AnswerReply = { won: false, resolution };
    saved.value = withEntry(saved.value, 'inq_1', first);
    receipts.value = withEntry(receipts.value, 'inq_1', { reply });
    hear({ type: 'resolved', inquiryId: 'inq_1', resolution });
    deepStrictEqual(entry(), { inquiry: first, resolution, receipt: reply });
  });
});
