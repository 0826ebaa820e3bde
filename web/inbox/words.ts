import { say } from '../ui/language.ts';
import { capital, countWord, moment } from '../ui/times.ts';

const MINUTE = 60_000;

const en = {
  waiting: 'Waiting',
  back: 'Back to the inbox',
  wait: (count: number) => (count === 0 ? 'Inbox' : `${count} waiting`),
  first: (at: number, now: number, count: number) => `${count === 1 ? '' : 'next '}due ${moment(at, now, 'en')}.`,
  offline: 'You are offline',
  offlineWaits: (count: number) =>
    count === 0 ? 'nothing is lost.' : count === 1 ? 'one answer waits.' : `${countWord(count, 'en')} answers wait.`,
  left: (ms: number) =>
    ms < MINUTE ? `${Math.max(0, Math.ceil(ms / 1000))} s left` : `${Math.floor(ms / MINUTE)} min left`,
  by: (at: number, now: number) => `Due ${moment(at, now, 'en')}`,
  asked: (at: number, now: number) => `Asked ${moment(at, now, 'en')}`,
  up: 'Time is up',
  kinds: {
    question: 'Question',
    choice: 'Choice',
    approval: 'Approval',
    form: 'Form',
    document: 'Document',
    link: 'Link',
  },
  stakes: { urgent: 'Urgent', destructive: 'Destructive', caution: 'Caution' },
  comma: ', ',
  colon: ': ',
  suggested: 'Suggested answer',
  draft: 'Draft saved',
  answering: (who: string) => `${who} is answering`,
  youAnswering: 'You are answering',
  on: (device: string) => ` on ${device}`,
  decides: (decider: string, seconds: number) => `${decider} decides in ${seconds}\u00a0s`,
  gone: (asker: string) => `${asker} is gone`,
  together: (count: number) => `${capital(countWord(count, 'en'))} that belong together`,
  dismiss: 'Hide on this device',
  dismissMore: 'The agent keeps waiting.',
  nothing: 'Nothing waits for you.',
  looking: 'Loading…',
};

const zh: typeof en = {
  waiting: '待处理',
  back: '回到收件箱',
  wait: (count) => (count === 0 ? '收件箱' : `${count} 件待处理`),
  first: (at, now, count) => {
    const due = moment(at, now, 'zh');
    return `${count === 1 ? '' : /^\d/.test(due) ? '最近 ' : '最近'}${due} 到期。`;
  },
  offline: '现在离线',
  offlineWaits: (count) => (count === 0 ? '内容都已保留。' : `${countWord(count, 'zh')}份答复待发送。`),
  left: (ms) => (ms < MINUTE ? `还剩 ${Math.max(0, Math.ceil(ms / 1000))} 秒` : `还剩 ${Math.floor(ms / MINUTE)} 分钟`),
  by: (at, now) => `${moment(at, now, 'zh')} 到期`,
  asked: (at, now) => `${moment(at, now, 'zh')} 提出`,
  up: '时间到了',
  kinds: { question: '提问', choice: '选择', approval: '审批', form: '表单', document: '文档', link: '链接' },
  stakes: { urgent: '紧急', destructive: '破坏性操作', caution: '慎重' },
  comma: '，',
  colon: '：',
  suggested: '附建议答案',
  draft: '有草稿',
  answering: (who) => `${who} 正在作答`,
  youAnswering: '你正在作答',
  on: (device) => `，用 ${device}`,
  decides: (decider, seconds) => `${decider} 将在 ${seconds} 秒后决定`,
  gone: (asker) => `${asker} 已离开`,
  together: (count) => `同属一组的${countWord(count, 'zh')}件`,
  dismiss: '在此设备隐藏',
  dismissMore: '智能体继续等待。',
  nothing: '没有待处理的事。',
  looking: '正在加载…',
};

/** What an inquiry is for whoever answers it. */
export type KindName = keyof typeof en.kinds;

/** The same words where their sentence has begun. */
export const goingOn = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** The inbox's words in the page's language. */
export function inboxWords() {
  return say({ en, zh });
}
