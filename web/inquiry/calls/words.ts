import { say } from '../../ui/language.ts';
import { spaced } from '../../ui/sentence/spaced.ts';
import { countWord } from '../../ui/times.ts';

const en = {
  approveEdited: 'Approve with changes',
  whyNotAsk: (source: string) => `The call does not run. Tell ${source} why, or leave it blank`,
  respondAsk: (source: string) => `The call does not run. ${source} gets your words as its result`,
  editAsk: 'The arguments, as JSON. What you change is what will run.',
  putBack: 'Undo changes',
  editFields: 'Change what you like. This is what will run.',
  decision: (place: number) => `Decision ${place}`,
  rejectCall: (place: number) => `Reject call ${place}`,
  undo: 'Undo',
  undoCall: (place: number) => `Undo call ${place}`,
  callCount: (count: number) => `${count} ${count === 1 ? 'call' : 'calls'}`,
  approveAll: (count: number) => `Approve all ${count}`,
  approveSome: (count: number) => `Approve ${count}`,
  rejects: (tools: string, count: number) => `${tools}; rejects ${count}`,
  approveRest: (count: number) => `Approve the other ${count === 1 ? 'one' : countWord(count, 'en')}`,
  noneRuns: 'none runs',
  decided: (done: number, left: number) => `${done} decided, ${left} to go.`,
  leftToDecide: (left: number) => `${left} left to decide`,
  sendAll: (count: number) => `Send all ${count}`,
  cautionMore: ' This cannot be taken back. Read it to its end first.',
  readFirst: (seconds: number) => `Read first, ${seconds} s`,
};

const zh: typeof en = {
  approveEdited: '按修改批准',
  whyNotAsk: (source) => `调用不会执行。告诉${spaced(source)}原因，也可以留空`,
  respondAsk: (source) => `调用不会执行。${spaced(source).trimStart()}得到你的文字作为结果`,
  editAsk: '参数，写成 JSON。你改成什么，就执行什么。',
  putBack: '还原',
  editFields: '可以修改。这里写着什么，就执行什么。',
  decision: (place) => `第 ${place} 个的决定`,
  rejectCall: (place) => `拒绝第 ${place} 个`,
  undo: '撤销',
  undoCall: (place) => `撤销第 ${place} 个`,
  callCount: (number) => `${number} 个调用`,
  approveAll: (number) => `全部批准（${number}）`,
  approveSome: (number) => `批准 ${number} 个`,
  rejects: (tools, number) => `${tools}；拒绝 ${number} 个`,
  approveRest: (number) => `批准其余${countWord(number, 'zh')}个`,
  noneRuns: '都不会执行',
  decided: (done, left) => `已定 ${done} 个，还有 ${left} 个。`,
  leftToDecide: (left) => `还有 ${left} 个未定`,
  sendAll: (number) => `全部发送（${number}）`,
  cautionMore: '执行后无法撤回。请先看到末尾。',
  readFirst: (seconds) => `请先看完，${seconds} 秒`,
};

/** The words of deciding calls, in the page's language; those of a call that is only shown are the dialog's. */
export function callWords() {
  return say({ en, zh });
}
