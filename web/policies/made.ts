import { signal } from '@preact/signals';
import { canonical } from '#shared/json.ts';
import type { Rule } from '#shared/policies/rule.ts';
import type { Problem } from '#shared/problem.ts';
import { changeList, type Whose } from './lists.ts';

/** The rule that was made last on this page with one tap, until it is undone or dismissed. */
export const made = signal<{ of: Whose; rule: Rule } | undefined>(undefined);

/** Takes it away again, and leaves every other rule as it is by now. */
export async function undoRule(): Promise<Problem | undefined> {
  const last = made.value;
  if (!last) return undefined;
  const problem = await dropRule(last.of, last.rule);
  if (!problem) made.value = undefined;
  return problem;
}

/** Takes this rule out of a list, and leaves every other as it is by now. */
export async function dropRule(of: Whose, rule: Rule): Promise<Problem | undefined> {
  const same = canonical(rule);
  return (await changeList(of, (rules) => rules.filter((one) => canonical(one) !== same))).problem;
}
