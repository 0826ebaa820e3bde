const en = {
  over: 'No longer asked',
  answered: (text: string) => `Answered: ${text}`,
  declined: 'Declined',
  expired: 'Nobody answered in time',
  by: (who: string, device: string) => `${who}, on ${device}`,
  changed: 'Something changed',
  changedSay: 'Open Beckon to see it.',
  unsent: 'Your answer is not sent yet',
  unsentSay: 'Open it to send it.',
  signedOut: 'Signed out',
  signedOutSay: 'This device gets no more notifications.',
};

const zh: typeof en = {
  over: '不再询问',
  answered: (text) => `已答复：${text}`,
  declined: '未回答',
  expired: '无人及时答复',
  by: (who, device) => `${who}，用 ${device}`,
  changed: '有变化',
  changedSay: '打开 Beckon 查看。',
  unsent: '你的答复还没有发送',
  unsentSay: '打开它再发送。',
  signedOut: '已退出登录',
  signedOutSay: '这台设备不再收到通知。',
};

/** The few words that the worker says itself; all others come with the push, in the person's language. */
export const words = { en, zh };
