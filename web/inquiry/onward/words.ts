import { say } from '../../ui/language.ts';

const en = {
  last: 'Last answer',
  quote: (said: string) => `“${said}”`,
  sentIn: (seconds: number) => `is sent in ${seconds} s`,
  sending: 'is on its way',
  sent: 'is sent',
  undo: 'Undo',
  sendNow: 'Send now',
  open: 'Open',
};

const zh: typeof en = {
  last: '上一个答复',
  quote: (said) => `“${said}”`,
  sentIn: (seconds) => `${seconds} 秒后发送`,
  sending: '正在送出',
  sent: '已发送',
  undo: '撤销',
  sendNow: '立即发送',
  open: '打开',
};

/** The words about an answer that was just given. */
export function onwardWords() {
  return say({ en, zh });
}
