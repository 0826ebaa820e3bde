import type { Decision } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { say } from '../../ui/language.ts';
import { capital } from '../../ui/times.ts';

const en = {
  approved: 'Approved',
  edited: 'Approved with changes',
  answered: 'Answered',
  rejected: 'Rejected',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  missed: 'Missed',
  leftToAgent: 'Left to the agent',
  unanswered: 'Left unanswered',
  notPickedUp: 'Not picked up',
  replied: 'Replied instead',
  stays: (count: number) => `${count} ${count === 1 ? 'argument stays' : 'arguments stay'} as asked. `,
  showAll: 'Show all',
  removed: 'removed: ',
  added: 'now: ',
};

const zh: typeof en = {
  approved: '已批准',
  edited: '按修改批准',
  answered: '已答复',
  rejected: '已拒绝',
  declined: '未回答',
  withdrawn: '已撤回',
  missed: '已错过',
  leftToAgent: '由智能体决定',
  unanswered: '不作答复',
  notPickedUp: '未被取走',
  replied: '改为回复',
  stays: (count) => `其余 ${count} 个参数未变。`,
  showAll: '显示全部',
  removed: '原为：',
  added: '改为：',
};

/** What became of an inquiry, in one word. */
export type Verb =
  | 'approved'
  | 'answered'
  | 'rejected'
  | 'declined'
  | 'withdrawn'
  | 'missed'
  | 'leftToAgent'
  | 'unanswered'
  | 'notPickedUp';

/** Those words in the page's language, and those of an edited call. */
export const verbWords = () => say({ en, zh });

/** What became of a resolved inquiry; what a rule left alone nobody missed (POL5). */
export function verbOf(inquiry: Inquiry): Verb {
  return inquiry.notPickedUp ? 'notPickedUp' : decisionVerb(inquiry);
}

/** The same of what was decided, whether or not anyone picked it up; calls that were decided apart were answered. */
export function decisionVerb({ resolution, rule }: Inquiry): Verb {
  if (!resolution) return 'missed';
  const ruled = resolution.by.kind === 'policy' && resolution.outcome !== 'answered';
  if (ruled && rule?.['then'] === 'you-decide') return 'leftToAgent';
  if (resolution.outcome === 'expired') return ruled ? 'unanswered' : 'missed';
  if (resolution.outcome !== 'answered') return resolution.outcome;
  const types = new Set((resolution.answer?.decisions ?? []).map(({ type }) => (type === 'edit' ? 'approve' : type)));
  if (types.size === 1 && types.has('approve')) return 'approved';
  if (types.size === 1 && types.has('reject')) return 'rejected';
  return 'answered';
}

/** How many calls were decided how: "Approved 19, rejected 1"; how one was. */
export function countDecisions(decisions: readonly Pick<Decision, 'type'>[]): string {
  const words = verbWords();
  const verbs = { approve: words.approved, edit: words.edited, reject: words.rejected, respond: words.replied };
  const counts = Object.entries(verbs).flatMap(([type, verb]) => {
    const count = decisions.filter((one) => one.type === type).length;
    return count === 0 ? [] : [decisions.length === 1 ? verb : `${verb} ${count}`];
  });
  return capital(counts.join(say({ en: ', ', zh: '，' })).toLowerCase());
}
