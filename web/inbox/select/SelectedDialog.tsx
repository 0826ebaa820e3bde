import { readArgsText } from '../../live/inquiries.ts';
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { isUntitled } from '#shared/call-name/name.ts';
import type { Resolution } from '#shared/answer.ts';
import { hasLeft, noteArrival, takesPress, useFresh } from '../../inquiry/view/presses.ts';
import { entries } from '../../live/store.ts';
import { Boundary } from '../../ui/Boundary.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { argumentLines } from '../../inquiry/calls/arguments.ts';
import { readCommand } from '../../inquiry/calls/command.ts';
import { readExact } from '../../inquiry/calls/exact.ts';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { now } from '../../ui/clock.ts';
import { undrawnText } from '../../inquiry/view/undrawn.ts';
import { Called, Title } from '../../inquiry/view/Title.tsx';
import { destroys } from '../destroys.ts';
import { inboxWords } from '../words.ts';
import { decideTogether, type Outcome } from './decide.ts';
import type { Verdict } from './like.ts';
import { useSeen } from './useSeen.ts';
import { selectWords } from './words.ts';

type SelectedDialogProps = {
  inquiries: readonly Inquiry[];
  verdict: Verdict;
  titleOf?: (count: number) => string;
  /** What of the same run is not in it, and why. */
  notIn?: string | undefined;
  /** What closes it, where that is not called "Cancel". */
  cancel?: string;
  onClose: () => void;
  onDone: () => void;
};

/**
 * Shows each selected call whole before they are decided together. What is decided is what stands here: what arrives
 * meanwhile is not added, what was answered elsewhere is taken out, and what was not seen whole is not approved with the
 * rest and stays open.
 */
export function SelectedDialog({ inquiries, verdict, titleOf, notIn, cancel, onClose, onDone }: SelectedDialogProps) {
  const words = selectWords();
  const list = useRef<HTMLOListElement>(null);
  const fresh = useFresh();
  // Its button may stand where the one was that brought it.
  useMemo(() => noteArrival(), []);
  const out = useSignal<ReadonlySet<string>>(new Set());
  const state = useSignal<'asking' | 'sending' | Outcome>('asking');
  const open = new Set(entries.value.filter(({ resolution }) => !resolution).map(({ inquiry }) => inquiry.id));
  const listed = inquiries.filter(({ id }) => !out.value.has(id));
  const live = listed.filter(({ id }) => open.has(id));
  const ids = useMemo(() => live.map(({ id }) => id), [live.map(({ id }) => id).join()]);
  const { unseen, show } = useSeen(list, ids);
  if (typeof state.value === 'object') return <Lost outcome={state.value} verdict={verdict} onClose={onDone} />;
  const decided = verdict === 'approve' ? live.filter(({ id }) => !unseen.includes(id)) : live;
  const left = live.length - decided.length;
  const waits = decided.length === 0 && left > 0;
  const send = async () => {
    if (state.value !== 'asking' || live.length === 0) return;
    if (waits) return show();
    if (!takesPress() || fresh.value) return;
    state.value = 'sending';
    const outcome = await decideTogether(decided, verdict);
    if (outcome.lost.length === 0) onDone();
    else state.value = outcome;
  };
  const leaveOut = (id: string) => {
    out.value = new Set(out.value).add(id);
    if (listed.length === 1) onClose();
  };
  return (
    <Dialog title={(titleOf ?? words.title[verdict])(live.length)} onClose={onClose} tall onEnter={() => void send()}>
      <p class="hint">
        {aboutAll(inquiries)}
        {words.gets[verdict]} {notIn}
      </p>
      <ol ref={list} tabIndex={0} aria-label={words.selection}>
        {listed.map((inquiry, at) => (
          <Boundary
            key={inquiry.id}
            of={inquiry}
            otherwise={<Undrawn inquiry={inquiry} at={at} onLeaveOut={() => leaveOut(inquiry.id)} />}
          >
            <Call inquiry={inquiry} at={at} gone={!open.has(inquiry.id)} onLeaveOut={() => leaveOut(inquiry.id)} />
          </Boundary>
        ))}
      </ol>
      {left > 0 && (
        <button type="button" class="below" onClick={show}>
          <span>{words.below(left)}</span>
        </button>
      )}
      <div class="bar-do">
        <Button look="line" onPress={onClose}>
          {cancel ?? words.cancel}
        </Button>
        <Button onPress={() => void send()} waits={waits || !hasLeft()} {...(waits ? { small: words.seeEnd } : {})}>
          {state.value === 'sending' ? words.sending : words.act[verdict](decided.length || live.length)}
        </Button>
      </div>
    </Dialog>
  );
}

