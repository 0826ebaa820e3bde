import type { Action, ActionOption, Ask, Inquiry } from '#shared/inquiry.ts';
import type { Decision, Resolution } from '#shared/answer.ts';
import { parseExact } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { toLine } from './body.ts';

/** What the address of an ask says beside its body; it wins, but for the agent that a body names. */
export type Query = Pick<Ask, 'to' | 'deadline' | 'validFor' | 'urgency' | 'privacy' | 'title'> & {
  agent?: string | undefined;
  language?: string | undefined;
  /** What a bare interrupt with an object is answered with (`langgraph`). */
  answer?: 'text' | 'confirm' | undefined;
  /** The host under which the hub was called. */
  host?: string | undefined;
};

/** One inquiry that a body becomes, without what its address says; `places` pairs JSON Pointers into `ask` with those into the body. */
export type Part = { ask: Ask; places: [ours: string, theirs: string][] };

/** What names one native request besides its content: withdrawals of hooks find it by these. */
export type About = { session: string; call?: unknown };

/** What becomes of a body. */
export type Read =
  /**
   * `ids`: the framework's own, never a key; `within`: the session, thread or run in which they name this very call, and
   * no other; `keep`: all that `write` needs, as JSON.
   */
  | { asks: Part[]; ids: unknown; within?: string | undefined; keep: unknown; about?: About | undefined }
  /** It was decided elsewhere, or its session ended. */
  | { withdraw: About; reason: string }
  | { notice: { title: string; body?: string } }
  /** Nobody has to be asked: this is the reply. `own`: the body is certainly of this dialect. */
  | { pass: unknown; own?: boolean };

/** A resolved inquiry as `write` reads it. */
export type Answered = Pick<Inquiry, 'actions' | 'questions' | 'link'> & { resolution: Resolution };

/**
 * How one framework asks and is answered, in its own JSON. Both functions are pure. Numbers that a double would change
 * are raw values (`shared/json.ts`) in bodies, and have to leave as they came.
 */
export type Dialect = {
  name: string;
  /** As a person reads it: "Asked through LangGraph". */
  label: string;
  /** What a body becomes. Throws 422 with every fault at its place in the body. */
  read(body: unknown, query: Query): Read;
  /** The reply: a tool runs only by a person's "approve" or "edit". Throws `unanswered` where the framework has no word for "no". */
  write(keep: unknown, inquiries: Answered[]): unknown;
  /** The reply of a hook that fails open: nobody could be asked about this body, whatever it is, for a reason. It keeps no body. */
  undecided?: (body: unknown) => (reason: string) => unknown;
  /** The reply of a hook to a call that is too long to be shown to a person; without it, that nobody decided. */
  tooLong?: (keep: unknown, inquiries: Answered[]) => unknown;
  /** What a hook's closed connection says, whose program never comes back for the reply: the question is taken back with it. */
  left?: string;
  /** What every problem document holds besides, for a hook that takes it for its reply. */
  besideProblem?: (reason: string) => Record<string, unknown>;
};

/** The problem in place of a reply where the framework could only take an approval or an answer: its run stays interrupted. */
export function unanswered({ outcome, text }: Resolution): AppError {
  return new AppError(409, 'ask.unanswered', text, { extra: { outcome } });
}

/** One action's end: what a person decided, with the option they chose, or the words that say that nobody did. */
export type End = (Decision & { option?: ActionOption | undefined }) | { type: 'declined' | 'nobody'; text: string };

/** The end of each action, over all inquiries in order. */
export function readEnds(inquiries: Answered[]): End[] {
  return inquiries.flatMap(({ actions = [], resolution }) =>
    actions.map((action, at) => readEnd(action, resolution.answer?.decisions?.[at], resolution)),
  );
}

function readEnd({ options }: Action, given: Decision | undefined, { outcome, text, note }: Resolution): End {
  if (outcome !== 'answered' || given === undefined)
    return { type: outcome === 'declined' ? 'declined' : 'nobody', text };
  const decision = marked(given, note);
  const id = 'optionId' in decision ? decision.optionId : undefined;
  const option = id === undefined ? undefined : options?.find((one) => one.id === id);
  return option ? { ...decision, option } : decision;
}

/** Words that a rule or a decider has for the agent, with the note that says so. */
function marked(decision: Decision, note: string | undefined): Decision {
  if (note === undefined || (decision.type !== 'reject' && decision.type !== 'respond')) return decision;
  return { ...decision, message: [decision.message, note].filter(Boolean).join('\n') };
}

/** The words that an end has for the agent: a person's, else those that say that nobody decided. */
export function endWords(end: End | undefined): string | undefined {
  if (end === undefined || end.type === 'approve' || end.type === 'edit') return undefined;
  return end.type === 'reject' || end.type === 'respond' ? end.message : end.text;
}

/** The arguments that a person wrote, to the last digit. */
export function editedArgs(edit: Extract<End, { type: 'edit' }>): unknown {
  return edit.args ?? parseExact(edit.argsText ?? 'null');
}

/** So many actions are one inquiry; the ask takes no more. */
const MOST_ACTIONS = 20;

/** An action with its place in the body, as a JSON Pointer, and those of its members that stand elsewhere. */
export type Placed = { action: Action; at: string; places?: Record<string, string> };

/** Actions as inquiries of at most 20 each, in order. What several calls are called together is their title. */
export function toParts(placed: Placed[], rest: Omit<Ask, 'actions'> = {}): Part[] {
  const names = new Set(placed.map(({ action }) => action.name));
  const title = placed.length > 1 ? toLine([...names].join(', ')) : '';
  const parts: Part[] = [];
  for (let from = 0; from < placed.length; from += MOST_ACTIONS) {
    const own = placed.slice(from, from + MOST_ACTIONS);
    parts.push({
      ask: { ...(title === '' ? {} : { title }), ...rest, actions: own.map(({ action }) => action) },
      places: own.flatMap(({ at, places = {} }, index): Part['places'] => [
        [`/actions/${index}`, at],
        ...Object.entries(places).map(([member, place]): [string, string] => [`/actions/${index}/${member}`, place]),
      ]),
    });
  }
  return parts;
}
