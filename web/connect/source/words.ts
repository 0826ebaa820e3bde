import type { Timeouts } from '#shared/connections/timeouts.ts';

const en = {
  unknown: 'There is no such source here.',
  all: 'All sources',
  texts: 'Texts for the agent',
  textsSay:
    'Where nobody simply answered, its agent reads one of these. What stands here is the hub’s own; write over it.',
  locale: 'Language of the hub’s own words, where a question names none',
  ends: {
    declined: 'Somebody declines',
    expired: 'Nobody answers in time',
    withdrawn: 'It is withdrawn',
    youDecide: 'A rule or YOLO hands the decision back',
    byRule: 'After what a rule or YOLO decides',
    byDecider: 'After what a decider decides',
  },
  comma: ', ',
  canName: (names: string) => `Can name ${names}.`,
  cannotName: (names: string) => `It cannot name ${names}.`,
  reads: 'The agent reads:',
  reset: 'Use the hub’s own',
  resetOf: (end: string) => `Use the hub’s own: ${end}`,
  save: 'Save',
  saved: 'Saved.',
  wrongOrder: 'Time-outs in the wrong order.',
  wrongOrderSay: ({ client, hub, device }: Timeouts, when: string) =>
    `Its client gave up after ${client} s at least three times in a row, last ${when}. The hub waits ${hub} s, a device ${device} s. Answers after ${client} s come too late.`,
  better: (seconds: number) => `Ask with a deadline of ${seconds} s, or let the client wait longer than the hub.`,
};

const zh: typeof en = {
  unknown: '这里没有这个来源。',
  all: '全部来源',
  texts: '给智能体的文本',
  textsSay: '没有人直接作答时，它的智能体会读到其中一段。这里是服务端自己的文本，可以改写。',
  locale: '服务端自己的文本用哪种语言（问题没有说明时）',
  ends: {
    declined: '有人不回答',
    expired: '无人及时答复',
    withdrawn: '问题被撤回',
    youDecide: '规则或 YOLO 把决定交还给智能体',
    byRule: '跟在规则或 YOLO 的决定之后',
    byDecider: '跟在代答的决定之后',
  },
  comma: '、',
  canName: (names) => `可以用 ${names}。`,
  cannotName: (names) => `这里不能用 ${names}。`,
  reads: '智能体读到：',
  reset: '恢复服务端的文本',
  resetOf: (end) => `恢复服务端的文本：${end}`,
  save: '保存',
  saved: '已保存。',
  wrongOrder: '超时设置顺序有误。',
  wrongOrderSay: ({ client, hub, device }, when) =>
    `它的客户端至少连续三次等 ${client} 秒就放弃，最近一次：${when}。服务端等 ${hub} 秒，设备等 ${device} 秒。${client} 秒以后的答复就迟了。`,
  better: (seconds) => `提问时把期限设为 ${seconds} 秒，或让客户端比服务端等得更久。`,
};

export const words = { en, zh };
