import { z } from 'zod';
import { chooseLanguage } from '#shared/texts/language.ts';
import { fault, invalid, parseOrRefuse } from '#shared/faults.ts';
import type { Ask } from '#shared/inquiry.ts';
import { isSourceTool } from '#shared/reference/source-tools.ts';
import { AppError } from '#shared/problem.ts';
import type { Dialect, About, Query, Read, Answered } from '../dialect.ts';
import { toLine } from '../body.ts';
import { callPart, toKeep, type Call, allowed, readVerdict, type Verdict } from '../coding/call.ts';
import { ASK_USER_QUESTION } from '../coding/questions.ts';
import { suggestionOptions } from '../coding/suggestions.ts';
import { toElicitResult, toPart } from '../elicitation/elicitation.ts';
import { HookCall, HookEvent, toCall, CALL_AT, toContext } from '../coding/hook.ts';
import { withoutUndefined } from '#shared/json.ts';

/** Claude Code closes the connection as its terminal says No, or as it ends; no event of its own tells which. */
export const claudeHook: Dialect = {
  name: 'claude-hook',
  label: 'Claude Code',
  read,
  write,
  undecided,
  tooLong,
  left: 'No in the terminal, or Claude Code was ended there.',
};

const Server = z.looseObject({ name: z.literal('beckon'), source: z.literal('user') });
const Tool = HookCall.extend({ mcp_server: z.unknown().optional() });
const PreTool = Tool.extend({ tool_use_id: z.string() });
const Permission = Tool.extend({ prompt_id: z.unknown().optional(), permission_suggestions: z.unknown().optional() });
const Elicitation = z.looseObject({
  mcp_server_name: z.string().nullish(),
  elicitation_id: z.string().nullish(),
});
const Notification = z.looseObject({
  message: z.string(),
  title: z.string().nullish(),
  notification_type: z.string().nullish(),
});

/** The body of a hook of Claude Code, by its event; one that asks nobody passes. */
function read(body: unknown, { agent = 'Claude Code', language }: Query): Read {
  const event = parseOrRefuse(HookEvent, body);
  const { session_id: session, hook_event_name: name } = event;
  const context = toContext(event, agent);
  switch (name) {
    case 'PreToolUse': {
      const { tool_use_id: id, ...tool } = parseOrRefuse(PreTool, body);
      if (isOurs(tool)) return { pass: allow(name, {}), own: true };
      const call = toCall(tool);
      return {
        asks: [callPart(call, CALL_AT, { allowed: ['approve', 'edit', 'reject'], context })],
        ids: [session, id],
        within: session,
        keep: { event: name, ...toKeep(call) },
        about: { session, call: id },
      };
    }
    case 'PermissionRequest': {
      const tool = parseOrRefuse(Permission, body);
      if (isOurs(tool)) return { pass: allow(name, {}), own: true };
      const call = toCall(tool);
      const options = suggestionOptions(tool.permission_suggestions, language);
      return {
        asks: [callPart(call, CALL_AT, { allowed: ['approve', 'edit', 'reject'], options, context })],
        // It carries no id of its call.
        ids: [session, tool.prompt_id ?? null],
        keep: { event: name, ...toKeep(call) },
        about: aboutCall(session, call),
      };
    }
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return { withdraw: aboutCall(session, toCall(parseOrRefuse(Tool, body))), reason: 'Answered in the terminal.' };
    case 'Elicitation':
      return { ...readElicitation(body, session, { context, ...toTitle(body, language) }), keep: { event: name } };
    case 'ElicitationResult':
      return { withdraw: aboutElicitation(session, body), reason: 'Answered in the terminal.' };
    case 'SessionEnd':
      return { withdraw: { session }, reason: 'The session ended.' };
    case 'Notification':
      return readNotification(body);
    default:
      return { pass: {} };
  }
}

/** Nobody is asked for leave to be asked: a tool of Beckon's, of the server that its user's own settings call so, not a project's. */
function isOurs({ tool_name: name, mcp_server: server }: z.output<typeof Tool>): boolean {
  const [, tool] = /^mcp__beckon__(\w+)$/.exec(name) ?? [];
  return isSourceTool(tool) && Server.safeParse(server).success;
}

