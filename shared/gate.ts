import { z } from 'zod';
import { Allowed, JsonObject, Num, WebUrl } from './inquiry.ts';
import { narrowing, NEEDS_TOOL, When } from './policies/rule.ts';
import { Handle } from './wire.ts';

/** A gate's name stands in its address: /mcp/gate/{name}. */
export const GateName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,38}$/, 'is not a gate name: lower-case letters, digits and "-", at most 39');

/** What a gate knows of a call before it asks anybody. */
const GateWhen = When.pick({
  source: true,
  agent: true,
  tool: true,
  args: true,
  shell: true,
  annotation: true,
  time: true,
  days: true,
});
export type GateWhen = z.infer<typeof GateWhen>;

const gateRule = z.strictObject({
  /** Short for `when: {tool}`; "*" in it stands for any text. */
  tool: z.string().min(1).max(200).optional(),
  /** Further conditions, each of which must hold. What is not known of a call asks a person. */
  when: GateWhen.optional(),
  does: z.enum(['ask', 'allow', 'deny']),
  /** Decisions a person may take; absent: all four. */
  allowed: Allowed.optional(),
  /** Shown in place of the tool's own description. */
  description: z.string().min(1).max(4000).optional(),
  /** In place of the tool's own schema for its arguments, where a person edits them. */
  argsSchema: JsonObject.optional(),
  caution: z.boolean().optional(),
  /** With "deny": what the model is told. */
  reason: z.string().min(1).max(2000).optional(),
});

/** What becomes of the calls that a rule fits. */
export const GateRule = gateRule.superRefine(({ tool, when, does }, context) => {
  const refuse = (path: string[], message: string) =>
    context.addIssue({ code: 'custom', path, message, input: undefined });
  if (tool === undefined && Object.keys(when ?? {}).length === 0) refuse(['tool'], 'is missing');
  if (tool !== undefined && when?.tool !== undefined)
    refuse(['when', 'tool'], 'stands beside "tool": write one of them');
  if (does === 'allow' && when?.shell && !narrowing(tool ?? when.tool)) refuse(['when', 'shell'], NEEDS_TOOL);
});
export type GateRule = z.infer<typeof GateRule>;

const policy = {
  /** Handles of those who are asked; absent: whom the calling source asks by default. */
  to: z.array(Handle).min(1).max(100).optional(),
  /** The first rule that fits a call counts. */
  rules: z.array(GateRule).max(500).default([]),
  /** Where no rule fits. "annotations": what the tool says of itself; read-only passes, all else asks. */
  otherwise: z.enum(['annotations', 'ask', 'allow', 'deny']).default('annotations'),
  /** Who answers when the upstream asks its client for input: the client, or the people of the gate. */
  elicitation: z.enum(['client', 'people']).default('client'),
  /** Seconds that a held call waits for its person. */
  deadline: Num.pipe(z.number().min(5).max(2_592_000)).default(3600),
  /** Ids of the sources that may call; absent: every source of this hub. */
  sources: z.array(z.string().max(64)).max(100).optional(),
};

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'is not a header name (RFC 9110, 5.1)');
const headerValue = z.string().regex(/^[\t\x20-\x7e]{0,8192}$/, 'is not a header value: printable ASCII only');

/** Credentials of the hub's own for where it calls. */
export const OwnHeaders = z.record(headerName, headerValue);

/** An MCP server over Streamable HTTP; `headers` hold the hub's own credentials for it. */
export const HttpUpstream = z.strictObject({ url: WebUrl, headers: OwnHeaders.optional() });
/** What the owner sends to make or change a gate. Without `headers` the stored ones stay. */
export const ChangeGate = z.strictObject({ upstream: HttpUpstream, ...policy });
export type ChangeGate = z.infer<typeof ChangeGate>;

/** The operator's file (GATES_FILE): `{"gates": {"files": {"upstream": {"url": "…"}, "rules": […]}}}`. */
export const GatesFile = z.strictObject({ gates: z.record(GateName, ChangeGate) });

/** A gate as the owner reads it: secrets by name only. */
export const Gate = z.object({
  name: GateName,
  /** The address that clients are given. */
  url: z.string(),
  /** "file": only the operator changes it. */
  from: z.enum(['api', 'file']),
  upstream: z.object({ url: z.string(), headerNames: z.array(z.string()) }),
  ...policy,
  changedAt: z.string().optional(),
});
export type Gate = z.infer<typeof Gate>;

/** One tool of an upstream, with what the gate does to its calls now. */
export const GateTool = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
  /** "ask" too where it depends on the call. */
  does: z.enum(['ask', 'allow', 'deny']),
  /** Which rule decided: its place in `rules`, or absent for `otherwise`. */
  rule: z.int().optional(),
  allowed: Allowed.optional(),
  caution: z.boolean().optional(),
});
export type GateTool = z.infer<typeof GateTool>;
export const GateTools = z.object({ items: z.array(GateTool) });
