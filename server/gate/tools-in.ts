import type { Tool } from '@modelcontextprotocol/client';
import { z } from 'zod';

const hint = z.boolean().optional().catch(undefined);
const object = z.record(z.string(), z.unknown());
const hints = {
  title: z.string().optional().catch(undefined),
  readOnlyHint: hint,
  destructiveHint: hint,
  idempotentHint: hint,
  openWorldHint: hint,
};

/** What a gate reads of a tool; of a member that is something else nothing is known. */
const Told = z.object({
  name: z.string(),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: object.optional().catch(undefined),
  outputSchema: object.optional().catch(undefined),
  annotations: z.object(hints).optional().catch(undefined),
});

/**
 * The tools in what an upstream calls its tools, whatever that is. What is no tool is left out, and so is a
 * member that is not what it should be: a call is then asked with caution. Never throws.
 */
export function toolsIn(listed: unknown): Tool[] {
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((one) => {
    const told = Told.safeParse(one);
    return told.success ? [defined(told.data) as unknown as Tool] : [];
  });
}

function defined(tool: object): object {
  return Object.fromEntries(Object.entries(tool).filter(([, value]) => value !== undefined));
}
