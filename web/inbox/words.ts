import { say } from '../ui/language.ts';
import { countWord, lasting, moment } from '../ui/times.ts';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const en = {
  waiting: 'Waiting',
  back: 'Back to the inbox',
  wait: (word: string, count: number) => (count === 0 ? 'Inbox' : `${capital(word)} ${count === 1 ? 'waits' : 'wait'}`),
  waitForYou: (count: number) => `${capital(countWord(count, 'en'))} ${count === 1 ? 'waits' : 'wait'} for you`,
  first: (at: number, now: number, count: number) => `${count === 1 ? '' : 'next '}due ${moment(at, now, 'en')}.`,
  offline: 'You are offline',
  offlineWaits: (count: number) =>
    count === 0 ? 'nothing is lost.' : count === 1 ? 'one answer waits.' : `${countWord(count, 'en')} answers wait.`,
  left: (ms: number) => `${lasting(ms, 'en')} left`,
  by: (at: number, now: number) => `By ${moment(at, now, 'en')}`,
  up: 'Time is up',
  withSuggestion: ', with a suggested answer',
  withDraft: ', draft saved',
  answering: (who: string) => `${who} is answering`,
  youAnswering: 'You are answering',
  on: (device: string) => ` on ${device}`,
  decides: (decider: string, seconds: number) => `${decider} decides in ${seconds}\u00a0s`,
  gone: (asker: string) => `${asker} is gone`,
  written: (at: number, now: number) => `Written at ${moment(at, now, 'en')}`,
  undo: 'Undo',
  together: (count: number) => `${capital(countWord(count, 'en'))} that belong together`,
  dismiss: 'Hide on this device',
  dismissMore: 'The agent keeps waiting.',
  dismissed: (count: number) => `Hidden on this device (${count})`,
  empty: ['Nothing waits for ', 'you'] as [string, string],
  nothing: 'Nothing waits for you.',
  emptyMore: 'When something comes, your devices are notified. ',
  stop: '. ',
  devices: 'See your devices',
  tryIt: 'Connect an agent',
  looking: 'Loading…',
  decline: 'Declined',
};

const zh: typeof en = {
  waiting: '待处理',
  back: '回到收件箱',
  wait: (_word, count) => (count === 0 ? '收件箱' : `${countWord(count, 'zh')}件待处理`),
  waitForYou: (count) => `${count === 2 ? '两' : countWord(count, 'zh')}件待处理`,
  first: (at, now, count) => `${count === 1 ? '' : '最近'}${moment(at, now, 'zh')} 到期。`,
  offline: '现在离线',
  offlineWaits: (count) => (count === 0 ? '内容都已保留。' : `${countWord(count, 'zh')}份答复待发送。`),
  left: (ms) => `还剩 ${lasting(ms, 'zh')}`,
  by: (at, now) => `${moment(at, now, 'zh')} 前`,
  up: '时间到了',
  withSuggestion: '，附建议答案',
  withDraft: '，有草稿',
  answering: (who) => `${who} 正在作答`,
  youAnswering: '你正在作答',
  on: (device) => `，用 ${device}`,
  decides: (decider, seconds) => `${decider} 将在 ${seconds} 秒后决定`,
  gone: (asker) => `${asker} 已离开`,
  written: (at, now) => `写于${moment(at, now, 'zh')}`,
  undo: '撤销',
  together: (count) => `同属一组的${countWord(count, 'zh')}件`,
  dismiss: '在此设备隐藏',
  dismissMore: '代理继续等待。',
  dismissed: (count) => `已在此设备隐藏（${count}）`,
  empty: ['没有', '待处理的事'],
  nothing: '没有待处理的事。',
  emptyMore: '有新问题时，你的设备会收到通知。',
  stop: '。',
  devices: '查看设备',
  tryIt: '接入代理',
  looking: '正在加载…',
  decline: '未回答',
};

/** The same words where their sentence has begun. */
export const goingOn = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** The inbox's words in the page's language. */
export function inboxWords() {
  return say({ en, zh });
}
