import { readArgsText } from '../../live/inquiries.ts';
import { ownChoices } from '#shared/fit.ts';
import type { Action, ActionOption, Inquiry } from '#shared/inquiry.ts';
import { buttonsOf } from '#shared/call-name/buttons.ts';
import { visible } from '#shared/visible.ts';
import { language } from '../../ui/language.ts';
import { dialogWords } from '../words.ts';
import type { CallReply, Reply } from '../reply/state.ts';

export type Decided = { type: NonNullable<CallReply['type']>; optionId?: string };

/** One call's decision, words already written kept. */
export function decide(reply: Reply, at: number, decision: Decided, more: Partial<CallReply> = {}): Reply {
  const calls = reply.calls.map((call, place) => {
    if (place !== at) return call;
    const { optionId: _, ...rest } = call;
    return { ...rest, ...decision, ...more, own: true };
  });
  return { ...reply, calls };
}

/** Every call not yet decided gets this decision; with the sender's own choices their first of that type. */
export function decideAll(inquiry: Inquiry, reply: Reply, type: 'approve' | 'reject', { over = false } = {}): Reply {
  return (inquiry.actions ?? []).reduce((all, action, at) => {
    const call = all.calls[at];
    if (!over && call?.own && call.type !== undefined) return all;
    const option = plainChoices(action).find((one) => one.type === type);
    return decide(all, at, { type, ...(option ? { optionId: option.id } : {}) });
  }, reply);
}

/** Whether every one of these calls may be decided this way with one press. */
export function allMay(actions: Action[], type: 'approve' | 'reject'): boolean {
  return actions.every((action) => {
    const own = ownChoices(action, type);
    return own.length > 0 ? own.some(({ remember }) => remember === undefined) : action.allowed.includes(type);
  });
}

/** The call's arguments as they came, and no decision. */
export function putBack(inquiry: Inquiry, reply: Reply, at: number): Reply {
  return {
    ...reply,
    calls: reply.calls.map((call, place) =>
      place === at ? { own: false, message: call.message, argsText: readArgsText(inquiry, at) } : call,
    ),
  };
}

/** How many calls are decided. */
export function decidedCount(reply: Reply): number {
  return reply.calls.filter(({ type }) => type !== undefined).length;
}

/** The sender's options that decide this call alone; one that reaches further is among them only where nothing else says the same. */
export function plainChoices({ options = [] }: Action): ActionOption[] {
  const plain = options.filter(({ remember }) => remember === undefined);
  return options.filter((option) => plain.includes(option) || plain.every(({ type }) => type !== option.type));
}

/** The sender's options that reach further than this call: they stand in the menu. */
export function furtherChoices(action: Action): ActionOption[] {
  const plain = plainChoices(action);
  return (action.options ?? []).filter((option) => !plain.includes(option));
}

/** What stands on the button of an option: the hub's verb, and beside it the sender's words. */
export function sayOption({ options = [] }: Action, option: ActionOption): string {
  return visible(buttonsOf(options, language.value)[options.indexOf(option)] ?? option.label);
}

/** What an option reaches, in words. */
export function remembers({ remember }: ActionOption): string | undefined {
  return remember === undefined ? undefined : dialogWords().call.remembers(visible(remember));
}
