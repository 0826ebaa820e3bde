import { z } from 'zod';
import { chooseLanguage, type Language } from '#shared/texts/language.ts';
import type { Action } from '#shared/inquiry.ts';
import { type Json, withoutUndefined } from '#shared/json.ts';
import {
  type Dialect,
  toParts,
  type Query,
  type Read,
  readEnds,
  type Answered,
  type End,
  type Part,
  endWords,
  type Placed,
} from '../dialect.ts';
import { parseArgs, createChecks, isObject, toLine } from '../body.ts';

/** OpenAI's Agents SDK in JavaScript and Python, and MCP approvals of the Responses API. */
export const openai: Dialect = { name: 'openai', label: 'OpenAI Agents', read, write };

/** What `write` needs: the ids of the calls, in order. */
type Kept = { as: 'sdk' | 'responses'; ids: string[] };

const agent = z.object({ name: z.string() }).nullish();
const Mcp = z.object({ id: z.string(), server_label: z.string(), name: z.string(), arguments: z.string().nullish() });
const Hosted = z.object({ providerData: Mcp });
const Called = z.object({ callId: z.string(), name: z.string(), arguments: z.string().nullish() });
const Shell = z.object({ callId: z.string(), action: z.looseObject({ commands: z.array(z.string()) }) });
const Computer = z.object({ callId: z.string(), action: z.unknown().optional(), actions: z.unknown().optional() });
const Patch = z.object({
  callId: z.string(),
  operation: z.looseObject({ type: z.string(), path: z.string(), diff: z.string().nullish() }),
});
const Item = z.object({ rawItem: z.unknown(), toolName: z.string().nullish(), agent });
const PythonItem = z.object({ ...Called.shape, agent });

/** One call, with where its members stand below its place; `once`: the SDK has no "always" for it. */
type Call = { id: string; agent?: string | undefined; action: Action; at: string; once?: boolean };

/**
 * The interruptions of an Agents SDK run, in JavaScript or Python, or the approval requests of a response (Responses API);
 * one by itself, too.
 */
function read(body: unknown, query: Query): Read {
  const checks = createChecks();
  const language = chooseLanguage(query.language, undefined);
  const { items, placeOf } = readItems(body);
  const responses = items.some((item) => typeOf(item) === 'mcp_approval_request');
  const calls = items.flatMap((item, place): Call[] => {
    const at = placeOf(place);
    if (!responses) {
      const call = sdkCall(item, at, { checks, language });
      return call ? [call] : [];
    }
    // The whole output of a response may stand here; all else in it asks nothing.
    if (typeOf(item) !== 'mcp_approval_request') return [];
    const request = checks.read(Mcp, item, at);
    return request ? [{ id: request.id, action: mcpAction(request, language), at }] : [];
  });
  if (items.length === 0)
    checks.refuse('', 'openai.nothing', 'is no list of interruptions or of the output items of a response');
  checks.end();
  const options = ({ action: { name }, once }: Call) =>
    responses ? {} : { options: toOptions(name, language).filter(({ remember }) => !once || remember === undefined) };
  const placed = calls.map((call): Placed => ({ action: { ...call.action, ...options(call) }, at: call.at }));
  const ids = calls.map(({ id }) => id);
  const keep: Kept = { as: responses ? 'responses' : 'sdk', ids };
  return { asks: byAgent(placed, calls), ids, keep };
}

/** Inquiries of one agent each, in the order of the calls: a rule for an agent decides no other one's call. */
function byAgent(placed: Placed[], calls: Call[]): Part[] {
  const names = calls.map(({ agent: name }) => name && toLine(name, 200));
  const begins = names.flatMap((name, at) => (at === 0 || name !== names[at - 1] ? [at] : []));
  return begins.flatMap((from, at) => {
    const name = names[from];
    return toParts(placed.slice(from, begins[at + 1]), name ? { context: { agent: name } } : {});
  });
}

