import { say } from '../../ui/language.ts';

const en = {
  sendingIn: (seconds: number) => `Sending in ${seconds} s`,
  sent: 'Sent',
  sentWords: 'Sent: ',
  declined: 'Declined',
  approved: 'Approved',
  rejected: 'Rejected',
  calls: {
    approved: (count: number) => `Approved ${count} calls`,
    rejected: (count: number) => `Rejected ${count} calls`,
  },
  undo: 'Undo',
  addReason: 'Add a reason',
};

const zh: typeof en = {
  sendingIn: (seconds) => `${seconds} 秒后发送`,
  sent: '已发送',
  sentWords: '已发送：',
  declined: '未回答',
  approved: '已批准',
  rejected: '已拒绝',
  calls: { approved: (count) => `已批准 ${count} 个调用`, rejected: (count) => `已拒绝 ${count} 个调用` },
  undo: '撤销',
  addReason: '补充理由',
};

/** The words about an answer that was just given. */
export function onwardWords() {
  return say({ en, zh });
}
