/** What notifications say, in the person's language. */
export const WORDS = {
  en: {
    asks: (source: string) => `${source} asks something`,
    something: 'Something waits for you',
    unlock: 'Unlock to read it.',
    caution: 'Caution.',
    destructive: 'Destructive.',
    hands: (people: readonly string[], of: number) =>
      people.length === 0 ? `${of} people must approve.` : `${people.length} of ${of}: ${people.join(', ')} approved.`,
    from: (source: string, folder: string) => (folder === '' ? `${source}.` : `${source}, ${folder}.`),
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
    destructive: '破坏性操作。',
    hands: (people: readonly string[], of: number) =>
      people.length === 0 ? `须 ${of} 人批准。` : `${people.length}/${of}：${people.join('、')} 已批准。`,
    from: (source: string, folder: string) => (folder === '' ? `${source}。` : `${source}，${folder}。`),
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
