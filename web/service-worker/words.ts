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
  over: '不用再答',
  answered: (text) => `已答复：${text}`,
  declined: '已拒绝作答',
  expired: '到时没有人答复',
  by: (who, device) => `${who}，用 ${device}`,
  changed: '有些变化',
  changedSay: '打开 Beckon 看看。',
  unsent: '你的答复还没有送出',
  unsentSay: '打开它再送出。',
  signedOut: '已退出',
  signedOutSay: 'Beckon 不再在这台设备上响铃。',
};

/** The few words that the worker says itself; all others come with the push, in the person's language. */
export const words = { en, zh };
