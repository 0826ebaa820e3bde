import { z } from 'zod';
import { Allowed } from '../inquiry.ts';
import { Approvals } from '../schemas/approvals.ts';
import { JsonObject, num, ValidFor, WebUrl } from '../schemas/values.ts';
import { narrowing, NEEDS_TOOL, When } from './rule.ts';
import { Handle } from '../wire.ts';

export const GateName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,38}$/, 'is not a gate name: lower-case letters, digits and "-", at most 39')
  .describe("A gate's name stands in its address: /mcp/gate/{name}.");

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
  tool: z.string().min(1).max(200).optional().describe('Short for `when: {tool}`; "*" in it stands for any text.'),
  when: GateWhen.optional().describe(
    'Further conditions, each of which must hold. What is not known of a call asks a person.',
  ),
  does: z.enum(['ask', 'allow', 'deny']).describe('ask a person, allow the call, or deny it.'),
  allowed: Allowed.optional().describe('Decisions a person may take; absent: all four.'),
  description: z.string().min(1).max(4000).optional().describe("Shown in place of the tool's own description."),
  argsSchema: JsonObject.optional().describe(
    "In place of the tool's own schema for its arguments, where a person edits them.",
  ),
  caution: z.boolean().optional().describe('True: hard to undo; the person confirms twice.'),
  reason: z.string().min(1).max(2000).optional().describe('With "deny": what the model is told.'),
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
  to: z
    .array(Handle)
    .min(1)
    .max(100)
    .optional()
    .describe('Handles of those who are asked; absent: whom the calling source asks by default.'),
  rules: z.array(GateRule).max(500).default([]).describe('The first rule that fits a call counts.'),
  otherwise: z
    .enum(['annotations', 'ask', 'allow', 'deny'])
    .default('ask')
    .describe(
      'Where no rule fits; absent: "ask". "annotations" trusts what this server says of its tools: one that says it only reads passes, all else asks.',
    ),
  elicitation: z
    .enum(['client', 'people'])
    .default('client')
    .describe('Who answers when the upstream asks its client for input: the client, or the people of the gate.'),
  deadline: num(z.number().min(5).max(2_592_000))
    .default(3600)
    .describe('Seconds that a held call waits for its person.'),
  validFor: ValidFor.optional().describe('Seconds for which an approved call may be passed on; absent: 60.'),
  approvals: Approvals.optional().describe('How many people have to approve a held call; absent: one.'),
  receipt: z
    .boolean()
    .optional()
    .describe('True: an approved call carries its receipt to the upstream, as `_meta["dev.beckon/receipt"]`.'),
  sources: z
    .array(z.string().max(64))
    .max(100)
    .optional()
    .describe('Ids of the sources that may call; absent: every source of this hub.'),
};

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'is not a header name (RFC 9110, 5.1)');
const headerValue = z.string().regex(/^[\t\x20-\x7e]{0,8192}$/, 'is not a header value: printable ASCII only');

export const OwnHeaders = z
  .record(headerName, headerValue)
  .describe("Credentials of the hub's own for where it calls.");

export const HttpUpstream = z
  .strictObject({
    url: WebUrl.describe('The address of the MCP server.'),
    headers: OwnHeaders.optional().describe('Credentials of the hub’s own for it; absent: the stored ones stay.'),
  })
  .meta({
    id: 'HttpUpstream',
    description: "An MCP server over Streamable HTTP; `headers` hold the hub's own credentials for it.",
  });
export const ChangeGate = z
  .strictObject({ upstream: HttpUpstream.describe('The MCP server behind it.'), ...policy })
  .meta({
    id: 'ChangeGate',
    description: 'What the owner sends to make or change a gate. Without `headers` the stored ones stay.',
  });
export type ChangeGate = z.infer<typeof ChangeGate>;

export const GatesFile = z.strictObject({ gates: z.record(GateName, ChangeGate) }).meta({
  id: 'GatesFile',
  description: `The operator's file (GATES_FILE): \`{"gates": {"files": {"upstream": {"url": "…"}, "rules": […]}}}\`.`,
});

export const Gate = z
  .object({
    name: GateName.describe('Its name, which stands in its address.'),
    url: z.string().describe('The address that clients are given.'),
    from: z.enum(['api', 'file']).describe('"file": only the operator changes it.'),
    upstream: z
      .object({
        url: z.string().describe('The address.'),
        headerNames: z
          .array(z.string())
          .describe('The names of the stored headers; their values are never read again.'),
      })
      .describe('The MCP server behind it.'),
    ...policy,
    changedAt: z.string().optional().describe('When it was changed last; absent for a gate of the file.'),
  })
  .meta({ id: 'Gate', description: 'A gate as the owner reads it: secrets by name only.' });
export type Gate = z.infer<typeof Gate>;
export const MadeGate = Gate.extend({
  unreachable: z
    .string()
    .optional()
    .describe('Why the MCP server, where it is new, did not say which tools it has; the gate is made all the same.'),
}).meta({ id: 'MadeGate', description: 'A gate that was made or changed.' });
export type MadeGate = z.infer<typeof MadeGate>;

export const GateTool = z
  .object({
    name: z.string().describe('The name of the tool.'),
    title: z.string().optional().describe('Its title, as the MCP server tells it.'),
    description: z.string().optional().describe('What it does, as the MCP server tells it.'),
    annotations: z.record(z.string(), z.unknown()).optional().describe('What it says of itself.'),
    does: z.enum(['ask', 'allow', 'deny']).describe('"ask" too where it depends on the call.'),
    rule: z.int().optional().describe('Which rule decided: its place in `rules`, or absent for `otherwise`.'),
    allowed: Allowed.optional().describe('Which decisions a person may take.'),
    caution: z.boolean().optional().describe('True: the person confirms twice.'),
  })
  .meta({ id: 'GateTool', description: 'One tool of an upstream, with what the gate does to its calls now.' });
export type GateTool = z.infer<typeof GateTool>;
export const GateTools = z
  .object({ items: z.array(GateTool).describe('The entries.') })
  .meta({ id: 'GateTools', description: 'The tools behind a gate.' });
