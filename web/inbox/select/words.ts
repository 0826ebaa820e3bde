import { say } from '../../ui/language.ts';
import type { LeftOut } from './ofRun.ts';

const en = {
  selection: 'Selection',
  calls: (count: number) => (count === 1 ? '1 call.' : `${count} calls alike.`),
  callsOfRun: (count: number) => `${count} ${count === 1 ? 'call' : 'calls'} of this run.`,
  questions: (count: number) => `${count} ${count === 1 ? 'question' : 'questions'}.`,
  pickSome: 'Calls that are alike can be decided together, and questions declined.',
  unread: 'Your rules could not be read, so nothing can be decided together.',
  retry: 'Try again',
  title: {
    approve: (count: number) => (count === 1 ? 'Approve this call?' : `Approve these ${count} calls?`),
    reject: (count: number) => (count === 1 ? 'Reject this call?' : `Reject these ${count} calls?`),
    decline: (count: number) => (count === 1 ? 'Decline this question?' : `Decline these ${count} questions?`),
  },
  act: {
    approve: (count: number) => `Approve ${count}`,
    reject: (count: number) => `Reject ${count}`,
    decline: (count: number) => `Decline ${count}`,
  },
  gets: {
    approve: 'Each runs as shown.',
    reject: 'None of them runs; the agent is told so.',
    decline: 'Each agent is told that you would rather not answer, and goes on as it sees fit.',
  },
  apart: {
    caution: (count: number) => `${count} ${count === 1 ? 'call' : 'calls'} marked caution`,
    passkey: (count: number) => `${count} that ${count === 1 ? 'needs' : 'need'} your passkey`,
    approved: (count: number) => `${count} that you approved already`,
    edited: (count: number) => `${count} that somebody changed`,
    several: (count: number) => `${count} with several calls`,
    files: (count: number) => `${count} that ${count === 1 ? 'changes' : 'change'} files`,
    yolo: (count: number) => `${count} that ${count === 1 ? 'starts' : 'start'} YOLO`,
    rule: (count: number) => `${count} of a tool that a rule asks about`,
    answering: (count: number) => `${count} that somebody is answering`,
    refuses: (count: number) => `${count} that ${count === 1 ? 'takes' : 'take'} another decision`,
  } satisfies Record<LeftOut, (count: number) => string>,
  notIn: (what: string[]) => `Not in it: ${what.join(', ')}.`,
  noneLeft: 'Decide each by itself',
  reading: 'Loading…',
  inFolder: (folder: string) => `, in ${folder}. `,
  leaveOut: (at: number) => `Leave call ${at} out`,
  gone: 'No longer waits',
  below: (count: number) =>
    count === 1 ? '1 call not seen to its end: it stays open' : `${count} calls not seen to their end: they stay open`,
  seeEnd: 'after you have seen the end',
  cancel: 'Cancel',
  sending: 'Sending…',
  done: {
    approve: (count: number) => `${count} approved.`,
    reject: (count: number) => `${count} rejected.`,
    decline: (count: number) => `${count} declined.`,
  },
  queued: (count: number) => `${count} ${count === 1 ? 'is' : 'are'} sent when the hub is back.`,
  lost: (count: number) => `${count} ${count === 1 ? 'was' : 'were'} not taken:`,
  answeredBy: (who: string, device: string) => `${who} answered earlier, on ${device}`,
  resolved: {
    answered: 'Answered earlier',
    declined: 'Declined earlier',
    expired: 'Nobody answered in time',
    withdrawn: 'Withdrawn',
  },
  refused: 'The hub refused the answer',
  ok: 'OK',
};

const zh: typeof en = {
  selection: '选择',
  calls: (count) => (count === 1 ? '1 个调用。' : `${count} 个同类调用。`),
  callsOfRun: (count) => `本次运行的 ${count} 个调用。`,
  questions: (count) => `${count} 个提问。`,
  pickSome: '同类的调用可以一起决定，提问可以一起不回答。',
  unread: '无法读取你的规则，暂时不能一起决定。',
  retry: '重试',
  title: {
    approve: (count) => `批准这 ${count} 个调用？`,
    reject: (count) => `拒绝这 ${count} 个调用？`,
    decline: (count) => `这 ${count} 个提问都不回答？`,
  },
  act: {
    approve: (count) => `批准 ${count} 个`,
    reject: (count) => `拒绝 ${count} 个`,
    decline: (count) => `${count} 个都不回答`,
  },
  gets: {
    approve: '每个都按所示执行。',
    reject: '都不会执行，智能体会得知。',
    decline: '各个智能体会得知你不想回答，并自行继续。',
  },
  apart: {
    caution: (count) => `${count} 个慎重调用`,
    passkey: (count) => `${count} 个需要通行密钥`,
    approved: (count) => `${count} 个你已批准`,
    edited: (count) => `${count} 个已被修改`,
    several: (count) => `${count} 个含多个调用`,
    files: (count) => `${count} 个要改文件`,
    yolo: (count) => `${count} 个会开始放行`,
    rule: (count) => `${count} 个其工具有规则要求询问`,
    answering: (count) => `${count} 个正有人作答`,
    refuses: (count) => `${count} 个要作别的决定`,
  },
  notIn: (what) => `不含：${what.join('、')}。`,
  noneLeft: '需逐个决定',
  reading: '正在加载…',
  inFolder: (folder) => `，在 ${folder}。`,
  leaveOut: (at) => `不含第 ${at} 个`,
  gone: '已不再等待',
  below: (count) => `还有 ${count} 个调用没看到末尾，暂不决定`,
  seeEnd: '看到末尾后可批准',
  cancel: '取消',
  sending: '正在发送…',
  done: {
    approve: (count) => `已批准 ${count} 个。`,
    reject: (count) => `已拒绝 ${count} 个。`,
    decline: (count) => `${count} 个未回答。`,
  },
  queued: (count) => `${count} 个会在恢复连接后发送。`,
  lost: (count) => `${count} 个未被采用：`,
  answeredBy: (who, device) => `${who} 已先答复，用 ${device}`,
  resolved: { answered: '已先被答复', declined: '已先被拒答', expired: '到时无人答复', withdrawn: '已撤回' },
  refused: '服务端拒绝了这个答复',
  ok: '好',
};

/** The words of deciding several calls together, in the page's language. */
export function selectWords() {
  return say({ en, zh });
}
