import type { Resolution } from '#shared/answer.ts';
import { saidIn } from '#shared/text.ts';
import { say } from '../../ui/language.ts';
import { spaced } from '../../ui/sentence/spaced.ts';
import { countWord, exactTime, lasting, moment } from '../../ui/times.ts';

/** How a settled inquiry is told to this person: the sentence, the words of the answer, and its badge. */
export type Verdict = {
  say: string;
  /** The words of whoever decided; absent where nobody did or nothing was said. */
  quote?: string;
  /** Who, on what and when, where seconds matter. */
  who?: string;
  badge: { above: string; below: string; at: number; ink: boolean };
  /** Decided by nobody: an answer sent now is late, not a remark. */
  undecided: boolean;
};

const BRAND = 'Beckon';

type VerdictParts = {
  resolution: Resolution;
  words: VerdictWords;
  source: string;
  now: number;
  deadlineAt: string;
  /** This person's handle, to say "you". */
  handle: string | undefined;
  /** When this device sent its own answer (ms), if it lost. */
  lostAt?: number | undefined;
  won: boolean;
  /** A rule handed the decision back to the agent. */
  handedBack?: boolean;
};

/** The verdict on a resolution. Expiry is never told as a choice, losing never as an error (RES2, RES4). */
export function toVerdict({
  resolution,
  words: verdict,
  source,
  now,
  deadlineAt,
  handle,
  lostAt,
  won,
  handedBack,
}: VerdictParts): Verdict {
  const { by, outcome } = resolution;
  const ruled = sayRule(resolution, verdict.rule, handedBack);
  const at = Date.parse(resolution.at);
  if (outcome === 'expired')
    return {
      say: ruled ?? verdict.expired(Date.parse(deadlineAt), now),
      ...(resolution.answer ? { quote: resolution.text } : {}),
      badge: { above: ruled && by.kind === 'policy' ? by.label : verdict.missedMark, below: BRAND, at, ink: true },
      undecided: true,
    };
  if (outcome === 'withdrawn')
    return {
      say: verdict.withdrawn(source),
      ...(resolution.message ? { quote: `“${resolution.message}”` } : {}),
      badge: { above: verdict.withdrawnMark, below: source, at, ink: true },
      undecided: true,
    };
  const said = outcome === 'declined' ? resolution.message : saidIn(resolution);
  const decided = { ...(said ? { quote: `“${said.trimEnd()}”` } : {}), undecided: false };
  if (by.kind !== 'person')
    return {
      ...decided,
      say: ruled ?? (by.kind === 'decider' ? verdict.byDecider : verdict.byRule)(by.label),
      badge: { above: by.label, below: BRAND, at, ink: true },
    };
  const device = by.device.name;
  const shared = { ...decided, badge: { above: device, below: by.handle, at, ink: false } };
  if (won) return { ...shared, say: (outcome === 'declined' ? verdict.sentDeclined : verdict.sent)(source) };
  const own = by.handle === handle;
  const who = own ? verdict.you : by.handle;
  if (lostAt !== undefined && lostAt - at < 3_600_000)
    return {
      ...shared,
      say: own ? verdict.already(device) : verdict.faster(who, Math.max(0, lostAt - at)),
      who: verdict.who(who, device, at),
    };
  return { ...shared, say: (outcome === 'declined' ? verdict.declined : verdict.answered)(who, device) };
}

function sayRule({ by, outcome }: Resolution, words: VerdictWords['rule'], handedBack = false) {
  if (by.kind !== 'policy' || outcome === 'withdrawn') return undefined;
  const who = by.ruleId.startsWith('yol_') ? by.label : words.named(by.label);
  return words[handedBack ? 'handedBack' : outcome](who);
}

