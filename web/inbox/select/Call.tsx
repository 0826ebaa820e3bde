import { useMemo } from 'preact/hooks';
import { isUntitled } from '#shared/call-name/name.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { readCommand } from '../../inquiry/calls/command.ts';
import { readExact, writeExact } from '../../inquiry/calls/exact.ts';
import { readArgsText } from '../../inquiry/reply/state.ts';
import { IconButton } from '../../ui/Button.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { now } from '../../ui/clock.ts';
import { inboxWords } from '../words.ts';
import { selectWords } from './words.ts';

type CallProps = { inquiry: Inquiry; at: number; gone: boolean; onLeaveOut: () => void };

/** One call of a selection, shown whole: all of it runs when it is approved. */
export function Call({ inquiry, at, gone, onLeaveOut }: CallProps) {
  const words = selectWords();
  const [action] = inquiry.actions ?? [];
  const argsText = readArgsText(inquiry, 0);
  const args = useMemo(() => readExact(argsText), [argsText]);
  if (!action) return null;
  const shell = readCommand(action, args);
  const rest = shell
    ? shell.rest.members.length > 0
      ? writeExact(shell.rest)
      : ''
    : args
      ? writeExact(args)
      : argsText;
  // All that its sender said of it: the digest of the answer covers it.
  const said = [isUntitled(inquiry) ? undefined : inquiry.title, inquiry.prompt, action.description];
  const claim = [...new Set(said.map((text) => text?.trim()))].filter(Boolean).join('\n');
  return (
    <li data-call={inquiry.id} class={gone ? 'is-gone' : undefined}>
      <div>
        <code class="call-code">
          <b>
            <UntrustedText exact text={shell ? shell.command : action.name} />
          </b>
          {rest !== '' && (
            <span>
              {'\n'}
              <UntrustedText exact text={rest} />
            </span>
          )}
        </code>
        <small>
          {gone ? words.gone : inboxWords().by(Date.parse(inquiry.deadlineAt), now.value)}
          {claim && (
            <>
              . “<UntrustedText text={claim} />”
            </>
          )}
        </small>
      </div>
      <IconButton name="close" label={words.leaveOut(at + 1)} onPress={onLeaveOut} />
    </li>
  );
}
