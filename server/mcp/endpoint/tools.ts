import type { Caller } from '../../platform/http/access.ts';
import type { Call, ToolResult, Unfinished } from './call.ts';
import type { Overrides } from './overrides.ts';
import { OUTCOME_SCHEMA } from './result.ts';
import { describe, INPUTS } from './schema.ts';
import type { ToolName } from './words/vocabulary.ts';
import { wordsIn } from './words/words.ts';
import { answerInquiryTool, listInquiries } from './answering.ts';
import { decideForHuman } from './deciding.ts';
import { getAnswer, sendInquiry, sendNoticeTool, withdrawInquiryTool } from './asking.ts';

type Tool = {
  /** Whose credential sees it; to the other kind it does not exist (RES5). */
  of: Caller['kind'];
  /** Only for sources that may ask a decider themselves. */
  ofDecider?: boolean;
  /** It waits for a person, so its reply must stream from the start. */
  waits: boolean;
  hints: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean };
  outputSchema?: typeof OUTCOME_SCHEMA;
  run(call: Call): Promise<ToolResult | Unfinished>;
};

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };

const TOOLS: Record<ToolName, Tool> = {
  send_inquiry: { of: 'source', waits: true, hints: writes, outputSchema: OUTCOME_SCHEMA, run: sendInquiry },
  get_answer: { of: 'source', waits: true, hints: reads, outputSchema: OUTCOME_SCHEMA, run: getAnswer },
  withdraw_inquiry: {
    of: 'source',
    waits: false,
    hints: { ...writes, idempotentHint: true },
    outputSchema: OUTCOME_SCHEMA,
    run: withdrawInquiryTool,
  },
  decide_for_human: { of: 'source', ofDecider: true, waits: true, hints: reads, run: decideForHuman },
  send_notice: { of: 'source', waits: false, hints: writes, run: sendNoticeTool },
  list_inquiries: { of: 'device', waits: false, hints: reads, run: listInquiries },
  answer_inquiry: {
    of: 'device',
    waits: false,
    hints: { ...writes, destructiveHint: true },
    run: answerInquiryTool,
  },
};

/** The tool of this name, for a caller of its kind alone. */
export function toolFor(name: string, caller: Caller): Tool | undefined {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name as ToolName] : undefined;
  return tool && isFor(tool, caller) ? tool : undefined;
}

function isFor({ of, ofDecider }: Tool, caller: Caller): boolean {
  return of === caller.kind && (!ofDecider || (caller.kind === 'source' && caller.mayAskDecider === true));
}

/** Whether a message is a call that waits for a person. */
export function waitsForPerson({ method, params }: { method?: unknown; params?: unknown }): boolean {
  const name = (params as { name?: unknown } | undefined)?.name;
  return method === 'tools/call' && typeof name === 'string' && Object.hasOwn(TOOLS, name)
    ? TOOLS[name as ToolName].waits
    : false;
}

/** What `tools/list` shows this caller, in this language, on the terms of this connection. */
export function listTools(caller: Caller, locale: Parameters<typeof wordsIn>[0], overrides: Overrides) {
  const words = wordsIn(locale);
  return (Object.keys(TOOLS) as ToolName[])
    .filter((name) => isFor(TOOLS[name], caller))
    .map((name) => {
      const { title, description, parameters = {} } = words.tools[name];
      const asks = name === 'send_inquiry';
      const { hints, outputSchema } = TOOLS[name];
      return {
        name,
        title,
        description: (asks ? overrides.description : undefined) ?? description,
        inputSchema: describe(INPUTS[name], asks ? { ...parameters, ...overrides.parameters } : parameters),
        ...(outputSchema ? { outputSchema } : {}),
        // Claude Code hides what a tool is for until it is looked up, and nobody looks up how to ask.
        ...(asks ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
        annotations: { title, ...hints, openWorldHint: true },
      };
    });
}