const en = {
  you: 'You',
  youDecided: 'you',
  sent: (source: string) => `${source} has your answer.`,
  sentDeclined: (source: string) => `${source} knows you declined.`,
  notTaken: (source: string) => `${source} had another answer already, and did not take this one.`,
  notPickedUp: (asker: string, call: boolean) => `Not picked up. ${asker} was gone${call ? '; nothing ran' : ''}.`,
  notPickedUpMore: 'If it asks again, that is a new question: this answer is not used a second time.',
  faster: (who: string, ms: number) =>
    ms < 1000 ? `${who} answered a moment earlier.` : `${who} answered ${inWords(ms)} earlier.`,
  already: (device: string) => `You had already answered this on ${device}.`,
  answered: (who: string, device: string) => `${who} answered this on ${device}.`,
  declined: (who: string, device: string) => `${who} declined this on ${device}.`,
  rule: {
    named: (name: string) => `The rule “${name}”`,
    answered: (who: string) => `${who} answered this.`,
    declined: (who: string) => `${who} declined this.`,
    expired: (who: string) => `${who} left this unanswered.`,
    handedBack: (who: string) => `${who} let the agent decide.`,
  },
  byRule: (label: string) => `Answered by ${label}.`,
  byDecider: (label: string) => `Decided by ${label}.`,
  expired: (at: number, now: number) => `Nobody answered by ${moment(at, now, 'en')}.`,
  withdrawn: (source: string) => `Withdrawn by ${source}.`,
  proposal: 'Taken instead was the asker’s own proposal, which nobody decided:',
  who: (who: string, device: string, at: number) => `${who} on ${device}, ${exactTime(at)}`,
  wordsKept: 'Your words are kept',
  remarkHint: (source: string, who: string) =>
    `As a note, ${source} can read them. They change nothing that ${who} decided.`,
  lateHint: (source: string) => `As a late answer, ${source} can read them. It may have gone on without you.`,
  asked: (at: number, now: number) => `Asked at ${moment(at, now, 'en')}`,
  askedAnswered: (at: number, now: number, later: number) =>
    `Asked at ${moment(at, now, 'en')}, answered ${lasting(later, 'en')} later`,
  othersCleared: (asked: string) => `${asked}. Your other devices no longer show it.`,
  close: 'Close',
  remark: 'Send as a note',
  lateAnswer: 'Send a late answer',
  remarkSent: (source: string) => `Kept as a note. ${source} can read it.`,
  nextQuestion: 'Next question',
  inbox: 'Inbox',
  leaves: 'This closes by itself.',
  knownOffline: 'This is what this device knew when it went offline.',
  missedMark: 'Missed',
  withdrawnMark: 'Withdrawn',
};

const zh: typeof en = {
  you: '你',
  youDecided: '你',
  sent: (source) => `${source} 收到了你的答复。`,
  sentDeclined: (source) => `${source} 已得知你不回答。`,
  notTaken: (source) => `${source} 已经有了另一个答复，没有采用这一个。`,
  notPickedUp: (asker, call) => `未被取走。${asker} 已离开${call ? '，没有执行' : ''}。`,
  notPickedUpMore: '如果它再问，那是一个新问题：这个答复不会再用一次。',
  faster: (who, ms) => (ms < 1000 ? `${who} 早一步答复。` : `${who} 早${spaced(lasting(ms, 'zh'))}答复。`),
  already: (device) => `你已经在 ${device} 上答复过了。`,
  answered: (who, device) => `${spaced(who).trimStart()}已在 ${device} 上答复。`,
  declined: (who, device) => `${spaced(who).trimStart()}已在 ${device} 上选择不回答。`,
  rule: {
    named: (name) => `规则“${name}”`,
    answered: (who) => `${who}答复了这件事。`,
    declined: (who) => `${who}没有答复这件事。`,
    expired: (who) => `${who}按无人答复处理。`,
    handedBack: (who) => `${who}让智能体自己决定。`,
  },
  byRule: (label) => `由${spaced(label)}答复。`,
  byDecider: (label) => `由${spaced(label)}决定。`,
  expired: (at, now) => `到${spaced(moment(at, now, 'zh'))}无人答复。`,
  withdrawn: (source) => `${source} 已撤回。`,
  proposal: '改用了提问方自己的建议，不是谁的决定：',
  who: (who, device, at) => `${who}，用 ${device}，${exactTime(at)}`,
  wordsKept: '你写的内容已保留',
  remarkHint: (source, who) => `作为备注发送，${source} 可以读到；${spaced(who).trimStart()}的决定不变。`,
  lateHint: (source) => `作为迟到的答复发送，${source} 可以读到；它也许已经自行继续。`,
  asked: (at, now) => `${moment(at, now, 'zh')} 提出`,
  askedAnswered: (at, now, later) => `${moment(at, now, 'zh')} 提出，${lasting(later, 'zh')}后答复`,
  othersCleared: (asked) => `${asked}。其他设备不再显示。`,
  close: '关闭',
  remark: '作为备注发送',
  lateAnswer: '发送迟到的答复',
  remarkSent: (source) => `已作为备注保留，${source} 可以读到。`,
  nextQuestion: '下一个',
  inbox: '收件箱',
  leaves: '这里会自动关闭。',
  knownOffline: '这是这台设备离线前所知道的。',
  missedMark: '已错过',
  withdrawnMark: '已撤回',
};

/** The words about what became of a question; only a settled one needs them. */
export const words = { en, zh };
type VerdictWords = typeof en;

/** The same in the page's language. */
export const verdictWords = () => say(words);

function inWords(ms: number): string {
  if (ms >= 60_000) return lasting(ms, 'en');
  const seconds = Math.round(ms / 1000);
  return `${countWord(seconds, 'en')} ${seconds === 1 ? 'second' : 'seconds'}`;
}
