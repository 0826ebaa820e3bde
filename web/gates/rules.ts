import type { ChangeGate, Gate, GateRule } from '#shared/gate.ts';

type Does = GateRule['does'];

/** True for a rule that names one tool and no pattern. */
export function isExact(rule: GateRule): boolean {
  return !rule.tool.includes('*');
}

/** The rule that names this tool alone. */
export function ruleOf(rules: GateRule[], tool: string): GateRule | undefined {
  return rules.find((rule) => rule.tool === tool);
}

/** The rules with one tool's own rule set, or removed; rules that name a tool stand before all patterns. */
export function withRule(rules: GateRule[], tool: string, change: Partial<GateRule> | undefined): GateRule[] {
  const others = rules.filter((rule) => rule.tool !== tool);
  if (change === undefined) return others;
  const own: GateRule = { does: 'ask', ...ruleOf(rules, tool), ...change, tool };
  return ordered(isExact(own) ? [own, ...others] : [...others, own]);
}

/** What is sent to change the rules alone; the stored credentials stay. */
export function changeOf(gate: Gate, change: Partial<ChangeGate>): ChangeGate {
  const { to, rules, otherwise, elicitation, deadline, sources } = gate;
  const kept = { rules, otherwise, elicitation, deadline, ...(to ? { to } : {}), ...(sources ? { sources } : {}) };
  return { upstream: { url: gate.upstream.url }, ...kept, ...change };
}

/** What a choice in a list means: "" is no rule of its own. */
export function chosen(value: Does | ''): { does: Does } | undefined {
  return value === '' ? undefined : { does: value };
}

function ordered(rules: GateRule[]): GateRule[] {
  return [...rules.filter(isExact), ...rules.filter((rule) => !isExact(rule))];
}
