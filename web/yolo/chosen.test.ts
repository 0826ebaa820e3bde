import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { atFirst, toBody, type Chosen, chosenEnd } from './chosen.ts';

const AT = new Date(2027, 0, 10, 14, 6).getTime();
const clock = (chosen: Partial<Chosen>, now = AT) => {
  const at = chosenEnd({ ...atFirst, ...chosen }, now);
  if (at === undefined) return 'none';
  const end = new Date(at);
  return `${end.getDate()}. ${end.getHours()}:${String(end.getMinutes()).padStart(2, '0')}`;
};

test('another end is the next time that clocks show it, so never more than a day away', () => {
  deepStrictEqual(
    [
      clock({ end: 'quarter' }),
      clock({ end: 'hour' }),
      clock({ end: 'tonight' }),
      clock({ end: 'other', time: '' }),
      clock({ end: 'other', time: '18:30' }),
      clock({ end: 'other', time: '14:06' }),
      clock({ end: 'other', time: '09:00' }),
      clock({ end: 'tonight' }, new Date(2027, 0, 10, 23, 0).getTime()),
    ],
    ['10. 14:21', '10. 15:06', '10. 22:00', 'none', '10. 18:30', '11. 14:06', '11. 9:00', '11. 4:00'],
  );
});

test('[POL6] YOLO is started only with an end and with something that it settles', () => {
  const made = (chosen: Partial<Chosen>) => toBody({ ...atFirst, ...chosen }, AT);
  deepStrictEqual(
    [
      made({}),
      made({ calls: 'ask', questions: 'you-decide', sources: ['src_1'], end: 'tonight' }),
      made({ calls: 'dcd_1', questions: 'dcd_2' }),
      made({ destructive: 'same' }),
      made({ calls: 'ask', destructive: 'same', questions: 'you-decide' }),
      made({ calls: 'ask' }),
      made({ sources: [] }),
      made({ end: 'other' }),
    ],
    [
      { calls: 'approve', until: 3600 },
      { questions: 'you-decide', sources: ['src_1'], until: new Date(2027, 0, 10, 22, 0).toISOString() },
      { calls: { decider: 'dcd_1' }, questions: { decider: 'dcd_2' }, until: 3600 },
      { calls: 'approve', destructive: true, until: 3600 },
      { questions: 'you-decide', until: 3600 },
      undefined,
      undefined,
      undefined,
    ],
  );
});
