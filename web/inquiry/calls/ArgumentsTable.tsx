import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { dialogWords } from '../words.ts';
import { type ArgumentRow, argumentRows, languageOfMember } from './arguments.ts';
import { Code } from './Code.tsx';
import { PatchActs, PatchLines } from './Diff.tsx';
import { type Exact, writeExact } from './exact.ts';
import { isPatch } from './patch.ts';
import { ROWS_MAX, type Stretch } from './stretches.ts';

type Look = {
  whole: boolean;
  /** A patch among them is drawn as one; not where the call's files are drawn below. */
  patches: boolean;
};

/** Arguments that are one thing to look at: as a table, and as they came where that has no rows or too many. */
export function PlainArguments({ args, argsText, ...look }: Look & { args: Exact | undefined; argsText: string }) {
  const members = args?.kind === 'object' ? args.members : args?.kind === 'array' ? args.items : undefined;
  if (members?.length === 0) return <p class="whole">{dialogWords().call.noArgs}</p>;
  const rows = args ? argumentRows(args) : [];
  if (rows.length > 0 && rows.length <= ROWS_MAX)
    return <ArgumentsTable stretches={[{ id: 'args', kind: 'args', rows }]} {...look} />;
  return <Code text={args ? writeExact(args) : argsText} language="json" whole={look.whole} />;
}

type ArgumentsTableProps = Look & {
  stretches: readonly Stretch[];
  /** Before the id of each stretch, where each is a part of its own to look at. */
  parts?: string;
};

/** Arguments as a table: short ones beside their names, long ones below them with their size. */
export function ArgumentsTable({ stretches, parts, ...look }: ArgumentsTableProps) {
  const all = stretches.flatMap((one) => (one.kind === 'args' ? one.rows : []));
  const texts = new Set(stretches.flatMap((one) => (one.kind === 'text' ? [one.row] : [])));
  return (
    <table class="arguments">
      {stretches.map((one) => (
        <tbody key={one.id} data-part={parts === undefined ? undefined : parts + one.id}>
          {one.kind === 'text' ? (
            <Long row={one.row} all={all} apart {...look} />
          ) : (
            one.rows.map((row, at) => (
              <>
                <Row key={at} row={row} acts={look.patches && texts.has(row)} />
                {row.string !== undefined && !texts.has(row) && <Long row={row} all={all} {...look} />}
              </>
            ))
          )}
        </tbody>
      ))}
    </table>
  );
}

/** A name with its value, or with the size of one that stands below; `acts`: with what a patch does to which file. */
function Row({ row: { name, depth, text, string, entries }, acts }: { row: ArgumentRow; acts: boolean }) {
  const { call } = dialogWords();
  return (
    <>
      <tr class={depth > 0 ? 'in' : undefined} style={depth > 1 ? { '--depth': depth } : undefined}>
        <th scope="row">
          <bdi>
            <UntrustedText exact text={name} />
          </bdi>
        </th>
        <td>
          {text === undefined ? (
            <span class="dim">{call.entries(entries ?? 0)}</span>
          ) : string !== undefined ? (
            <span class="dim">{call.long(string.trimEnd().split('\n').length, string.length)}</span>
          ) : (
            <bdi>
              <UntrustedText exact text={text} />
            </bdi>
          )}
        </td>
      </tr>
      {acts && string !== undefined && isPatch(string) && (
        <tr class="long">
          <td colSpan={2}>
            <PatchActs text={string} />
          </td>
        </tr>
      )}
    </>
  );
}

type LongProps = Look & { row: ArgumentRow; all: readonly ArgumentRow[]; apart?: boolean };

/** A long text below its row; `apart`: what a patch does stands above it already. */
function Long({ row: { name, depth, string = '' }, all, apart, whole, patches }: LongProps) {
  const patch = patches && isPatch(string);
  const siblings = () => all.filter((one) => one.depth === depth);
  return (
    <tr class="long">
      <td colSpan={2}>
        {patch && !apart && <PatchActs text={string} />}
        {patch ? (
          <PatchLines text={string} whole={whole} />
        ) : (
          <Code text={string} language={languageOfMember(name, string, siblings())} whole={whole} />
        )}
      </td>
    </tr>
  );
}