function readItems(body: unknown): { items: unknown[]; placeOf: (at: number) => string } {
  if (Array.isArray(body)) return { items: body, placeOf: (at) => `/${at}` };
  const output = isObject(body) ? body['output'] : undefined;
  if (Array.isArray(output)) return { items: output, placeOf: (at) => `/output/${at}` };
  const asks = isObject(body) && ('rawItem' in body || 'callId' in body || typeOf(body) === 'mcp_approval_request');
  return { items: asks ? [body] : [], placeOf: () => '' };
}

type Reading = { checks: ReturnType<typeof createChecks>; language: Language };

function sdkCall(given: unknown, at: string, { checks, language }: Reading): Call | undefined {
  if (!isObject(given) || !('rawItem' in given)) {
    const item = checks.read(PythonItem, given, at);
    return item && { id: item.callId, agent: item.agent?.name, action: toAction(item), at };
  }
  const item = checks.read(Item, given, at);
  if (!item) return undefined;
  const raw = `${at}/rawItem`;
  const whole = (id: string, action: Action): Call => ({ id, agent: item.agent?.name, action, at: raw });
  const allowed: Action['allowed'] = ['approve', 'reject'];
  if (typeOf(item.rawItem) === 'shell_call') {
    const call = checks.read(Shell, item.rawItem, raw);
    const args = call?.action as Json;
    return call && whole(call.callId, { name: item.toolName ?? 'shell', args, allowed });
  }
  if (typeOf(item.rawItem) === 'computer_call') {
    const call = checks.read(Computer, item.rawItem, raw);
    const args = (call?.actions ?? call?.action) as Json | undefined;
    if (call && args === undefined) return checks.refuse(`${raw}/action`, 'field.missing', 'is missing');
    const warned = readWarning(item.rawItem as Record<string, unknown>, language);
    return call && whole(call.callId, { name: item.toolName ?? 'computer', args: args ?? null, allowed, ...warned });
  }
  if (typeOf(item.rawItem) === 'apply_patch_call') {
    const call = checks.read(Patch, item.rawItem, raw);
    const diff = call && toDiff(call.operation);
    return (
      call &&
      whole(call.callId, {
        name: item.toolName ?? 'apply_patch',
        args: call.operation as Json,
        allowed,
        ...(diff ? { diff: [diff] } : {}),
      })
    );
  }
  if (isObject(item.rawItem) && typeOf(item.rawItem['providerData']) === 'mcp_approval_request') {
    const realtime = fromRealtime(item.rawItem);
    const hosted = checks.read(Hosted, realtime ?? item.rawItem, raw)?.providerData;
    return hosted && { ...whole(hosted.id, mcpAction(hosted, language)), once: realtime !== undefined };
  }
  const call = checks.read(Called, item.rawItem, raw);
  return call && whole(call.callId, toAction({ ...call, name: item.toolName ?? call.name }));
}

/** A hosted call of a Realtime session, which has other names for its members and keeps two of them beside them. */
function fromRealtime(call: Record<string, unknown>): Record<string, unknown> | undefined {
  const { itemId: id, serverLabel, ...rest } = call['providerData'] as Record<string, unknown>;
  if (id === undefined) return undefined;
  const { name, arguments: args } = call;
  return { ...call, providerData: { ...rest, id, server_label: serverLabel, name, arguments: args } };
}

/** The safety checks that an approval acknowledges, where the SDK or the API puts them. */
function readWarning(call: Record<string, unknown>, language: Language): Pick<Action, 'description' | 'caution'> {
  const checks = [call, call['providerData']]
    .filter(isObject)
    .flatMap((one) => [one['pendingSafetyChecks'], one['pending_safety_checks']])
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  if (checks.length === 0) return {};
  const said = checks.map((check) => (isObject(check) ? String(check['message'] || check['code']) : String(check)));
  return { description: [WORDS[language].checks, ...new Set(said)].join('\n\n'), caution: true };
}

