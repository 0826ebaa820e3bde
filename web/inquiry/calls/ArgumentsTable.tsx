import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { dialogWords } from '../words.ts';
import { Code } from './code/Code.tsx';
import { languageOfMember } from './code/language.ts';
import { Patch } from './diff/Patch.tsx';
import { isPatch } from './diff/patch.ts';
import type { Exact } from './exact.ts';
import { argumentRows, type ArgumentRow } from './argument-rows.ts';

type ArgumentsTableProps = {
  args: Exact;
  whole: boolean;
  /** A patch among them is drawn as one; not where the call's files are drawn below. */
  patches: boolean;
};

/** Arguments as a table: short ones beside their names, long ones below them with their size. */
export function ArgumentsTable({ args, whole, patches }: ArgumentsTableProps) {
  const rows = argumentRows(args);
  return (
    <table class="arguments">
      <tbody>
        {rows.map((row, at) => (
          <Row key={at} row={row} siblings={rows.filter(({ depth }) => depth === row.depth)} {...{ whole, patches }} />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = Omit<ArgumentsTableProps, 'args'> & { row: ArgumentRow; siblings: ArgumentRow[] };

function Row({ row, siblings, whole, patches }: RowProps) {
  const { name, depth, text, string, entries } = row;
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
      {string !== undefined && (
        <tr class="long">
          <td colSpan={2}>
            {patches && isPatch(string) ? (
              <Patch text={string} whole={whole} />
            ) : (
              <Code text={string} language={languageOfMember(name, string, siblings)} whole={whole} />
            )}
          </td>
        </tr>
      )}
    </>
  );
}
