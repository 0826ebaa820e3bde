import { withoutUndefined } from '#shared/json.ts';
import type { ChangeGate, Gate, GateRule } from '#shared/policies/gate.ts';
import { fitting } from '#shared/policies/pattern.ts';
import type { Rule } from '#shared/policies/rule.ts';

type Does = GateRule['does'];

/** True for a rule that names one tool and nothing else. */
export function isExact({ tool, when }: GateRule): boolean {
  return !when && tool !== undefined && !tool.includes('*');
}

/** The rule that names this tool, or this pattern, alone. */
export function findRule(rules: GateRule[], tool: string): GateRule | undefined {
  return rules.find((rule) => !rule.when && rule.tool === tool);
}

/**
 * The rules with one tool's own rule set, or removed. It stands before all patterns that fit it, and after each rule
 * that looks at more than the tool and counted before: what that one decides stays as it is.
 */
export function withRule(rules: GateRule[], tool: string, change: Partial<GateRule> | undefined): GateRule[] {
  const before = findRule(rules, tool);
  const others = rules.filter((rule) => rule !== before);
  if (change === undefined) return others;
  const own: GateRule = { does: 'ask', ...before, ...change, tool };
  if (!isExact(own)) return [...others, own];
  const deciding = rules.findIndex((rule) => !rule.when && fitting(rule.tool ?? '')(tool));
  const at = deciding < 0 ? others.findLastIndex(({ when }) => when) + 1 : deciding;
  return others.toSpliced(at, 0, own);
}

/** The conditions of a rule and what it does, in the language of all rules. */
export function spoken({ tool, when, does, reason = '' }: GateRule): Pick<Rule, 'when' | 'then'> {
  const then = { ask: 'ask', allow: 'approve', deny: { reject: reason } } as const;
  return { when: { ...when, ...(tool === undefined ? {} : { tool }) }, then: then[does] };
}

/** What is sent to change the rules alone; the stored credentials stay. */
export function toChange(gate: Gate, change: Partial<ChangeGate>): ChangeGate {
  const { to, rules, otherwise, elicitation, deadline, sources, validFor, approvals, receipt } = gate;
  const kept = { to, rules, otherwise, elicitation, deadline, sources, validFor, approvals, receipt };
  return { upstream: { url: gate.upstream.url }, ...withoutUndefined(kept), ...change };
}

/** What a choice in a list means: "" is no rule of its own. */
export function chosen(value: Does | ''): { does: Does } | undefined {
  return value === '' ? undefined : { does: value };
}
