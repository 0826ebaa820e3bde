import { say } from '../../ui/language.ts';
import { clockTime, lasting } from '../../ui/times.ts';

const took = (ms: number, language: 'en' | 'zh') => (ms < 1000 ? `${ms} ms` : lasting(ms, language));

// Between Han and anything else stands a space.
const beside = (text: string) => (/^\p{Script=Han}/u.test(text) ? text : ` ${text} `);

/** Who asked which decider, on which device and when. */
type Asked = { who: string; name: string; device: string; at: number };

const en = {
  suggests: (name: string) => `${name} suggests`,
  will: (name: string) => `${name} will answer`,
  at: (at: number) => `at ${clockTime(at)}`,
  use: 'Use this',
  dismiss: 'Dismiss',
  asking: (name: string) => `${name} was asked and has not answered yet.`,
  declines: 'If nothing comes of it, this is declined in your name.',
  declinesFor: (handle: string) => `If nothing comes of it, this is declined in the name of ${handle}.`,
  failed: (name: string) => `${name} gave no answer.`,
  decides: (name: string, seconds: number) => `${name} decides in ${seconds} s`,
  left: (seconds: number) => `${seconds} s`,
  leftAloud: (seconds: number) => `${seconds} seconds left`,
  now: 'Send now',
  stop: 'Stop, decide later',
  myself: 'Answer myself',
  why: {
    asked: ({ who, name, device, at }: Asked) => `${who} asked ${name} at ${clockTime(at)}, on ${device}.`,
    'instead of declining': ({ who, name, device, at }: Asked) =>
      `${who} handed this to ${name} at ${clockTime(at)}, on ${device}.`,
    deadline: () => 'The deadline is near, and nobody has answered.',
    rule: ({ name }: Asked) => `A rule let ${name} decide.`,
    yolo: ({ name }: Asked) => `YOLO lets ${name} decide.`,
    suggested: () => '',
  },
  you: 'You',
  other: (handle: string) => handle,
  onThis: 'this device',
  marked: (name: string) => `The answer is marked as ${name}’s. If you do nothing, it is sent.`,
  sent: 'What it was sent',
  close: 'Close',
  noRuns: 'Nothing was sent about this.',
  reading: 'Loading…',
  run: (name: string, ms: number) => `${name}, ${took(ms, 'en')}`,
  tokens: (sent: number, back: number) => `${sent} tokens sent, ${back} came back`,
  sentText: 'Sent',
  received: 'Came back',
};

const zh: typeof en = {
  suggests: (name) => `${name} 建议`,
  will: (name) => `${name} 将这样答复`,
  at: (at) => clockTime(at),
  use: '采用',
  dismiss: '忽略',
  asking: (name) => `已经问了 ${name}，还没有答复。`,
  declines: '若没有结果，就以你的名义不回答。',
  declinesFor: (handle) => `若没有结果，就以 ${handle} 的名义不回答。`,
  failed: (name) => `${name} 没有给出答复。`,
  decides: (name, seconds) => `${name} 将在 ${seconds} 秒后决定`,
  left: (seconds) => `${seconds} 秒`,
  leftAloud: (seconds) => `还剩 ${seconds} 秒`,
  now: '立即发送',
  stop: '停止，稍后再定',
  myself: '我来回答',
  why: {
    asked: ({ who, name, device, at }) => `${who}在 ${clockTime(at)} 用${beside(device)}问了 ${name}。`,
    'instead of declining': ({ who, name, device, at }) =>
      `${who}在 ${clockTime(at)} 用${beside(device)}交给了 ${name}。`,
    deadline: () => '期限将到，还没有人答复。',
    rule: ({ name }) => `一条规则让 ${name} 决定。`,
    yolo: ({ name }) => `自动放行让 ${name} 决定。`,
    suggested: () => '',
  },
  you: '你',
  other: (handle) => `${handle} `,
  onThis: '这台设备',
  marked: (name) => `答复会注明出自 ${name}。你什么都不做，它就会发出。`,
  sent: '发给它的内容',
  close: '关闭',
  noRuns: '没有为此发送过内容。',
  reading: '正在加载…',
  run: (name, ms) => `${name}，${took(ms, 'zh')}`,
  tokens: (sent, back) => `发出 ${sent} 个词元，返回 ${back} 个`,
  sentText: '发出的',
  received: '返回的',
};

/** The words about proposals and what becomes of them, in the page's language. */
export function proposalWords() {
  return say({ en, zh });
}
