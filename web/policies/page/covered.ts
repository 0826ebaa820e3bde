import { grants } from '#shared/policies/grants.ts';
import type { Rule } from '#shared/policies/rule.ts';

/** The name of a rule before this one that fits whatever it fits, for as long: this one never takes effect. */
export function coveredBy(rules: readonly Rule[], place: number, now: number): string | undefined {
  const rule = rules[place];
  return rules.slice(0, place).find((one) => rule && !one.off && endAt(one) > now && covers(one, rule))?.name;
}

// What cannot be told fits no rule that approves or answers, and may fit one with the same conditions behind it.
function covers(first: Rule, rule: Rule): boolean {
  const same = Object.entries(first.when).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(rule.when[name as keyof Rule['when']]),
  );
  return same && !grants(first.then) && endAt(first) >= endAt(rule);
}

function endAt({ until }: Rule): number {
  return until === undefined ? Infinity : Date.parse(until);
}
