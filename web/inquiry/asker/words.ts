import { say } from '../../ui/language.ts';
import { clockTime, dayTime } from '../../ui/times.ts';

const en = {
  gone: (asker: string, at: number) => `${asker} is gone since ${clockTime(at)}.`,
  wouldRun: 'Nobody waits for this answer, so an approval would run nothing. If it does not come back, this closes.',
  wouldReach: 'Nobody waits for this answer. If it does not come back, this closes.',
  earlier: (who: string, at: number, now: number, text: string) =>
    `${who} answered the same ${dayTime(at, now, 'en')}: “${text}”`,
  notPickedUp: 'Nobody picked that answer up. This is a new question.',
  again: 'Send the same answer',
  you: 'You',
};

const zh: typeof en = {
  gone: (asker, at) => `${asker} 已于 ${clockTime(at)} 离开。`,
  wouldRun: '没有人在等这个答复，批准了也不会执行。如果它不回来，这里会关闭。',
  wouldReach: '没有人在等这个答复。如果它不回来，这里会关闭。',
  earlier: (who, at, now, text) => `${who} 在${dayTime(at, now, 'zh')} 答复过同样的问题：“${text}”`,
  notPickedUp: '那个答复没有人取走。这是一个新问题。',
  again: '发送同样的答复',
  you: '你',
};

/** What is said of an asker that is gone, in the page's language. */
export function askerWords() {
  return say({ en, zh });
}
