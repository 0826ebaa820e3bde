import type { GateRule } from '#shared/gate.ts';
import { fits } from './pattern.ts';

type Allowed = NonNullable<GateRule['allowed']>;

/** Which calls of tools pass, are asked about or are denied: the first rule that fits, else `otherwise`. */
export type Policy = { rules: GateRule[]; otherwise: 'annotations' | 'ask' | 'allow' | 'deny' };
/** What a tool says of itself, as far as it counts here. */
export type AboutTool = {
  description?: string | undefined;
  inputSchema?: Record<string, unknown> | undefined;
  annotations?: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined } | undefined;
};

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
 * What becomes of a call of this tool. A tool that is not known is asked about with caution where its annotations would
 * decide: nothing passes by not being known.
 */
export function decide({ rules, otherwise }: Policy, name: string, tool?: AboutTool): Verdict {
  const at = rules.findIndex((rule) => fits(rule.tool, name));
  const rule = rules[at];
  const harmless = tool?.annotations?.readOnlyHint === true;
  const does = rule?.does ?? (otherwise === 'annotations' ? (harmless ? 'allow' : 'ask') : otherwise);
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
export function decidedByName(policy: Policy, name: string): boolean {
  return decide(policy, name).does !== 'ask';
}
