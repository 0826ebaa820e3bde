import { say } from '../ui/language.ts';

const en = {
  title: 'Quiet',
  none: 'No quiet hours.',
  one: (from: string, to: string): [string, string] => [`Quiet from ${from}`, `to ${to}.`],
  several: (count: number) => `${count} times of quiet.`,
  lede: 'Questions still come in and open pages show them at once; only sound and notifications wait for the end. What is underlined can be changed.',
  hours: 'Quiet hours',
  sentence: ['From ', ' to ', ' ', '.'],
  from: 'From',
  to: 'To',
  nth: (name: string, place: number) => (place === 0 ? name : `${name}, ${place + 1}`),
  days: 'Days',
  on: { every: 'every day', week: 'on weekdays', weekend: 'on Saturday and Sunday', some: 'on these days' },
  day: { mon: 'Mo', tue: 'Tu', wed: 'We', thu: 'Th', fri: 'Fr', sat: 'Sa', sun: 'Su' },
  remove: 'Remove',
  removeOf: (span: string) => `Remove ${span}`,
  span: (from: string, to: string) => `${from} to ${to}`,
  begins: 'The days are those on which it begins.',
  add: 'New quiet hours',
  through: 'Exceptions',
  throughSentence: ['Notify me all the same of ', ' and of what ', ' ask.'],
  urgency: 'Urgency',
  high: { yes: 'high urgency', no: 'nothing urgent' },
  which: 'Sources',
  sources: { none: 'no sources', some: 'these sources' },
  zone: (zone: string) => `The hours are those of ${zone}.`,
  useZone: (zone: string) => `Count them in ${zone}, as on this device`,
};

const zh: typeof en = {
  title: '免打扰',
  none: '没有免打扰时段。',
  one: (from, to) => [`免打扰从 ${from}`, `到 ${to}。`],
  several: (count) => `${count} 个免打扰时段。`,
  lede: '问题照常送到，开着的页面立刻显示，只有声音和通知等到时段结束。有下划线的可以更改。',
  hours: '免打扰时段',
  sentence: ['从 ', ' 到 ', '，', '。'],
  from: '从',
  to: '到',
  nth: (name, place) => (place === 0 ? name : `${name}，${place + 1}`),
  days: '日子',
  on: { every: '每天', week: '周一至周五', weekend: '周六和周日', some: '这些日子' },
  day: { mon: '一', tue: '二', wed: '三', thu: '四', fri: '五', sat: '六', sun: '日' },
  remove: '删除',
  removeOf: (span) => `删除${span}`,
  span: (from, to) => `${from} 到 ${to}`,
  begins: '日子指开始的那一天。',
  add: '新建免打扰时段',
  through: '例外',
  throughSentence: ['仍然通知我：', '，以及', '问的事。'],
  urgency: '紧急程度',
  high: { yes: '紧急的事', no: '不含紧急的事' },
  which: '来源',
  sources: { none: '没有来源', some: '这些来源' },
  zone: (zone) => `时间按 ${zone} 计算。`,
  useZone: (zone) => `按这台设备的时区 ${zone} 计算`,
};

/** The words of quiet hours, in the page's language. */
export function quietWords() {
  return say({ en, zh });
}