/** A permission and the run of its tool have no id in common, only the call itself; a terminal adds answers to questions. */
function aboutCall(session: string, { name, input }: Call): About {
  return { session, call: [name, name === ASK_USER_QUESTION ? input['questions'] : input] };
}

function aboutElicitation(session: string, body: unknown): About {
  const { mcp_server_name: server = null, elicitation_id: id = null } = parseOrRefuse(Elicitation, body);
  return { session, call: ['Elicitation', server, id] };
}

/** Which MCP server asks: its own words must not stand for another's. */
function toTitle(body: unknown, language: string | undefined): { title?: string } {
  const server = toLine(parseOrRefuse(Elicitation, body).mcp_server_name ?? '');
  return server === '' ? {} : { title: toLine(SERVER[chooseLanguage(language, undefined)] + server) };
}

const SERVER = { en: 'MCP server ', zh: 'MCP 服务器：' };

function readElicitation(body: unknown, session: string, rest: Pick<Ask, 'context' | 'title'>) {
  const about = aboutElicitation(session, body);
  const { requested_schema: requestedSchema, ...params } = body as Record<string, unknown>;
  try {
    const { ask, places } = toPart({ ...params, requestedSchema });
    const theirs = places.map(([ours, place]): [string, string] => [ours, inTheirNames(place)]);
    return { asks: [{ ask: { ...ask, ...rest }, places: theirs }], ids: about.call, about };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalid((error.faults ?? []).map((one) => fault(inTheirNames(one.path), one.code, one.message, one.params)));
  }
}

function inTheirNames(path: string): string {
  return path.replace(/^\/requestedSchema/, '/requested_schema');
}

/** A prompt for a permission is asked about by its own hook. */
function readNotification(body: unknown): Read {
  const { message, title, notification_type: type } = parseOrRefuse(Notification, body);
  if (type === 'permission_prompt') return { pass: {} };
  return { notice: { title: toLine(title ?? '') || 'Claude Code', body: message } };
}

const Kept = z.object({ event: z.enum(['PreToolUse', 'PermissionRequest', 'Elicitation']) });

/** The hook's JSON. Where nobody decided Claude asks in its terminal, and without one runs nothing. */
function write(keep: unknown, inquiries: Answered[]): unknown {
  const { event } = Kept.parse(keep);
  if (event === 'Elicitation') {
    const [inquiry] = inquiries;
    const result = inquiry && toElicitResult(inquiry);
    return result && result.action !== 'cancel' ? hook(event, result) : {};
  }
  const verdict = readVerdict(keep, inquiries);
  switch (verdict.type) {
    case 'allow':
      return allow(event, verdict);
    case 'deny':
      return denied(event, verdict.words);
    case 'nobody':
      return event === 'PreToolUse' ? ask(verdict.words) : {};
  }
}

/** Denied with the words: in a terminal too nobody would read all of it, and its model can do the same in parts. */
function tooLong(keep: unknown, inquiries: Answered[]): unknown {
  const { event } = Kept.parse(keep);
  const words = inquiries[0]?.resolution.text ?? '';
  return event === 'Elicitation' ? write(keep, inquiries) : denied(event, `${words} Do it in smaller parts.`);
}

/**
 * Nobody decided, for whichever event. `{}` after PreToolUse runs the tool where edits or all calls are allowed, so that
 * a body which cannot be read is taken for one.
 */
function undecided(body: unknown): (reason: string) => unknown {
  const { hook_event_name: event } = (body ?? {}) as { hook_event_name?: unknown };
  return typeof event === 'string' && event !== 'PreToolUse' ? () => ({}) : ask;
}

type OfCall = 'PreToolUse' | 'PermissionRequest';

function allow(event: OfCall, changed: Omit<Extract<Verdict, { type: 'allow' }>, 'type'>): unknown {
  return event === 'PreToolUse'
    ? hook(event, withoutUndefined({ permissionDecision: 'allow', updatedInput: changed.input }))
    : hook(event, { decision: allowed(changed) });
}

function denied(event: OfCall, words: string): unknown {
  return event === 'PreToolUse'
    ? hook(event, { permissionDecision: 'deny', permissionDecisionReason: words })
    : hook(event, { decision: { behavior: 'deny', message: words } });
}

function ask(reason: string): unknown {
  return hook('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: reason });
}

function hook(hookEventName: string, members: object): unknown {
  return { hookSpecificOutput: { hookEventName, ...members } };
}
