import { say } from '../../ui/language.ts';
import { COMMAND } from '../../ui/keys.ts';
import { spaced } from '../../ui/sentence/spaced.ts';
import { countWord, moment } from '../../ui/times.ts';

type Did = 'approve' | 'edit' | 'reject' | 'respond' | 'declined' | 'decided';

const en = {
  elsewhere: {
    other: (who: string, device: string) => `${who} is answering on ${device}.`,
    mayBeFirst: 'You may still be first.',
    yours: (device: string) => `You are writing this on ${device}.`,
    begun: (device: string, at: number, now: number) => `You began this on ${device} (${moment(at, now, 'en')}).`,
    follow: 'Your words can follow you here.',
    goOn: 'Continue here',
  },
  facts: {
    asked: 'Asked',
    through: (framework: string) => `through ${framework}, `,
    agent: 'Agent',
    subagent: 'Sub-agent',
    folder: 'Folder',
    run: 'Run',
    thread: 'Thread',
    links: 'Links',
    needs: 'Needs',
    people: (count: number) => `${countWord(count, 'en')} people; the first reject ends it`,
    approvedBy: 'Approved by',
    approval: 'Approval',
    ended: (at: string) => `ended at ${at}, before it was used`,
    told: 'Notified',
    quiet: 'nobody, by a rule',
    reach: (told: number, shown: number) =>
      told === 0
        ? 'no device was notified'
        : `${countWord(told, 'en')} ${told === 1 ? 'device' : 'devices'}, shown on ${countWord(shown, 'en')}`,
    dayAndTime: (day: string, time: string) => `${day}, ${time}`,
  },
  wentBack: {
    title: 'What went back',
    notYet: 'Nothing yet: the run waits for the other questions that it asked with this one.',
  },
  dialog: {
    title: 'More',
    decline: 'Decline',
    declineMore: 'No answer: the agent is told that you would rather not answer, and goes on as it sees fit.',
    dismiss: 'Hide on this device',
    dismissMore: 'The agent keeps waiting, and your other devices still show it.',
    fiveMore: 'Five more minutes',
    hourMore: 'One more hour',
    latest: (at: number, now: number) => `At the latest until ${moment(at, now, 'en')}.`,
    keys: 'Keys',
  },
  keys: {
    title: 'Keys',
    list: [
      ['1 to 9', 'pick an answer'],
      ['1 or y', 'approve'],
      ['2 or n', 'reject or decline'],
      ['e', 'edit'],
      ['↑ ↓', 'the question or call above or below'],
      ['← →', 'the question before or after'],
      ['k j', 'the same, and up or down a long inbox with its groups'],
      ['Del', 'in the inbox: hide on this device'],
      ['Enter', 'send, or the next question'],
      [`${COMMAND} Enter`, 'send while writing; approve where a reply is possible'],
      ['a to z', 'nothing where words could be meant: they are written'],
      ['Esc', 'stop writing, then back to the inbox'],
      ['?', 'show this'],
    ] as [string, string][],
  },
  way: (source: string) => `Settings for ${source}`,
  confirm: {
    send: (source: string) => `Send this to ${source}?`,
    decline: (source: string) => `Decline, and tell ${source} so?`,
    noWords: 'Without words.',
    back: 'Cancel',
    doSend: 'Send',
    doDecline: 'Decline',
  },
  before: {
    ps: 'P.S. ',
    same: (source: string) => `The same call, from ${source}: `,
    last: (what: Did, when: string) =>
      `you ${{ approve: 'approved it', edit: 'approved it with changes', reject: 'rejected it', respond: 'replied instead', declined: 'declined it', decided: 'decided it' }[what]} ${when}.`,
    run: 'Before, in this run',
    thread: 'Before, in this thread',
    waits: 'still waits',
    byRule: (name: string) => `by rule, “${name}”,`,
    expired: 'nobody answered',
    withdrawn: 'withdrawn',
    declinedMark: 'declined',
  },
};

const zh: typeof en = {
  elsewhere: {
    other: (who, device) => `${who} 正在作答，用 ${device}。`,
    mayBeFirst: '你仍可以先答复。',
    yours: (device) => `你正在 ${device} 上作答。`,
    begun: (device, at, now) => `你在 ${device} 上开始写了（${moment(at, now, 'zh')}）。`,
    follow: '写的内容可以在这里继续。',
    goOn: '在此继续',
  },
  facts: {
    asked: '提出',
    through: (framework) => `经由 ${framework}，`,
    agent: '智能体',
    subagent: '子智能体',
    folder: '文件夹',
    run: '运行',
    thread: '会话',
    links: '链接',
    needs: '需要',
    people: (count) => `${countWord(count, 'zh')}人批准；第一个拒绝即告结束`,
    approvedBy: '批准人',
    approval: '批准',
    ended: (at) => `已于 ${at} 失效，未被使用`,
    told: '已通知',
    quiet: '按规则没有通知任何人',
    reach: (told, shown) =>
      told === 0
        ? '没有设备收到通知'
        : `${countWord(told, 'zh')}台设备，${shown === 0 ? '都未显示' : `${countWord(shown, 'zh')}台已显示`}`,
    dayAndTime: (day, time) => `${day} ${time}`,
  },
  wentBack: {
    title: '送回的内容',
    notYet: '还没有：这次运行一起问的其他问题还在等待。',
  },
  dialog: {
    title: '更多',
    decline: '不回答',
    declineMore: '没有答复：智能体会得知你不想回答，并自行决定怎样继续。',
    dismiss: '在此设备隐藏',
    dismissMore: '智能体继续等待，其他设备仍会显示。',
    fiveMore: '延长五分钟',
    hourMore: '延长一小时',
    latest: (at, now) => `最晚到${spaced(moment(at, now, 'zh')).trimEnd()}。`,
    keys: '按键',
  },
  keys: {
    title: '按键',
    list: [
      ['1 到 9', '选一项'],
      ['1 或 y', '批准'],
      ['2 或 n', '拒绝或不回答'],
      ['e', '修改'],
      ['↑ ↓', '上一个、下一个问题或调用'],
      ['← →', '前一个、后一个问题'],
      ['k j', '同上；在长收件箱里上下移动，经过各组'],
      ['Del', '在收件箱里：在此设备隐藏'],
      ['Enter', '发送，或到下一题'],
      [`${COMMAND} Enter`, '写的时候发送；可以回复的调用则批准'],
      ['a 到 z', '可能是文字时不起按键作用，直接写进去'],
      ['Esc', '停止输入，再按则返回收件箱'],
      ['?', '显示这张表'],
    ],
  },
  way: (source) => `${source} 的设置`,
  confirm: {
    send: (source) => `发送给 ${source}？`,
    decline: (source) => `不回答，并告知 ${source}？`,
    noWords: '没有附文字。',
    back: '取消',
    doSend: '发送',
    doDecline: '不回答',
  },
  before: {
    ps: '附：',
    same: (source) => `同样的调用，来自 ${source}：`,
    last: (what, when) =>
      `你${when}${{ approve: '批准了', edit: '按修改批准了', reject: '拒绝了', respond: '改为回复了', declined: '没有回答', decided: '作了决定' }[what]}。`,
    run: '这次运行里之前问过的',
    thread: '这个会话里之前问过的',
    waits: '等待中',
    byRule: (name) => `按规则“${name}”`,
    expired: '无人答复',
    withdrawn: '已撤回',
    declinedMark: '未回答',
  },
};

/** The words of what stands around the question, in the page's language. */
export function viewWords() {
  return say({ en, zh });
}
