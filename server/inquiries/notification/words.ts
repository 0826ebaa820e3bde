/** What notifications say, in the person's language. */
export const WORDS = {
  en: {
    asks: (source: string) => `${source} asks something`,
    something: 'Something waits for you',
    unlock: 'Unlock to read it.',
    caution: 'Caution.',
    from: (source: string, folder: string | undefined) =>
      folder === undefined ? `${source}.` : `${source}, ${folder}.`,
    buttons: { approve: 'Approve', reject: 'Reject', write: 'Reply', placeholder: 'Your answer' },
    answered: 'Answered',
    answeredWith: (answer: string) => `Answered: ${answer}`,
    declined: 'Declined',
    expired: 'Nobody answered',
    withdrawn: 'Withdrawn',
    you: 'You',
    on: (who: string, device: string) => `${who}, on ${device}`,
  },
  zh: {
    asks: (source: string) => `${source} 有事要问`,
    something: '有一件待处理',
    unlock: '解锁后查看。',
    caution: '慎重。',
    from: (source: string, folder: string | undefined) =>
      folder === undefined ? `${source}。` : `${source}，${folder}。`,
    buttons: { approve: '批准', reject: '拒绝', write: '回复', placeholder: '你的答复' },
    answered: '已答复',
    answeredWith: (answer: string) => `已答复：${answer}`,
    declined: '未回答',
    expired: '无人答复',
    withdrawn: '已撤回',
    you: '你',
    on: (who: string, device: string) => `${who}，用 ${device}`,
  },
} as const;
