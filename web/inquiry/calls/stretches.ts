import { doingOf, isQuiet, PATCHES } from '#shared/call-name/doing.ts';
import { patchedBy } from '#shared/call-name/patch.ts';
import { membersOf, toolOf } from '#shared/call-name/tool.ts';
import type { Action } from '#shared/inquiry.ts';
import { type ArgumentRow, argumentRows, CONTENTS } from './arguments.ts';
import { readCommand } from './command.ts';
import type { Exact } from './exact.ts';
import { isPatch } from './patch.ts';

/** A table of more rows is shown as text: each row is several elements. */
export const ROWS_MAX = 1000;

/** One stretch of a call's arguments: rows that say what it does, or one text that it puts into a file. */
export type Stretch = { id: string } & ({ kind: 'args'; rows: ArgumentRow[] } | { kind: 'text'; row: ArgumentRow });

/**
 * The arguments in their order. Only a tool that is known to write files or to apply a patch has file texts apart; whatever
 * else a call is given is one stretch, which is read to its end.
 */
export function listStretches(action: Pick<Action, 'name' | 'args'>, args: Exact | undefined): Stretch[] {
  const rows = args && !readCommand(action, args) ? argumentRows(args) : [];
  const isText = rows.length > ROWS_MAX ? () => false : textTest(action);
  const stretches: Stretch[] = [];
  let open: ArgumentRow[] = [];
  const close = () => {
    const place = stretches.filter(({ kind }) => kind === 'args').length;
    if (open.length > 0 || stretches.length === 0)
      stretches.push({ id: place === 0 ? 'args' : `args.${place}`, kind: 'args', rows: open });
    open = [];
  };
  for (const row of rows) {
    // Its own row, with its name and how long it is, belongs to what is read.
    open.push(row);
    if (!isText(row)) continue;
    close();
    stretches.push({ id: `text.${stretches.length}`, kind: 'text', row });
  }
  close();
  return stretches;
}

function textTest({ name, args }: Pick<Action, 'name' | 'args'>): (row: ArgumentRow) => boolean {
  const tool = toolOf(name);
  const members = membersOf(args);
  const doing = doingOf(tool, members);
  const writes = typeof doing === 'object' && doing.verb === 'write';
  const patches = doing !== 'unclear' && isQuiet(tool) && patchedBy(tool, members) !== undefined;
  return ({ name: member, depth, string }) =>
    string !== undefined &&
    ((writes && CONTENTS.test(member)) || (patches && depth === 0 && PATCHES.includes(member) && isPatch(string)));
}