// What all of them have in common.
function aboutAll(inquiries: readonly Inquiry[]): string {
  const common = (read: (inquiry: Inquiry) => string | undefined) => {
    const [only, more] = new Set(inquiries.map(read));
    return more === undefined && only ? visible(only) : '';
  };
  const tool = common(({ actions }) => actions?.[0]?.name);
  const folder = common(({ context }) => context?.cwd);
  const of = [tool, common(({ source }) => source.name), common(({ context }) => context?.runId)].filter(Boolean);
  if (of.length === 0) return '';
  return of.join(', ') + (folder ? selectWords().inFolder(folder) : '. ');
}

type CallProps = { inquiry: Inquiry; at: number; gone: boolean; onLeaveOut: () => void };

/** One call of a selection, shown whole: all of it runs when it is approved. */
function Call({ inquiry, at, gone, onLeaveOut }: CallProps) {
  const words = selectWords();
  const [action] = inquiry.actions ?? [];
  const argsText = readArgsText(inquiry, 0);
  const args = useMemo(() => readExact(argsText), [argsText]);
  if (!action) return <Question {...{ inquiry, at, gone, onLeaveOut }} />;
  const shell = readCommand(action, args);
  const rest = shell
    ? shell.rest.members.length > 0
      ? argumentLines(shell.rest)
      : ''
    : args
      ? argumentLines(args)
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
          {destroys(action) && <b class="tag">{inboxWords().stakes.destructive}</b>}{' '}
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

/** What cannot be drawn, as plain text: it is read to its end like any other. */
function Undrawn({ inquiry, at, onLeaveOut }: Omit<CallProps, 'gone'>) {
  return (
    <li data-call={inquiry.id}>
      <code class="call-code">{visible(`${inquiry.title}\n${undrawnText(inquiry)}`, true)}</code>
      <IconButton name="close" label={selectWords().leaveOut(at + 1)} onPress={onLeaveOut} />
    </li>
  );
}

/** One question of a selection: what is asked, and by whom. */
function Question({ inquiry, at, gone, onLeaveOut }: CallProps) {
  const words = selectWords();
  const { title, prompt, source } = inquiry;
  return (
    <li data-call={inquiry.id} class={gone ? 'is-gone' : undefined}>
      <div>
        <b dir="auto">
          <Title inquiry={inquiry} />
        </b>
        {prompt && prompt.trim() !== title && (
          <p dir="auto">
            <UntrustedText text={prompt} />
          </p>
        )}
        <small>{gone ? words.gone : visible(source.name)}</small>
      </div>
      <IconButton name="close" label={words.leaveOut(at + 1)} onPress={onLeaveOut} />
    </li>
  );
}

/** Says which of the answers came second, and who was first. */
function Lost({ outcome, verdict, onClose }: { outcome: Outcome; verdict: Verdict; onClose: () => void }) {
  const words = selectWords();
  const { won, queued, lost } = outcome;
  const title = [won > 0 ? words.done[verdict](won) : '', queued > 0 ? words.queued(queued) : '']
    .filter(Boolean)
    .join(' ');
  return (
    <Dialog title={title || words.lost(lost.length)} onClose={onClose} tall>
      {title !== '' && <p role="status">{words.lost(lost.length)}</p>}
      <ol>
        {lost.map(({ inquiry, resolution }) => (
          <li key={inquiry.id}>
            <div>
              <a class="link" href={`/i/${inquiry.id}`}>
                <Title inquiry={inquiry} />
              </a>
              <Called inquiry={inquiry} />
              <small>{resolution ? whoWas(resolution) : words.refused}</small>
            </div>
          </li>
        ))}
      </ol>
      <div class="bar-do">
        <Button onPress={onClose}>{words.ok}</Button>
      </div>
    </Dialog>
  );
}

function whoWas({ outcome, by }: Resolution): string {
  const words = selectWords();
  return by.kind === 'person' ? words.answeredBy(visible(by.handle), visible(by.device.name)) : words.resolved[outcome];
}
