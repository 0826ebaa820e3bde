import { say } from '../ui/language.ts';
import { countWord, lasting, moment } from '../ui/times.ts';

const en = {
  head: 'What was settled',
  headMore: (count: number, unanswered: number) =>
    unanswered === 0 ? `${count === 1 ? 'it was' : 'all'} answered.` : `${countWord(unanswered, 'en')} unanswered.`,
  none: 'Nothing was settled yet',
  noneMore: 'it will stand here.',
  find: 'A word, a name, a source',
  findLabel: 'Search the history',
  filters: { all: 'Everything', mine: 'Yours', rule: 'By rule', late: 'Late', expired: 'Unanswered' },
  filterLabel: 'Which ones',
  you: 'You',
  on: (who: string, device: string) => `${who}, on ${device}`,
  declined: (who: string, device: string) => `${who} declined, on ${device}`,
  byRule: (label: string) => `by ${label}`,
  expired: (at: number, now: number) => `Nobody answered by ${moment(at, now, 'en')}`,
  proposal: 'The asker’s own proposal was taken',
  withdrawn: (source: string, after: number) => `${source} took it back after ${lasting(after, 'en')}`,
  late: (who: string, device: string) => `${who}, late, on ${device}`,
  more: 'Show earlier ones',
  nothingFound: 'Nothing here fits that.',
  loading: 'Looking through the history.',
  retry: 'Try again',
  lately: 'Settled lately',
  lastAnswered: (time: string, device: string) => `The last one was answered at ${time}, on ${device}.`,
};

const zh: typeof en = {
  head: '已经有结果的',
  headMore: (_count, unanswered) => (unanswered === 0 ? '都答复了。' : `${countWord(unanswered, 'zh')}件没有人答。`),
  none: '还没有往来',
  noneMore: '有了会在这里。',
  find: '一个词、一个人、一个来源',
  findLabel: '在往来里找',
  filters: { all: '全部', mine: '你答的', rule: '按规则', late: '迟到的', expired: '没人答的' },
  filterLabel: '看哪些',
  you: '你',
  on: (who, device) => `${who}，用 ${device}`,
  declined: (who, device) => `${who} 没有作答，用 ${device}`,
  byRule: (label) => `由 ${label}`,
  expired: (at, now) => `到 ${moment(at, now, 'zh')} 没有人答复`,
  proposal: '用了提问方自己的建议',
  withdrawn: (source, after) => `${lasting(after, 'zh')}后，${source} 收回了`,
  late: (who, device) => `${who}，迟到，用 ${device}`,
  more: '再看早些的',
  nothingFound: '没有这样的。',
  loading: '正在翻看往来。',
  retry: '再试一次',
  lately: '最近有结果的',
  lastAnswered: (time, device) => `最近一件 ${time} 答复，用 ${device}。`,
};

/** The history's words in the page's language. */
export function historyWords() {
  return say({ en, zh });
}

export type HistoryFilter = keyof typeof en.filters;
