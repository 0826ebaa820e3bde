import type { Problem } from '#shared/problem.ts';
import { language } from '../../ui/language.ts';

const zh: Record<string, string> = {
  'network.unreachable': '中枢没有回应。看看网络，再试一次。',
  'enrolment.expired': '这个链接或这串数字已经过期。请再要一个。',
  'enrolment.wrong_code': '数字不对。看看那台设备上显示的六位数，再输一次。',
  'enrolment.wrong_number': '数字不对，这个链接已经作废。请再做一个。',
  'enrolment.already_allowed': '另一台设备已经准它进来了。',
  'enrolment.unknown': '没有这个邀请，或者它已经用过。请再要一个。',
  'person.handle_taken': '这个代号已经有人用了，换一个。',
};

/** A refusal as one sentence that says what to do, in the language of the page where it is known. */
export function explain(problem: Problem): string {
  const own = language.value === 'zh' ? zh[problem.code] : undefined;
  const faults = (problem.faults ?? []).map(({ path, message }) => (path ? `${path.slice(1)} ${message}` : message));
  if (own) return own;
  // A detail that only sums its faults up would say everything twice.
  const sums = (problem.faults ?? []).every(({ message }) => problem.detail.includes(message));
  const said = faults.join('; ');
  return faults.length === 0 ? problem.detail : sums ? `${said}.` : `${problem.detail} ${said}.`;
}
