import type { Problem } from '#shared/problem.ts';
import { language } from '../../ui/language.ts';

const zh: Record<string, string> = {
  'network.unreachable': '中枢没有回应。请检查网络后重试。',
  'enrolment.expired': '这个链接或这串数字已经过期。请要一个新的。',
  'enrolment.wrong_code': '数字不对。请看那台设备上显示的六位数字，再输一次。',
  'enrolment.wrong_number': '数字不对，这个链接已经作废。请新建一个。',
  'enrolment.already_allowed': '已在另一台设备上批准登录。',
  'enrolment.unknown': '没有这个链接或登录请求，或者它已经用过。请要一个新的。',
  'person.handle_taken': '这个用户名已有人使用，请换一个。',
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
