import { readArgsText } from '../../live/inquiries.ts';
import { useMemo } from 'preact/hooks';
import { destructiveLine } from '#shared/call-name/destructive-line.ts';
import { isDestructive } from '#shared/call-name/destructive.ts';
import { callName } from '#shared/call-name/name.ts';
import { cutMiddle, cutName, type NamePart, plainName } from '#shared/call-name/parts.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import { Folded } from '../../ui/Folded.tsx';
import { type Language, language } from '../../ui/language.ts';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { firstLine, withoutFirstLine } from '../view/headline.ts';
import { FoldedProse, Prose } from '../view/Prose.tsx';
import { isCautious } from '../reply/state.ts';
import { Name } from '../view/Title.tsx';
import { dialogWords } from '../words.ts';
import { showsArgs } from './on-screen.ts';
import type { Sight } from './useSight.ts';
import { seenWords } from './Below.tsx';
import { CopyButton } from './CopyButton.tsx';
import { readCommand, splitSegments } from './command.ts';
import { Files } from './Diff.tsx';
import { type Exact, readExact } from './exact.ts';
import { ArgumentsTable, PlainArguments } from './ArgumentsTable.tsx';
import { Code } from './Code.tsx';
import { listStretches } from './stretches.ts';

const SAID_MAX = 60;
/** A longer name keeps both its ends in three lines of a phone; its arguments stand below it. */
const HEAD_MAX = 64;
const FLAGGED_MAX = 80;

type CallCardProps = { inquiry: Inquiry; at: number; sight: Pick<Sight, 'isSeen'> };

/**
 * Everything one call would do, shown exactly and whole: a command, arguments as lines, and its patches. `said`: the
 * heading shows all of the arguments, and they are not repeated.
 */
export function CallCard({ inquiry, at, sight, said = false }: CallCardProps & { said?: boolean }) {
  const action = inquiry.actions?.[at];
  const argsText = readArgsText(inquiry, at);
  const args = useMemo(() => readExact(argsText), [argsText]);
  const destructive = useMemo(() => action && isDestructive(action), [action]);
  const flagged = useMemo(() => {
    const command = destructive && action ? readCommand(action, args)?.command : undefined;
    return command?.includes('\n') ? destructiveLine(command) : undefined;
  }, [action, args, destructive]);
  if (!action) return null;
  return (
    <>
      {destructive && (
        <p class="call-risk">
          {dialogWords().call.destructive}
          {flagged && (
            <span>
              {seenWords().atLine(flagged.place)}
              <code>
                <UntrustedText exact text={cutMiddle(flagged.line, FLAGGED_MAX)} />
              </code>
            </span>
          )}
        </p>
      )}
      {showsArgs(action, argsText) && !said ? (
        <Arguments at={at} action={action} args={args} argsText={argsText} folder={inquiry.context?.cwd} />
      ) : (
        <p class="call-card call-card--name" data-part={`${at}.name`}>
          <code>
            <UntrustedText exact text={action.name} />
          </code>
        </p>
      )}
      <Files at={at} diff={action.diff} isSeen={sight.isSeen} />
    </>
  );
}

/** What a call is called, and whether that says all that it would do in one line, so that nothing else of it need be shown. */
export function readName(
  inquiry: Inquiry,
  at: number,
  spoken: Language,
): { parts: NamePart[]; said: boolean } | undefined {
  const action = inquiry.actions?.[at];
  if (!action) return undefined;
  const { parts, exact } = callName(action, spoken, inquiry.argsText?.[at]);
  // A longer name may be folded, and then the arguments below show what it hides; what stands here alone never is.
  const said = exact && !action.description && !action.diff?.length && plainName(parts, 1000).length <= SAID_MAX;
  return { parts, said };
}

/** One of several calls, numbered and shown whole. */
export function NumberedCall({ inquiry, at, sight }: CallCardProps) {
  const words = dialogWords();
  const action = inquiry.actions?.[at];
  const spoken = language.value;
  const name = useMemo(() => action && readName(inquiry, at, spoken), [action, spoken]);
  if (!action || !name) return null;
  const { parts, said } = name;
  const whole = isCautious(inquiry);
  const rest = withoutFirstLine(action.description ?? '');
  const Head = said || whole ? 'h2' : Folded;
  return (
    <>
      <Head class="call-say" {...(Head === Folded ? { as: 'h2' } : {})}>
        <span class="num">{at + 1}</span>
        {action.description ? (
          <span data-part={whole && rest === '' ? `${at}.prose` : undefined}>
            <UntrustedText text={firstLine(action.description)} />
          </span>
        ) : (
          <span data-part={said ? `${at}.args` : undefined}>
            <Name parts={said ? parts : cutName(parts, HEAD_MAX)} />
          </span>
        )}
      </Head>
      {action.caution && <p class="call-caution">{words.call.caution}</p>}
      {rest !== '' &&
        (whole ? (
          <div data-part={`${at}.prose`}>
            <Prose text={rest} />
          </div>
        ) : (
          <FoldedProse text={rest} />
        ))}
      <CallCard {...{ inquiry, at, sight, said }} />
    </>
  );
}

function Arguments({
  at,
  action,
  args,
  argsText,
  folder,
}: {
  at: number;
  action: Action;
  args: Exact | undefined;
  argsText: string;
  folder: string | undefined;
}) {
  const words = dialogWords();
  // What cannot be taken back is approved only after it was read, so nothing of it is folded.
  const whole = action.caution === true;
  const patches = !action.diff?.length;
  const shell = readCommand(action, args);
  const stretches = useMemo(() => listStretches(action, args), [action, args]);
  return (
    <figure class="call-card">
      <figcaption data-part={`${at}.name`}>
        <span>
          <code>
            <UntrustedText exact text={action.name} />
          </code>
          {shell && folder && <UntrustedText text={words.call.inFolder(folder)} />}
        </span>
        <CopyButton text={shell?.command ?? argsText} />
      </figcaption>
      {stretches.length > 1 ? (
        <ArgumentsTable stretches={stretches} parts={`${at}.`} {...{ whole, patches }} />
      ) : (
        <div data-part={`${at}.args`}>
          {shell ? (
            <>
              <Command command={shell.command} whole={whole} />
              {shell.rest.members.length > 0 && <PlainArguments args={shell.rest} {...{ argsText, whole, patches }} />}
            </>
          ) : (
            <PlainArguments {...{ args, argsText, whole, patches }} />
          )}
        </div>
      )}
    </figure>
  );
}

function Command({ command, whole }: { command: string; whole: boolean }) {
  const segments = useMemo(() => splitSegments(command), [command]);
  if (!segments) return <Code text={command} language="bash" whole={whole} />;
  return (
    <pre>
      <code class="cmd">
        {segments.map(({ lead, words }, at) => (
          <span key={at} data-lead={lead}>
            {words.map((word, place) => (
              <>
                <i key={place}>
                  {place === 0 ? <b>{<UntrustedText exact text={word} />}</b> : <UntrustedText exact text={word} />}
                </i>{' '}
              </>
            ))}
          </span>
        ))}
      </code>
    </pre>
  );
}
