import { say } from '../ui/language.ts';
import { countWord, lasting, moment } from '../ui/times.ts';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const en = {
  waiting: 'Waiting',
  back: 'Back to the inbox',
  wait: (word: string, count: number) => (count === 0 ? 'Inbox' : `${capital(word)} ${count === 1 ? 'waits' : 'wait'}`),
  waitForYou: (count: number) => `${capital(countWord(count, 'en'))} ${count === 1 ? 'waits' : 'wait'} for you`,
  first: (at: number, now: number, count: number) =>
    `${count === 1 ? '' : 'the first '}until ${moment(at, now, 'en')}.`,
  offline: 'You are offline',
  offlineWaits: (count: number) =>
    count === 0 ? 'nothing is lost.' : count === 1 ? 'one answer waits.' : `${countWord(count, 'en')} answers wait.`,
  left: (ms: number) => `${lasting(ms, 'en')} left`,
  by: (at: number, now: number) => `By ${moment(at, now, 'en')}`,
  up: 'Time is up',
  withSuggestion: ', with a suggested answer',
  withDraft: ', you have begun',
  answering: (who: string) => `${who} is answering`,
  youAnswering: 'You are answering',
  on: (device: string) => ` on ${device}`,
  written: (at: number, now: number) => `Written at ${moment(at, now, 'en')}`,
  takeBack: 'Take it back',
  together: (count: number) => `${capital(countWord(count, 'en'))} that belong together`,
  putAway: 'Put away here',
  dismissed: (count: number) => `${capital(countWord(count, 'en'))} put away on this device`,
  empty: ['Nothing waits for', 'you'] as [string, string],
  nothing: 'Nothing waits for you.',
  emptyMore: 'When something comes, your devices ring. ',
  stop: '. ',
  devices: 'See which of them ring',
  tryIt: 'Let something ask you',
  looking: 'Looking for what waits.',
  decline: 'Declined',
};

const zh: typeof en = {
  waiting: '待定的事',
  back: '回到收件',
  wait: (_word, count) => (count === 0 ? '收件' : `${countWord(count, 'zh')}件待定`),
  waitForYou: (count) => `${count === 2 ? '两' : countWord(count, 'zh')}件事等你定`,
  first: (at, now, count) => `${count === 1 ? '' : '第一件'}到${moment(at, now, 'zh')}。`,
  offline: '现在离线',
  offlineWaits: (count) => (count === 0 ? '什么都没丢。' : `${countWord(count, 'zh')}份答复待发。`),
  left: (ms) => `还剩 ${lasting(ms, 'zh')}`,
  by: (at, now) => `${moment(at, now, 'zh')} 前`,
  up: '时间到了',
  withSuggestion: '，附建议的答复',
  withDraft: '，你已经动笔',
  answering: (who) => `${who} 正在作答`,
  youAnswering: '你正在作答',
  on: (device) => `，用 ${device}`,
  written: (at, now) => `写于 ${moment(at, now, 'zh')}`,
  takeBack: '收回',
  together: (count) => `同属一组的${countWord(count, 'zh')}件`,
  putAway: '在此收起',
  dismissed: (count) => `在这台设备上收起的${countWord(count, 'zh')}件`,
  empty: ['都定了，', '没有事等你'],
  nothing: '都定了，没有事等你。',
  emptyMore: '有人来问的时候，你的设备会响。',
  stop: '。',
  devices: '看看哪些会响',
  tryIt: '让人来问一问',
  looking: '正在看有什么等你。',
  decline: '不作答',
};

/** The inbox's words in the page's language. */
export function inboxWords() {
  return say({ en, zh });
}
