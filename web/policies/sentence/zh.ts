import { spaced } from '../../ui/sentence/spaced.ts';
import { moment } from '../../ui/times.ts';
import type { en } from './en.ts';

// Between Han and anything else stands a space.
const beside = (one: string, other: string) =>
  one + (/[\p{Script=Han}）]$/u.test(one) && /^\p{Script=Han}/u.test(other) ? '' : ' ') + other;
const or = (parts: string[]) => {
  const [last = '', ...others] = parts.toReversed();
  return others.length === 0 ? last : beside(others.toReversed().join('、'), beside('或', last));
};

export const zh: typeof en = {
  or,
  subject: (who, does) => beside(who, does),
  anySource: '任何来源',
  calls: (tools) => `调用 ${tools}`,
  asks: (kinds) => `${kinds}`,
  kinds: {
    text: '要一段文字',
    questions: '提出问题',
    document: '请人改一份文档',
    actions: '要执行操作',
    link: '请人打开网页',
  },
  anything: '提出任何事',
  question: (prompt, options) => (options === undefined ? `提问 ${prompt}` : `提问 ${prompt}（选项 ${options}）`),
  more: (count) => `另外 ${count} 个`,
  described: (options) => `${options}，说明相同`,
  itAsks: (does) => does,
  agent: (names) => `智能体名为 ${names}`,
  dialect: (names) => `经由 ${names} 提出`,
  gate: (names) => `停在审批网关 ${names}`,
  tool: (names) => `工具是 ${names}`,
  allArgs: '全部参数',
  equals: (what, value) => beside(what, `是 ${value}`),
  equalsApart: (what, value) => `${what} 是 ${value}（不论说明怎么写）`,
  matches: (what, pattern) => beside(what, `是形如 ${pattern} 的文字`),
  under: (what, folder) => beside(what, `是 ${folder} 或它下面的路径`),
  least: (what, min) => beside(what, `不小于 ${min}`),
  most: (what, max) => beside(what, `不大于 ${max}`),
  between: (what, min, max) => beside(what, `在 ${min} 到 ${max} 之间`),
  orUntold: (clause) => `${clause}，或者无法确定`,
  shell: (commands) => `命令行里每条命令都是 ${commands}，且没有其他参数`,
  anyShell: (commands) => `命令行里有一条命令是 ${commands}，或者可能运行它，或者命令行没有被读懂`,
  followed: (command) => `${command}（后面可以再跟任何词）`,
  further: (command) => `${command}（后面可以再跟不是选项的词）`,
  annotation: {
    'read-only': '工具自称只读取',
    destructive: '工具自称有破坏性',
    'not destructive': '工具自称没有破坏性',
  },
  run: (names) => `属于运行 ${names}`,
  group: (names) => `分组名为 ${names}`,
  askedLeast: (min) => `这次运行此前已问过 ${min} 件或更多`,
  askedMost: (max) => `这次运行此前最多问过 ${max} 件`,
  askedBetween: (min, max) => `这次运行此前问过 ${min} 到 ${max} 件`,
  time: (from, to) => `时间在 ${from} 到 ${to} 之间`,
  days: (names) => `当天是${names}`,
  nights: (names) => `这段时间始于${names}`,
  zone: (name, ofHub) => `（${ofHub ? '服务端的时区 ' : ''}${name} 时间）`,
  day: { mon: '周一', tue: '周二', wed: '周三', thu: '周四', fri: '周五', sat: '周六', sun: '周日' },
  then: {
    approve: '批准',
    suggested: '按提问方的建议回答',
    'you-decide': '由智能体自己决定',
    unanswered: '按无人及时答复处理',
    random: '随机选一个选项',
    ask: '询问',
    'ask-quietly': '询问，但不通知任何人',
  },
  rejectOnly: '拒绝',
  reject: (words) => `拒绝，并说 ${words}`,
  answer: (words) => `回答 ${words}`,
  askOthers: (handles) => `改问 ${new Intl.ListFormat('zh').format(handles)}`,
  decides: (name) => beside(beside('让', name), '决定'),
  until: (at, now) => `（到${spaced(moment(at, now, 'zh'))}为止）`,
  whole: (subject, conditions, then, until) =>
    `${beside(
      [subject, ...conditions].reduce((all, one) => `${all}，${beside('且', one)}`),
      '时',
    )}，${then}${until}。`,
};
