import type { Quiet } from '#shared/policies/quiet.ts';
import { now } from '../ui/clock.ts';
import { say } from '../ui/language.ts';
import { cityElsewhere } from './time-zone.ts';

const en = {
  title: 'Quiet',
  noHours: 'No quiet hours.',
  turnedOff: 'Quiet hours are off.',
  one: (from: string, to: string): [string, string] => [`Quiet from ${from}`, `to ${to}.`],
  several: (count: number) => `${count} times of quiet.`,
  lede: 'Questions still come in and open pages show them at once; only sound and notifications wait for the end.',
  hours: 'Quiet hours',
  from: 'From',
  to: 'To',
  nth: (name: string, place: number) => (place === 0 ? name : `${name}, ${place + 1}`),
  days: 'Days',
  on: { every: 'Every day', week: 'Weekdays', weekend: 'Saturday and Sunday', some: 'These days' },
  day: { mon: 'Mo', tue: 'Tu', wed: 'We', thu: 'Th', fri: 'Fr', sat: 'Sa', sun: 'Su' },
  remove: 'Remove',
  removeOf: (span: string) => `Remove ${span}`,
  span: (from: string, to: string) => `${from} to ${to}`,
  begins: 'The days are those on which it begins.',
  add: 'New quiet hours',
  through: 'Still notify me',
  unanswered: 'If I do not answer',
  ringAgain: 'Ring again',
  again: { never: 'Never', once: 'Once, after 10 min', repeat: 'Every 30 min' },
  untilDue: 'Until it is due. Quiet hours hold.',
  urgent: 'Urgent',
  which: 'Sources',
  none: 'none',
  close: 'Close',
  off: 'Off',
  count: (count: number) => `${count} times`,
  zone: (zone: string, ofHub: boolean) => `The hours are those of ${zone}${ofHub ? ', the time zone of the hub' : ''}.`,
  useZone: (zone: string) => `Count them in ${zone}, as on this device`,
  elsewhere: (there: string, ofHub: boolean, here: string) =>
    `Quiet hours and rules go by ${there} time${ofHub ? ', as on the hub' : ''}. This device is in ${here}.`,
  inTime: (span: string, city: string) => `${span} (${city} time)`,
  useTime: (city: string) => `Use ${city} time`,
  keepTime: (city: string) => `Keep ${city} time`,
};

const zh: typeof en = {
  title: '免打扰',
  noHours: '没有免打扰时段。',
  turnedOff: '免打扰已关闭。',
  one: (from, to) => [`免打扰从 ${from}`, `到 ${to}。`],
  several: (count) => `${count} 个免打扰时段。`,
  lede: '问题照常送到，开着的页面立刻显示，只有声音和通知等到时段结束。',
  hours: '免打扰时段',
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
  through: '仍然通知我',
  unanswered: '如果我没有回答',
  ringAgain: '再次响铃',
  again: { never: '从不', once: '10 分钟后一次', repeat: '每 30 分钟' },
  untilDue: '直到到期。免打扰时段不响。',
  urgent: '紧急',
  which: '来源',
  none: '无',
  close: '关闭',
  off: '关',
  count: (count) => `${count} 个时段`,
  zone: (zone, ofHub) => `时间按${ofHub ? '服务端的时区 ' : ' '}${zone} 计算。`,
  useZone: (zone) => `按这台设备的时区 ${zone} 计算`,
  elsewhere: (there, ofHub, here) =>
    `免打扰和规则按 ${there} 时间计算${ofHub ? '（服务端的时区）' : ''}。这台设备在 ${here}。`,
  inTime: (span, city) => `${span}（${city} 时间）`,
  useTime: (city) => `改用 ${city} 时间`,
  keepTime: (city) => `保留 ${city} 时间`,
};

/** The quiet hours as the few words that a row shows. */
export function quietSummary(quiet: Quiet | undefined): string {
  const t = quietWords();
  const [only, more] = quiet?.spans ?? [];
  if (!quiet || !only) return t.none;
  if (quiet.off) return t.off;
  const city = cityElsewhere(now.peek());
  const said = more ? t.count(quiet.spans.length) : t.span(only.from, only.to);
  return city === '' ? said : t.inTime(said, city);
}

/** The words of quiet hours, in the page's language. */
export function quietWords() {
  return say({ en, zh });
}
