import { z } from 'zod';
import type { Resolution } from '#shared/answer.ts';
import { parseOrRefuse } from '#shared/faults.ts';
import type { Action, ActionOption, Ask } from '#shared/inquiry.ts';
import { withoutUndefined, type Json } from '#shared/json.ts';
import { isObject, toBlock, toJsonBlock, toLine } from '../../dialects/body.ts';
import { toElicitResult, toPart } from '../../dialects/elicitation/elicitation.ts';
import type { Sessions } from './session.ts';

/** An agent's question for people. `toResult`: what the agent is answered, or undefined where it stays the editor's. */
export type Question = {
  sessionId?: string | undefined;
  ask: Ask;
  toResult: (resolution: Resolution) => object | undefined;
};

const text = z.string().nullish().catch(undefined);
const Call = z.looseObject({ toolCallId: z.string() });
const Subject = z.looseObject({ type: z.string(), toolCall: Call.optional() });
const Option = z.looseObject({ optionId: z.string(), name: z.string(), kind: z.string() });
/** v1 has `toolCall`, the draft of v2 `title`, `description` and `subject`. */
const Permission = z.looseObject({
  sessionId: z.string(),
  title: text,
  description: text,
  toolCall: Call.optional(),
  subject: Subject.nullish().catch(undefined),
  options: z.array(Option),
});
type Option = z.output<typeof Option>;

const Shown = z.looseObject({
  name: text,
  title: text,
  kind: text,
  content: z.unknown().optional(),
  rawInput: z.unknown().optional(),
});

/** What a kind decides; one that this does not know decides nothing on a phone. */
const TYPES: Record<string, ActionOption['type']> = {
  allow_once: 'approve',
  allow_always: 'approve',
  reject_once: 'reject',
  reject_always: 'reject',
};
const LONGEST_DIFF = 100_000;
const REMEMBERS = 'The agent remembers it: it may not ask about the like again.';

/** The params of `session/request_permission` or a form `elicitation/create`; undefined: they are for the editor alone. Throws 422. */
export function readQuestion(method: string, params: unknown, sessions: Sessions): Question | undefined {
  if (method === 'elicitation/create') return readForm(params, sessions);
  const permission = parseOrRefuse(Permission, params);
  const { sessionId, options } = permission;
  const buttons = options.flatMap(toButton);
  if (buttons.length === 0) return undefined;
  const title = toLine(permission.title ?? '') || undefined;
  const { title: called, ...shown } = readCall(permission, sessions);
  const allowed = [...new Set(buttons.map(({ type }) => type))];
  const actions = [{ ...shown, allowed, options: buttons }];
  return {
    sessionId,
    ask: withoutUndefined({ title: title ?? called, actions, context: readContext(sessions, sessionId) }),
    toResult: (resolution) => selected(options, resolution),
  };
}

/** By their places: their ids may be of any length, and their kinds repeat. */
function toButton({ name, kind }: Option, at: number): ActionOption[] {
  const type = Object.hasOwn(TYPES, kind) ? TYPES[kind] : undefined;
  if (type === undefined) return [];
  return [{ id: String(at), label: name, type, ...(kind.endsWith('_always') && { remember: REMEMBERS }) }];
}

function selected(options: Option[], { outcome, answer }: Resolution): object | undefined {
  const select = (option: Option | undefined): object | undefined =>
    option && { outcome: { outcome: 'selected', optionId: option.optionId } };
  // Nobody's answer is the editor's to give. Who declines says no to this call, and to no other.
  if (outcome === 'declined') return select(options.find(({ kind }) => kind === 'reject_once'));
  const decision = outcome === 'answered' ? answer?.decisions?.[0] : undefined;
  if (decision?.type !== 'approve' && decision?.type !== 'reject') return undefined;
  return select(options.find(({ kind }, at) => String(at) === decision.optionId && TYPES[kind] === decision.type));
}

function readCall(permission: z.output<typeof Permission>, sessions: Sessions) {
  const { subject, sessionId, toolCall = subject?.toolCall, description, title: asked } = permission;
  const { name, title, kind, rawInput, content } = Shown.parse(toolCall ? sessions.withKnown(sessionId, toolCall) : {});
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  const changes = parts.flatMap(toDiff);
  // What changes is in the input too, where the agent tells it; an ask holds no more than 256 KiB.
  const diff = rawInput && JSON.stringify(changes).length > LONGEST_DIFF ? [] : changes;
  const words = [description, ...parts.map(toText)].filter((one) => one?.trim()).join('\n\n');
  const said = toolCall ? { title: title ?? asked } : (subject ?? { title: asked });
  const action: Omit<Action, 'allowed'> & { title: string | undefined } = {
    title: toLine(title ?? '') || undefined,
    name: toLine(name ?? kind ?? subject?.type ?? '', 200) || 'permission',
    args: (rawInput ?? said) as Json,
    ...(words === '' ? {} : { description: words }),
    ...(diff.length > 0 ? { diff } : {}),
  };
  return action;
}

/** A difference of v1. */
function toDiff({ type, path, oldText, newText }: Record<string, unknown>): NonNullable<Action['diff']> {
  if (type !== 'diff' || typeof path !== 'string' || typeof newText !== 'string') return [];
  return [{ path, oldText: typeof oldText === 'string' ? oldText : '', newText }];
}

/** Words, or the patch that a difference of v2 is. */
function toText({ type, content, patch, changes }: Record<string, unknown>): string | undefined {
  if (type === 'content') return isObject(content) && typeof content['text'] === 'string' ? content['text'] : undefined;
  if (type !== 'diff') return undefined;
  if (isObject(patch) && typeof patch['text'] === 'string') return toBlock(patch['text'], 'diff');
  return changes === undefined ? undefined : toJsonBlock(changes);
}

/** Its form alone: an address is opened where the editor is. */
function readForm(params: unknown, sessions: Sessions): Question | undefined {
  if (!isObject(params) || params['mode'] !== 'form') return undefined;
  const { ask } = toPart(params);
  const sessionId = typeof params['sessionId'] === 'string' ? params['sessionId'] : undefined;
  return {
    sessionId,
    ask: { ...ask, context: readContext(sessions, sessionId) },
    toResult: (resolution) =>
      /^(answered|declined)$/.test(resolution.outcome) ? toElicitResult({ resolution }) : undefined,
  };
}

function readContext(sessions: Sessions, sessionId = ''): NonNullable<Ask['context']> {
  const [agent, cwd] = [sessions.agent(), sessions.folder(sessionId)];
  return withoutUndefined({ agent: toLine(agent ?? '', 100) || undefined, cwd: cwd?.slice(0, 1000) || undefined });
}
