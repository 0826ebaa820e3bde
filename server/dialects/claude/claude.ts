import { z } from 'zod';
import { parseOrRefuse } from '#shared/faults.ts';
import { JsonObject } from '#shared/schemas/values.ts';
import type { Dialect, Query, Read, Answered } from '../dialect.ts';
import { toLine } from '../body.ts';
import { callPart, toKeep, allowed, readVerdict } from '../coding/call.ts';
import { suggestionOptions } from '../coding/suggestions.ts';

export const claude: Dialect = { name: 'claude', label: 'Claude Agent SDK', read, write };

const text = z.string().optional().catch(undefined);
const Body = z.looseObject({
  toolName: z.string(),
  input: JsonObject,
  options: z
    .looseObject({
      toolUseID: text,
      agentID: text,
      title: text,
      displayName: text,
      blockedPath: text,
      description: text,
      decisionReason: text,
      defaultToNo: z.boolean().optional().catch(undefined),
      suppressAlwaysAllowRule: z.boolean().optional().catch(undefined),
      suggestions: z.unknown().optional(),
    })
    .optional(),
});

/** What `canUseTool` of the Claude Agent SDK is called with: `{toolName, input, options}`. */
function read(body: unknown, { agent = 'Claude', language }: Query): Read {
  const { toolName: name, input, options = {} } = parseOrRefuse(Body, body);
  const call = { name, input };
  const described = [options.description, options.decisionReason, options.blockedPath]
    .filter((one) => one?.trim())
    .join('\n\n');
  const part = callPart(
    call,
    { name: '/toolName', input: '/input' },
    {
      allowed: ['approve', 'edit', 'reject'],
      options: options.suppressAlwaysAllowRule ? undefined : suggestionOptions(options.suggestions, language),
      title: toLine(options.title ?? options.displayName ?? '') || undefined,
      ...(described === '' ? {} : { description: described }),
      ...(options.defaultToNo ? { caution: true } : {}),
      context: { agent },
    },
  );
  return { asks: [part], ids: [options.agentID ?? null, options.toolUseID ?? null], keep: toKeep(call) };
}

/** The `PermissionResult`. A call without an `updatedInput` runs with the input it had. */
function write(keep: unknown, inquiries: Answered[]): unknown {
  const verdict = readVerdict(keep, inquiries);
  return verdict.type === 'allow' ? allowed(verdict) : { behavior: 'deny', message: verdict.words };
}
