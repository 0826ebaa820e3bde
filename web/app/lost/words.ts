const en = {
  lostTitle: 'Page not found.',
  lostSay: 'Beckon has no page at this address.',
  goneTitle: 'Question not found.',
  goneSay: 'It was not asked of you, or was erased some time after it ended.',
  unknownTitle: 'This question is not on this device.',
  unknownSay: 'You are offline. It is shown when the connection is back.',
};

const zh: typeof en = {
  lostTitle: '找不到页面。',
  lostSay: '这个地址不是 Beckon 的页面。',
  goneTitle: '找不到这个问题。',
  goneSay: '它不是问你的，或者结束一段时间后已经清除。',
  unknownTitle: '这台设备上没有这个问题。',
  unknownSay: '你已离线。连接恢复后会显示。',
};

export const lostWords = { en, zh };
