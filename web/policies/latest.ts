import { signal } from '@preact/signals';
import { parseExact } from '#shared/json.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { keepStored, recall } from '../live/stored.ts';
import { serverNow } from '../ui/clock.ts';
import { type Listed, type Whose, writeList } from './lists.ts';

/** What was done to a rule. */
export type Change = 'added' | 'changed' | 'moved' | 'removed' | 'on' | 'off';
/** The last change of a list that this device made: it can be taken back while the list has this version. */
export type Latest = { version: number; what: Change; name: string; at: number; before: string };

/** The last change of each list, as far as this device knows. */
export const latest = signal<Partial<Record<Whose, Latest>>>({});

const KEY = 'rules-changed:';

/** Reads what this device did last to a list. */
export async function recallLatest(of: Whose): Promise<void> {
  const found = await recall<Latest>(KEY + of);
  if (found) latest.value = { ...latest.value, [of]: found };
}

/** Notes that this change of these rules made the list what it is in this version. */
export async function noteLatest(
  of: Whose,
  rules: Rule[],
  { version, what, name }: Pick<Latest, 'version' | 'what' | 'name'>,
): Promise<void> {
  // As text, so that every number stays as it is written.
  const noted = { version, what, name, at: serverNow(), before: JSON.stringify(rules) };
  latest.value = { ...latest.value, [of]: noted };
  await keepStored(KEY + of, noted);
}

/** Puts the rules back as they were; refused where the list was changed since. */
export async function undoLatest(of: Whose, { version, before }: Latest): Promise<Listed> {
  const reply = await writeList(of, { version, rules: parseExact(before) as Rule[] });
  latest.value = { ...latest.value, [of]: undefined };
  await keepStored(KEY + of, undefined);
  return reply;
}
