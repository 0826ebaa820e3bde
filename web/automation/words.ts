import { say } from '../ui/language.ts';
import { spaced } from '../ui/sentence/spaced.ts';
import { moment } from '../ui/times.ts';

const or = new Intl.ListFormat('en');

const en = {
  title: 'Automation',
  back: 'Automation',
  nothing: 'Nothing answers without you.',
  head(rules: number, standIns: number): string {
    const parts = [
      ...(rules > 0 ? [`${rules} ${rules === 1 ? 'rule' : 'rules'}`] : []),
      ...(standIns > 0 ? [`${standIns} ${standIns === 1 ? 'stand-in' : 'stand-ins'}`] : []),
    ];
    return `${parts.join(' and ')} ${rules + standIns === 1 ? 'is' : 'are'} on.`;
  },
  week: (count: number) => `This week: ${count} ${count === 1 ? 'answer' : 'answers'} without you.`,
  never: 'A call marked caution is always yours.',
  suggestions: (count: number) => `${count} ${count === 1 ? 'suggestion' : 'suggestions'}`,
  wouldSave: (count: number) => ` would have saved ${count} questions.`,
  did: {
    approve: (count: number) => `${count} approved`,
    reject: (count: number) => `${count} rejected`,
    settled: (count: number) => `${count} answered`,
  },
  didAt: (what: string, at: number, now: number) => `${what} this week, last ${moment(at, now, 'en')}`,
  didNothing: 'Nothing this week',
  yolo: 'Approve every call for a while',
  yoloRuns: (names: string, at: number, now: number) => `Approve calls of ${names} until ${moment(at, now, 'en')}`,
  yoloSoFar: (count: number) => `${count} approved so far.`,
  yoloLast: (count: number, when: string) => `${count} ${count === 1 ? 'call' : 'calls'} settled, ${when}.`,
  seeThem: 'See them',
  start: 'Start…',
  more: 'More',
  standIns: 'Stand-ins',
  newStandIn: 'New stand-in',
  noStandIn: 'No stand-in yet.',
  serves: (name: string, suggests: string[], decides: string[]) => {
    const parts = [
      ...(suggests.length > 0 ? [`suggests answers to ${or.format(suggests)}`] : []),
      ...(decides.length > 0 ? [`may be asked to answer ${or.format(decides)}`] : []),
    ];
    return parts.length > 0 ? `${name} ${parts.join(' and ')}` : `${name} serves no source yet`;
  },
  sources: 'Sources',
  test: 'Test',
  edit: 'Edit',
  of: (word: string, name: string) => `${word}: ${name}`,
  quiet: 'Quiet hours and reminders',
  quietHours: 'Quiet hours',
  noQuiet: 'No quiet hours',
  quietSpan: (from: string, to: string, days: string) => `${days} ${from} to ${to}`,
  timeOf: (city: string) => `${city} time`,
  comma: ', ',
  colon: ': ',
  every: 'Every day',
  some: 'On some days',
  rings: { high: 'only urgent ones notify', sources: 'only some sources notify', none: 'nothing notifies' },
  set: 'Set quiet hours',
};

const zh: typeof en = {
  title: '自动化',
  back: '自动化',
  nothing: '没有任何自动答复。',
  head(rules, standIns) {
    const parts = [...(rules > 0 ? [`${rules} 条规则`] : []), ...(standIns > 0 ? [`${standIns} 个代答`] : [])];
    return `${parts.join('和 ')}已开启。`;
  },
  week: (count) => `本周自动答复 ${count} 次。`,
  never: '标为慎重的调用始终由你决定。',
  suggestions: (count) => `${count} 条建议`,
  wouldSave: (count) => `可省 ${count} 次询问。`,
  did: {
    approve: (count) => `批准 ${count} 次`,
    reject: (count) => `拒绝 ${count} 次`,
    settled: (count) => `答复 ${count} 次`,
  },
  didAt: (what, at, now) => `本周${what}，最近 ${moment(at, now, 'zh')}`,
  didNothing: '本周没有用到',
  yolo: '一段时间内批准所有调用',
  yoloRuns: (names, at, now) => `批准 ${names} 的调用，到${spaced(moment(at, now, 'zh'))}为止`,
  yoloSoFar: (count) => `到现在批准了 ${count} 个。`,
  yoloLast: (count, when) => `${when}，处理了 ${count} 个调用。`,
  seeThem: '查看',
  start: '开始…',
  more: '更多',
  standIns: '代答',
  newStandIn: '新建代答',
  noStandIn: '还没有代答。',
  serves: (name, suggests, decides) => {
    const parts = [
      ...(suggests.length > 0 ? [`为 ${suggests.join('、')} 建议答复`] : []),
      ...(decides.length > 0 ? [`可代答 ${decides.join('、')}`] : []),
    ];
    return parts.length > 0 ? `${name} ${parts.join('，')}` : `${name} 还没有服务的来源`;
  },
  sources: '来源',
  test: '测试',
  edit: '修改',
  of: (word, name) => `${word}：${name}`,
  quiet: '免打扰与提醒',
  quietHours: '免打扰',
  noQuiet: '没有免打扰时段',
  quietSpan: (from, to, days) => `${days} ${from} 至 ${to}`,
  timeOf: (city) => `${city} 时间`,
  comma: '，',
  colon: '：',
  every: '每天',
  some: '部分日子',
  rings: { high: '只有紧急的会通知', sources: '只有部分来源会通知', none: '都不通知' },
  set: '设置免打扰时段',
};

/** The words of the page of all that answers without its person. */
export function automationWords() {
  return say({ en, zh });
}
