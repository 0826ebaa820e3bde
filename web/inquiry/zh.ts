import { clockTime, countWord, lasting, moment } from '../ui/times.ts';
import { spaced } from '../ui/sentence/spaced.ts';
import type { FaultParams, Words } from './en.ts';

const zh = 'zh';
const count = (number: number) => countWord(number, zh);

/** The dialog's words in Chinese. */
export const words: Words = {
  about: '关于这个问题',
  yourAnswer: '你的答复',
  more: '更多',

  by: {
    in: (left) => `，还有${spaced(lasting(left, zh)).trimEnd()}`,
    up: '时间到了。',
    upMore: '时限内发送的仍然有效。',
    entry: '你输入时不会到期',
    moved: (at, now) => `时限改到 ${moment(at, now, zh)}`,
    fiveMore: '延长五分钟',
    step: (place, of) =>
      place === of ? `共${of === 2 ? '两' : count(of)}题，最后一题` : `第${han(place)}题，共${count(of)}题`,
  },

  send: '发送',
  sendSuggested: '按建议发送',
  sendBack: '送回',
  sendAll: (number) => `全部发送（${number}）`,
  sendAllSuggested: (number) => `${number} 题都按建议发送`,
  allAtOnce: (number) => `一次看完（${number}）`,
  oneByOne: '逐题作答',
  leftToAnswer: (left) => `还有${count(left)}题没有作答。`,
  next: '下一题',
  back: '返回',
  previous: '上一题',
  decline: '不回答',
  letDecide: (decider) => `让${spaced(decider)}决定`,
  decidesIn: (decider, seconds) => `${spaced(decider).trimStart()}将在 ${seconds} 秒后决定`,
  declineAsk: (source) => `智能体得不到答复。告诉${spaced(source)}原因，也可以留空`,
  suggestedBy: (source) => `${source} 的建议`,
  yourWords: '你写的内容',
  bringBack: '恢复建议',
  suggested: '建议',
  between: '。',
  inWords: '用文字回答',
  somethingElse: '其他答案',
  somethingElseMore: '用你自己的话说。',
  preview: '显示更多',
  clearChoice: '清除',
  optional: '选填',
  optionalField: '（选填）',
  said: '已答的',
  blank: '留空',
  secretNote: '加密保存，只有提问方能看到。',
  pickBetween: (min, max) => {
    if (max === undefined) return min > 1 ? `至少选${count(min)}项。` : '可选多项。';
    if (min === max) return `正好选${count(min)}项。`;
    return min === 0 ? `最多选${count(max)}项。` : `选${count(min)}到${count(max)}项。`;
  },

  faults: {
    'answer.missing': () => '必填',
    'answer.empty': () => '必填',
    'answer.too_few': ({ minimum }) => `至少选${count(Number(minimum))}项。`,
    'answer.too_many': ({ maximum }) => `最多选${count(Number(maximum))}项。`,
    'answer.count': () => '每个调用都要各自决定。',
    'json.malformed': () => '这还不是 JSON。请检查引号、逗号和括号。',
    'json.object': () => '表单要写成 JSON 对象：以 { 开头，以 } 结尾。',
    'json.inexact': ({ number }) => `${number} 的位数太多，这个页面无法原样发送。请写成文本，或换一种方式答复。`,
    'field.number': () => '这不是数字。',
    'field.integer': () => '这不是整数。',
    'field.minimum': ({ minimum }) => `不能小于 ${minimum}。`,
    'field.maximum': ({ maximum }) => `不能大于 ${maximum}。`,
    'field.above': ({ exclusiveMinimum }) => `要大于 ${exclusiveMinimum}。`,
    'field.below': ({ exclusiveMaximum }) => `要小于 ${exclusiveMaximum}。`,
    'field.step': ({ multipleOf }) => `要是 ${multipleOf} 的整数倍。`,
    'field.too_short': ({ minimum }) => `至少要 ${minimum} 个字。`,
    'field.too_long': ({ maximum }) => `至多 ${maximum} 个字。`,
    'field.pattern': ({ pattern }) => `要符合格式 ${pattern}。`,
    'field.email': () => '地址不完整：要有 @，后面还要有一个点。',
    'field.uri': () => '网址不完整：要以 https:// 之类开头。',
    'field.date': () => '这不是日期。',
  } as Record<string, (params: FaultParams) => string>,
  refused: (detail) => `服务端没有接受：${detail}`,

  call: {
    approve: '批准',
    reject: '拒绝',
    edit: '修改',
    respond: '改为回复',
    asJson: 'JSON',
    asForm: '表单',
    long: (lines, characters) => (lines > 1 ? `${lines} 行` : `${characters} 个字符`),
    below: (lines, characters) =>
      lines > 0 ? `下面还有 ${lines} 行，${characters} 个字符。全部显示` : `还有 ${characters} 个字符。全部显示`,
    rejectAll: '全部拒绝',
    inFolder: (folder) => `，在 ${folder}`,
    copy: '复制',
    copied: '已复制',
    entries: (number) => `${count(number)}项`,
    noArgs: '没有参数',
    alike: (number) => `${number} 行相同`,
    newFile: '新文件',
    change: (place, of) => `改动 ${place}/${of}`,
    previous: '上一处',
    next: '下一处',
    destructive: '破坏性操作',
    caution: '慎重。',
    afterEnd: '看到末尾后可批准',
    afterCall: '看到调用后可批准',
    remembers: (what) => `会记住：${what}`,
  },

  queued: {
    wrote: (at) => `你在 ${clockTime(at)} 写了`,
    leaves: '恢复连接后自动发送。如果有人先答复，会显示是谁。',
    undo: '撤销',
    tryNow: '立即重试',
    sending: '正在发送…',
  },
};

const DIGITS = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];

function han(place: number): string {
  return DIGITS[place] ?? `${place > 10 && place < 20 ? `十${DIGITS[place - 10]}` : place}`;
}
