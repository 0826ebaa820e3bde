import { useMemo } from 'preact/hooks';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import { Theirs } from '../../ui/Theirs.tsx';
import { argsTextOf } from '../reply/state.ts';
import { dialogWords } from '../words.ts';
import { CopyButton } from './CopyButton.tsx';
import { commandOf, segmentsOf } from './command.ts';
import { Diff } from './Diff.tsx';
import { type Exact, readExact, writeExact } from './exact.ts';
import { ledgerOf } from './ledger.ts';

/** Everything one call would do, shown exactly and whole: a command, arguments as lines, and its patches. */
export function Slips({ inquiry, at }: { inquiry: Inquiry; at: number }) {
  const action = inquiry.actions?.[at];
  const argsText = argsTextOf(inquiry, at);
  const args = useMemo(() => readExact(argsText), [argsText]);
  if (!action) return null;
  const told = args === undefined || !isEmpty(args) || !action.diff?.length;
  return (
    <>
      {told && <Arguments action={action} args={args} argsText={argsText} folder={inquiry.context?.cwd} />}
      {(action.diff ?? []).map((diff) => (
        <Diff key={diff.path} {...diff} />
      ))}
    </>
  );
}

function isEmpty(args: Exact): boolean {
  return args.kind === 'object' && args.members.length === 0;
}

function Arguments({
  action,
  args,
  argsText,
  folder,
}: {
  action: Action;
  args: Exact | undefined;
  argsText: string;
  folder: string | undefined;
}) {
  const words = dialogWords();
  const shell = commandOf(action, args);
  if (shell) {
    return (
      <figure class="slip">
        <figcaption>
          <span>
            <code>
              <Theirs text={action.name} />
            </code>
            {folder && <Theirs text={words.call.inFolder(folder)} />}
          </span>
          <CopyButton text={shell.command} />
        </figcaption>
        <Command command={shell.command} />
        {shell.rest.members.length > 0 && <Ledger args={shell.rest} />}
      </figure>
    );
  }
  const lines = args && (args.kind === 'object' || args.kind === 'array') ? ledgerOf(args) : undefined;
  return (
    <figure class="slip">
      <figcaption>
        <code>
          <Theirs text={action.name} />
        </code>
        <CopyButton text={argsText} />
      </figcaption>
      {args && lines && lines.length > 0 ? (
        <Ledger args={args} />
      ) : lines ? (
        <p class="whole">{words.call.noArgs}</p>
      ) : (
        <Json args={args} argsText={argsText} />
      )}
    </figure>
  );
}

function Json({ args, argsText }: { args: Exact | undefined; argsText: string }) {
  return (
    <pre tabIndex={-1}>
      <code>
        <Theirs text={args ? writeExact(args) : argsText} />
      </code>
    </pre>
  );
}

function Command({ command }: { command: string }) {
  const segments = useMemo(() => segmentsOf(command), [command]);
  if (!segments) {
    return (
      <pre>
        <code>
          <Theirs text={command} />
        </code>
      </pre>
    );
  }
  return (
    <pre>
      <code class="cmd">
        {segments.map(({ lead, words }, at) => (
          <span key={at} data-lead={lead}>
            {words.map((word, place) => (
              <>
                <i key={place}>{place === 0 ? <b>{<Theirs text={word} />}</b> : <Theirs text={word} />}</i>{' '}
              </>
            ))}
          </span>
        ))}
      </code>
    </pre>
  );
}

function Ledger({ args }: { args: Exact }) {
  const words = dialogWords();
  return (
    <table class="ledger">
      <tbody>
        {ledgerOf(args).map(({ name, depth, text, entries }, at) => (
          <tr key={at} class={depth > 0 ? 'in' : undefined} style={depth > 1 ? { '--depth': depth } : undefined}>
            <th scope="row">
              <Theirs text={name} />
            </th>
            <td>
              {text === undefined ? (
                <span class="dim">{words.call.entries(entries ?? 0)}</span>
              ) : (
                <Theirs text={text} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
