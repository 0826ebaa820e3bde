import { readArgsText } from '../../live/inquiries.ts';
import { withoutNamed } from '#shared/call-name/masked.ts';
import { MASK, withoutSecrets } from '#shared/call-name/secret.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import type { Decision } from '#shared/answer.ts';
import { clear } from './arguments.ts';
import { type Exact, readExact } from './exact.ts';

/** One argument of an edited call, by where it stands: what was asked for and what took its place. */
export type ArgChange = { name: string; before?: string; after?: string };
/** The edited call as it may run, and each argument that differs or stays. */
export type EditedCall = { action: Action; argsText: string; changed: ArgChange[]; same: ArgChange[] };

const LONG = 160;
const AROUND = 40;

/** What a person changed of a call, digit for digit and no secret in it; undefined where they changed nothing. */
export function editedCall(inquiry: Inquiry, at: number, decision: Decision | undefined): EditedCall | undefined {
  const action = inquiry.actions?.[at];
  if (decision?.type !== 'edit' || !action) return undefined;
  const argsText = decision.argsText ?? JSON.stringify(decision.args ?? null);
  const args = decision.args === undefined ? JSON.parse(argsText) : decision.args;
  const askedText = readArgsText(inquiry, at);
  const asked = { whole: leaves(askedText), shown: leaves(withoutNamed(action.name, action.args, askedText)) };
  const edited = { whole: leaves(argsText), shown: leaves(withoutNamed(action.name, args, argsText)) };
  const changed: ArgChange[] = [];
  const same: ArgChange[] = [];
  for (const name of new Set([...asked.whole.keys(), ...edited.whole.keys()])) {
    const [before, after] = [asked, edited].map(({ whole, shown }) =>
      whole.has(name) ? withoutSecret(name, shown.get(name)) : undefined,
    );
    if (asked.whole.get(name) === edited.whole.get(name)) same.push({ name, after: after ?? '' });
    else changed.push({ name, ...narrowed(before, after) });
  }
  return { action: { ...action, args }, argsText, changed, same };
}

// What a name or the value itself tells to be a secret.
function withoutSecret(name: string, value = MASK): string {
  const begin = `${name}: `;
  const told = withoutSecrets(begin + value);
  return told.startsWith(begin) ? told.slice(begin.length) : MASK;
}

/** Each value that holds no others, by the names it stands under, or what these are called. */
export function leaves(text: string, nameOf = (path: string[]): string => path.join('.')): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (value: Exact, path: string[]): void => {
    const members: [string, Exact][] =
      value.kind === 'object'
        ? value.members
        : value.kind === 'array'
          ? value.items.map((item, at) => [String(at + 1), item])
          : [];
    for (const [name, one] of members) walk(one, [...path, name]);
    if (members.length > 0) return;
    const empty = { object: '{}', array: '[]' } as const;
    const said = value.kind === 'string' ? clear(value.text) : value.kind === 'other' ? value.text : empty[value.kind];
    // Members that are called the same are all shown.
    let name = nameOf(path);
    while (found.has(name)) name += ' ';
    found.set(name, said);
  };
  const args = readExact(text);
  if (args) walk(args, []);
  return found;
}

// Of two long texts only the part that differs, with a little around it.
function narrowed(before?: string, after?: string): Pick<ArgChange, 'before' | 'after'> {
  if (before === undefined) return { after: after ?? '' };
  if (after === undefined) return { before };
  if (before.length <= LONG && after.length <= LONG) return { before, after };
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const [from, left] = [Math.max(0, head - AROUND), Math.max(0, tail - AROUND)];
  const part = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, text.length - left)}${left > 0 ? '…' : ''}`;
  return { before: part(before), after: part(after) };
}
