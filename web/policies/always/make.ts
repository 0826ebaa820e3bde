import type { Rule } from '#shared/policies/rule.ts';
import type { Problem } from '#shared/problem.ts';
import { changeList, type Whose } from '../lists.ts';
import { made } from '../made.ts';
import { withFirst } from './extents.ts';

/** Puts a rule before all others, under a name that is free. */
export async function makeRule(
  of: Whose,
  ruleAmong: (rules: Rule[]) => Rule,
  now: number,
): Promise<Problem | undefined> {
  let rule: Rule | undefined;
  const reply = await changeList(of, (rules) => withFirst(rules, (rule = ruleAmong(rules)), now));
  if (reply.ok && rule) made.value = { of, rule };
  return reply.problem;
}
