import type { Action, Inquiry } from '#shared/inquiry.ts';
import { filesOf } from '../calls/diff/files.ts';
import { isCautious } from '../caution.ts';
import { argsTextOf } from '../reply/state.ts';

/** One thing to look at: what is asked and told, or a call's name, its arguments or one file, as `data-part` names it in the page. */
export type Part = { id: string; call: number; kind: 'told' | 'name' | 'args' | 'file' };
/** One end of a part, as it is remembered when it was on the screen. */
export type Edge = `${string}:${'top' | 'end'}`;

/** What stands in the page for these calls, in its order. */
export function partsOf(inquiry: Inquiry): Part[] {
  const told: Part = { id: 'told', call: 0, kind: 'told' };
  const calls = (inquiry.actions ?? []).flatMap((action, call): Part[] => [
    ...(isCautious(inquiry) && tellsMore(inquiry, action) ? [{ id: `${call}.told`, call, kind: 'told' } as const] : []),
    { id: `${call}.name`, call, kind: 'name' },
    ...(showsArgs(action, argsTextOf(inquiry, call)) ? [{ id: `${call}.args`, call, kind: 'args' } as const] : []),
    ...filesOf(action.diff).map((_, at) => ({ id: `${call}.file.${at}`, call, kind: 'file' }) as const),
  ]);
  // With caution all that is said of it is read first.
  return isCautious(inquiry) ? [told, ...calls] : calls;
}

/** True for one of several calls that stands below a description of its own. */
function tellsMore({ actions = [] }: Inquiry, { description }: Action): boolean {
  return actions.length > 1 && description !== undefined && description.trim() !== '';
}

/** A call that says all in its diff shows no empty arguments. */
export function showsArgs(action: Action, argsText: string): boolean {
  return !action.diff?.length || !/^\s*\{\s*\}\s*$/.test(argsText);
}

/** True where an approval waits until the end of everything was seen: several calls, or one that cannot be taken back. */
export function isStrict(inquiry: Inquiry): boolean {
  return (inquiry.actions?.length ?? 0) > 1 || isCautious(inquiry);
}

/** What must have been on the screen before any of these calls can be approved. */
export function required(inquiry: Inquiry): Edge[] {
  const parts = partsOf(inquiry);
  if (isStrict(inquiry)) return parts.flatMap(edgesOf);
  const [name, first] = parts;
  return [...(name ? edgesOf(name) : []), ...(first ? [`${first.id}:top` as const] : [])];
}

export function edgesOf({ id }: Part): Edge[] {
  return [`${id}:top`, `${id}:end`];
}
