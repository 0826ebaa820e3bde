import type { GateRule } from '#shared/policies/gate.ts';
import { parseExact, type Json } from '#shared/json.ts';
import { narrowing, type When } from '#shared/policies/rule.ts';
import { visible } from '#shared/visible.ts';
import { liking } from './compare.ts';
import type { Annotations } from './may-fit.ts';
import { holding, localIn } from './rules.ts';

type Allowed = NonNullable<GateRule['allowed']>;

/** Which calls of tools pass, are asked about or are denied: the first rule that fits, else `otherwise`. */
export type Policy = {
  rules: GateRule[];
  otherwise: 'annotations' | 'ask' | 'allow' | 'deny';
  /** Where its times of day are told; nobody knows them without one. */
  timeZone?: string | undefined;
};
/** What a tool says of itself, as far as it counts here. */
export type AboutTool = {
  /** The name under which its server lists it. */
  name?: string | undefined;
  description?: string | undefined;
  inputSchema?: Record<string, unknown> | undefined;
  annotations?: Annotations | undefined;
};
/** One call: who makes it, when, and the JSON text of its arguments, empty where that is not read. */
export type Calling = { sourceId: string; agent?: string | undefined; argsText: string; now: number };

/** What becomes of a call; `rule` is the place of the rule that said so, absent for `otherwise`. */
export type Verdict = { rule?: number | undefined } & (
  | { does: 'allow' }
  | { does: 'deny'; text: string }
  | {
      does: 'ask';
      allowed: Allowed;
      caution: boolean;
      description?: string | undefined;
      /** Of the rule. */
      argsSchema?: Record<string, unknown> | undefined;
      /** Of the tool itself, where the rule has none; nobody has checked that it is one. */
      toolSchema?: Record<string, unknown> | undefined;
    }
);

const EVERY_DECISION: Allowed = ['approve', 'edit', 'reject', 'respond'];

/**
 * What becomes of a call of this tool; without `call`, of its calls before one is made. Nothing passes by not being
 * known: a rule that looks at what is not known asks, and a tool that is not known is asked about with caution where
 * its annotations would decide.
 */
export function decide(policy: Policy, name: string, tool?: AboutTool, call?: Calling): Verdict {
  const meant = disguising(policy, name, tool);
  if (meant !== undefined)
    return { does: 'deny', text: `${visible(name)} is another spelling of ${visible(meant)}: call it by that name.` };
  const { at, isOpen } = firstRule(policy, name, tool, call);
  const rule = policy.rules[at];
  const harmless = tool?.annotations?.readOnlyHint === true;
  const byDefault = policy.otherwise === 'annotations' ? (harmless ? 'allow' : 'ask') : policy.otherwise;
  const does = isOpen ? 'ask' : (rule?.does ?? byDefault);
  const found = rule ? { rule: at } : {};
  if (does === 'allow') return { ...found, does };
  if (does === 'deny') return { ...found, does, text: rule?.reason ?? `Calls of ${name} are not allowed here.` };
  return {
    ...found,
    does,
    allowed: rule?.allowed ?? EVERY_DECISION,
    caution: rule?.caution ?? !(harmless || tool?.annotations?.destructiveHint === false),
    description: rule?.description ?? tool?.description,
    ...(rule?.argsSchema ? { argsSchema: rule.argsSchema } : { toolSchema: tool?.inputSchema }),
  };
}

/** True where what the tool says of itself cannot change what becomes of a call of this name. */
export function decidedByName(policy: Policy, name: string, call?: Calling): boolean {
  return decide(policy, name, undefined, call).does !== 'ask';
}

/**
 * What a name is only another spelling of: of a tool that its server lists, or of one that a rule names. Its server could
 * take it for that one, which the rules would not.
 */
function disguising({ rules }: Policy, name: string, tool: AboutTool | undefined): string | undefined {
  if (tool?.name !== undefined && tool.name !== name) return tool.name;
  const named = rules.flatMap(({ tool: one, when }) => [one ?? when?.tool ?? []].flat().filter(narrowing));
  if (liking(named).holds(name)) return undefined;
  return named.find((one) => liking([one]).unclear(name));
}

/** The first rule of which all holds that is known; `isOpen` where it looks at something else besides. */
function firstRule(
  { rules, timeZone }: Policy,
  name: string,
  tool: AboutTool | undefined,
  call: Calling | undefined,
): { at: number; isOpen: boolean } {
  const args = rules.some(({ when }) => when?.args ?? when?.shell) ? parseArgs(call) : undefined;
  const unknown = [
    ...(tool ? [] : ['annotation']),
    ...(args === undefined ? ['args', 'shell'] : []),
    ...(call ? [] : ['source', 'agent']),
    ...(call && timeZone !== undefined ? [] : ['time', 'days']),
  ];
  const about = { name, args: args ?? null };
  const asking = {
    sourceId: call?.sourceId ?? '',
    kind: 'actions' as const,
    calls: [about],
    agent: call?.agent,
    gate: { name: '', annotations: tool && (tool.annotations ?? {}) },
    now: call?.now ?? 0,
  };
  const local = localIn(timeZone ?? 'UTC');
  const at = rules.findIndex((rule) =>
    holding(without(toWhen(rule), unknown), local, rule.does === 'allow')(asking, about),
  );
  return { at, isOpen: unknown.some((condition) => Object.hasOwn(rules[at]?.when ?? {}, condition)) };
}

function toWhen({ tool, when }: GateRule): When {
  return { ...when, ...(tool === undefined ? {} : { tool }) };
}

function without(when: When, names: string[]): When {
  return Object.fromEntries(Object.entries(when).filter(([name]) => !names.includes(name)));
}

function parseArgs(call: Calling | undefined): Json | undefined {
  try {
    return call && (parseExact(call.argsText) as Json);
  } catch {
    return undefined;
  }
}
