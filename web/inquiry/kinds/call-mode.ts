import type { Action } from '#shared/inquiry.ts';
import type { CallReply } from '../reply/state.ts';
import type { Sight } from '../visibility/useSight.ts';
import type { KindProps } from './kind.ts';

/** What an inquiry of calls is given: `answering` sends no approval of what `sight` has not seen. */
export type CallProps = KindProps & { sight: Sight };

/** Deciding at once, or writing first: why not, other arguments, or an answer in the call's place. */
export type Mode = 'answer' | 'reject' | 'edit' | 'respond';

/** Where a call's inquiry opens: at its suggestion, and at the lines when it may only be written back to. */
export function firstMode(action: Action | undefined, call: CallReply | undefined): Mode {
  if (call?.type !== undefined && call.type !== 'approve' && call.optionId === undefined) return call.type;
  const may = (type: Action['allowed'][number]) => action?.allowed.includes(type) ?? false;
  if (may('approve') || may('reject') || action?.options) return 'answer';
  return may('respond') ? 'respond' : 'edit';
}
