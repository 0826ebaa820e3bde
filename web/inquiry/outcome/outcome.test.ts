import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { By, Resolution } from '#shared/answer.ts';
import { toVerdict, words } from './outcome.ts';

const { en, zh } = words;

const at = '2026-11-21T14:06:12.000Z';
const jonas: By = { kind: 'person', handle: 'Jonas', device: { id: 'd', name: 'MacBook' }, via: 'live' };
const resolution = (parts: Partial<Resolution>): Resolution => ({
  outcome: 'answered',
  at,
  text: 'Wait until Monday.',
  by: jonas,
  ...parts,
});
const told = { words: en, source: 'Train', now: Date.parse(at), deadlineAt: at, handle: 'mara', won: false };
const say = (parts: Partial<Resolution>, more = {}) =>
  toVerdict({ ...told, resolution: resolution(parts), ...more }).say;

test('[RES2] a loser is told who was faster, by how much and from which device', () => {
  const lost = toVerdict({ ...told, resolution: resolution({}), lostAt: Date.parse(at) + 4000 });
  deepStrictEqual(
    [lost.say, lost.quote, lost.who?.startsWith('Jonas on MacBook, ')],
    ['Jonas answered four seconds earlier.', '“Wait until Monday.”', true],
  );
  deepStrictEqual(say({}, { lostAt: Date.parse(at) + 300 }), 'Jonas answered a moment earlier.');
  const again = say({}, { lostAt: Date.parse(at) + 300, handle: 'Jonas' });
  deepStrictEqual(again, 'You had already answered this on MacBook.');
});

test('a document is quoted without the end of its last line', () => {
  deepStrictEqual(
    toVerdict({ ...told, resolution: resolution({ text: '## Rota\n\nYuki\n' }) }).quote,
    '“## Rota\n\nYuki”',
  );
});

test('whoever decided is named, this person as "you", a decline as such', () => {
  deepStrictEqual(
    [
      say({}),
      say({}, { handle: 'Jonas' }),
      say({ outcome: 'declined' }),
      say({ by: { kind: 'policy', label: 'Reading is fine', ruleId: 'rul_1' } }),
    ],
    [
      'Jonas answered this on MacBook.',
      'You answered this on MacBook.',
      'Jonas declined this on MacBook.',
      'The rule “Reading is fine” answered this.',
    ],
  );
  deepStrictEqual(
    [say({}, { won: true }), say({ outcome: 'declined' }, { won: true })],
    ['Train has your answer.', 'Train knows you declined.'],
  );
});

test('[POL5] what a rule settled is told as its doing, and never as a choice that a person made', () => {
  const by: By = { kind: 'policy', label: 'Night', ruleId: 'rul_1' };
  const yolo: By = { kind: 'policy', label: 'YOLO', ruleId: 'yol_1' };
  const left = toVerdict({ ...told, resolution: resolution({ outcome: 'expired', by }) });
  deepStrictEqual(
    [
      say({ outcome: 'declined', by }),
      say({ outcome: 'declined', by }, { handedBack: true }),
      say({ by: yolo }),
      left.say,
      left.undecided,
      left.badge.above,
    ],
    [
      'The rule “Night” declined this.',
      'The rule “Night” let the agent decide.',
      'YOLO answered this.',
      'The rule “Night” left this unanswered.',
      true,
      'Night',
    ],
  );
});

test('[RES4] expiry is never told as a choice, not even with the asker’s own proposal', () => {
  const expired = toVerdict({
    ...told,
    resolution: resolution({
      outcome: 'expired',
      answer: { text: 'Monday' },
      by: { kind: 'deadline', label: 'deadline' },
    }),
  });
  deepStrictEqual(
    [expired.say.startsWith('Nobody answered by'), expired.undecided, expired.badge.ink],
    [true, true, true],
  );
});

test('the Chinese words have every sentence the English ones have', () => {
  const shape = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)]))
      : typeof value;
  deepStrictEqual(shape(zh), shape(en));
});