function toAction({ name, arguments: text }: { name: string; arguments?: string | null | undefined }): Action {
  return { name, args: parseArgs(text ?? ''), allowed: ['approve', 'reject'] };
}

function mcpAction(request: z.infer<typeof Mcp>, language: Language): Action {
  return { ...toAction(request), description: `${WORDS[language].server}${request.server_label}` };
}

function toOptions(name: string, language: Language): NonNullable<Action['options']> {
  const words = WORDS[language];
  const remember = words.remember(toLine(name, 200));
  return [
    { id: 'approve', label: words.approve, type: 'approve' },
    { id: 'approve-always', label: words.approveAlways, type: 'approve', remember },
    { id: 'reject', label: words.reject, type: 'reject' },
    { id: 'reject-always', label: words.rejectAlways, type: 'reject', remember },
  ];
}

function typeOf(item: unknown): unknown {
  return isObject(item) ? item['type'] : undefined;
}

const WORDS = {
  en: {
    server: 'On the MCP server ',
    checks: 'Pending safety checks:',
    approve: 'Approve',
    approveAlways: 'Always approve',
    reject: 'Reject',
    rejectAlways: 'Always reject',
    remember: (name: string) => `Every call of ${name}, for the rest of this run`,
  },
  zh: {
    server: 'MCP 服务器：',
    checks: '待确认的安全检查：',
    approve: '批准',
    approveAlways: '始终批准',
    reject: '拒绝',
    rejectAlways: '始终拒绝',
    remember: (name: string) => `本次运行中对 ${name} 的所有调用`,
  },
};

/** One decision for each interruption, in their order, or the input items that answer a response. */
function write(keep: unknown, inquiries: Answered[]): unknown {
  const { as, ids } = keep as Kept;
  const ends = readEnds(inquiries);
  const untils = inquiries.flatMap(({ actions = [], resolution }) => actions.map(() => resolution.validUntil));
  const decisions = ids.map((_, at) => toDecision(ends[at], untils[at]));
  if (as === 'sdk')
    return { decisions: remembered(decisions, inquiries).map((one, at) => ({ callId: ids[at], ...one })) };
  return decisions.map(({ approve, message: reason }, at) =>
    withoutUndefined({ type: 'mcp_approval_response', approval_request_id: ids[at], approve, reason }),
  );
}

type Decided = {
  approve: boolean;
  always?: true | undefined;
  message?: string | undefined;
  /** Until when it may run, for whoever waits for other decisions before it does. */
  validUntil?: string | undefined;
};

/** Decisions with "always" only where all calls of a tool ended alike: in the SDK it wipes what was decided about the others. */
function remembered(decisions: Decided[], inquiries: Answered[]): Decided[] {
  const names = inquiries.flatMap(({ actions = [] }) => actions.map(({ name }) => name));
  const namesOf = (approve: boolean) => new Set(names.filter((_, at) => decisions[at]?.approve === approve));
  const mixed = namesOf(true).intersection(namesOf(false));
  return decisions.map(({ always, ...one }, at) => (always && !mixed.has(names[at] ?? '') ? { ...one, always } : one));
}

function toDecision(end: End | undefined, until: string | undefined): Decided {
  const always = end && 'option' in end && end.option?.remember !== undefined ? true : undefined;
  const approve = end?.type === 'approve';
  return withoutUndefined({ approve, always, message: endWords(end), validUntil: approve ? until : undefined });
}

type Diff = NonNullable<Action['diff']>[number];
type Operation = { type: string; path: string; diff?: string | null | undefined };

/** The two sides of a patch (V4A), of the lines that it shows; undefined where it shows none. */
function toDiff({ path, diff }: Operation): Diff | undefined {
  if (!diff) return undefined;
  const lines = diff.split('\n');
  const side = (mark: string): string =>
    lines
      .flatMap((line) => (line.startsWith(mark) || !/^[+-]/.test(line) ? [line.replace(/^[ +-]/, '')] : []))
      .join('\n');
  return { path, oldText: side('-'), newText: side('+') };
}
