import { readArgsText } from '../../live/inquiries.ts';
import { useSignal } from '@preact/signals';
import { ownChoices } from '#shared/fit.ts';
import type { Action, ActionOption } from '#shared/inquiry.ts';
import { me } from '../../live/session.ts';
import { offersAlways } from '../../policies/always/extents.ts';
import { ruleWords } from '../../policies/words.ts';
import { SEND_KEYS } from '../../ui/keys.ts';
import { Button, Quiet } from '../../ui/Button.tsx';
import { decide, plainChoices, remembers, sayOption } from '../calls/deciding.ts';
import { readExact, writeExact } from '../calls/exact.ts';
import { CallCard } from '../calls/CallCard.tsx';
import { readHeadline } from '../view/headline.ts';
import { undoTime } from '../reply/useReply.ts';
import { Below, sayAfter } from '../calls/Below.tsx';
import { Bar } from '../view/Bar.tsx';
import { Margin, Note } from '../view/Note.tsx';
import { useKeys } from '../view/keys.ts';
import { unable } from '../../passkeys/unable.ts';
import { sayYes } from '../../hands/HandsList.tsx';
import { callWords } from '../calls/words.ts';
import { dialogWords } from '../words.ts';
import { type CallProps, firstMode, type Mode, WriteToCall } from './WriteToCall.tsx';

/** An inquiry that asks to run one call: approve, reject with a reason, edit its arguments, or write back in its place. */
export function OneCall(props: CallProps) {
  const { inquiry, answering, sight, elsewhere } = props;
  const action = inquiry.actions?.[0];
  const call = answering.reply.calls[0];
  const mode = useSignal<Mode>(firstMode(action, call));
  if (!action || !call) return null;
  const { ask, prose } = readHeadline(inquiry);
  const turn = (to: Mode) => {
    if (to === 'edit' && call.argsText === readArgsText(inquiry, 0)) {
      const exact = readExact(call.argsText);
      if (exact) answering.change((before) => decide(before, 0, { type: 'edit' }, { argsText: writeExact(exact) }));
    }
    answering.showFaults(false);
    mode.value = to;
  };
  return (
    <>
      <Note inquiry={inquiry} ask={ask} prose={mode.value === 'answer' || action.caution ? prose : ''} folds>
        {elsewhere}
        {action.caution && <Warning />}
        <CallCard {...{ inquiry, sight }} at={0} />
      </Note>
      <Margin inquiry={inquiry} />
      {mode.value === 'answer' ? (
        <Decide {...props} action={action} onTurn={turn} />
      ) : (
        <WriteToCall {...props} call={call} mode={mode.value} onBack={() => turn('answer')} />
      )}
    </>
  );
}

type DecideProps = CallProps & { action: Action; onTurn: (mode: Mode) => void };

function Decide(props: DecideProps) {
  const { answering, action, sight, extension, proposed, onTurn, decline, onMore, onEscape, onHelp } = props;
  const words = dialogWords();
  const may = (type: Action['allowed'][number]) =>
    action.allowed.includes(type) && ownChoices(action, type).length === 0;
  const choices = plainChoices(action);
  const approving = pickApproving(props.inquiry, choices);
  const rejecting = choices.find(({ type }) => type === 'reject');
  const armed = !sight.waits && sight.armed < 1 ? sight.armed : undefined;
  const send = (type: 'approve' | 'reject', option?: ActionOption) => () =>
    void answering.send((before) => decide(before, 0, { type, ...(option ? { optionId: option.id } : {}) }));
  // A reason can be added afterwards, where there is a moment for it.
  const reject = () => (undoTime(props.inquiry) ? send('reject')() : onTurn('reject'));
  const refuse = may('reject') ? reject : rejecting ? send('reject', rejecting) : decline.press;
  const approve = may('approve') || approving ? send('approve', approving) : undefined;
  const say = approving ? sayOption(action, approving) : words.call.approve;
  // Where a reply may be written instead, a letter is its first.
  const replies = may('respond');
  useKeys({
    ...(replies
      ? { write: () => onTurn('respond'), ...(approve ? { command: approve } : {}) }
      : { n: refuse, ...(approve ? { y: approve } : {}), ...(may('edit') ? { e: () => onTurn('edit') } : {}) }),
    escape: onEscape,
    help: onHelp,
  });
  const also = [
    extension,
    may('edit') && <Quiet onPress={() => onTurn('edit')}>{words.call.edit}</Quiet>,
    // Alone it would take a row from the call; the menu has it always.
    (may('edit') || replies) && offersAlways(props.inquiry, me.value?.person.handle) && (
      <Quiet optional onPress={() => (props.always.value = true)} children={ruleWords().alwaysMore} />
    ),
    replies && <Quiet onPress={() => onTurn('respond')}>{words.call.respond}</Quiet>,
  ];
  const after = sayAfter(sight, action);
  return (
    <>
      {proposed}
      <Bar onMore={onMore} problem={answering.problem} also={also} below={<Below sight={sight} />}>
        {!rejecting && (
          <Button look="line" onPress={refuse} cap={replies ? undefined : 'n'}>
            {may('reject') ? words.call.reject : decline.say}
          </Button>
        )}
        {choices
          .filter((option) => option !== approving)
          .toSorted((a, b) => (a.type === b.type ? 0 : a.type === 'reject' ? -1 : 1))
          .map((option) => (
            <OwnChoice
              key={option.id}
              option={option}
              say={sayOption(action, option)}
              armed={armed}
              after={after}
              onPress={send(option.type, option)}
              cap={option === rejecting && !replies ? 'n' : undefined}
            />
          ))}
        {approve && (
          <Button
            onPress={approve}
            waits={answering.busy || sight.waits || runsNothing(props.inquiry)}
            armed={armed}
            small={after ?? (approving && remembers(approving)) ?? sayYes(props.inquiry)}
            cap={replies ? SEND_KEYS : 'y'}
          >
            {armed === undefined ? say : callWords().readFirst(sight.secondsLeft)}
          </Button>
        )}
      </Bar>
    </>
  );
}

// Where somebody has approved it with one of the sender's own buttons, that one counts together with theirs.
function pickApproving({ standing: [one] = [] }: CallProps['inquiry'], choices: ActionOption[]) {
  const theirs = one?.type === 'approve' ? choices.find(({ id }) => id === one.optionId) : undefined;
  return theirs ?? choices.find(({ type }) => type === 'approve');
}

// Nobody waits for it, or a yes cannot be signed here.
function runsNothing({ id, askerGoneAt }: CallProps['inquiry']): boolean {
  return askerGoneAt !== undefined || unable.value === id;
}

type OwnChoiceProps = {
  option: ActionOption;
  say: string;
  armed: number | undefined;
  after: string | undefined;
  onPress: () => void;
  cap: string | undefined;
};

/** One of the sender's own buttons. */
function OwnChoice({ option, say, armed, after, onPress, cap }: OwnChoiceProps) {
  const approves = option.type === 'approve';
  return (
    <Button
      look="line"
      onPress={onPress}
      waits={approves && after !== undefined}
      armed={approves ? armed : undefined}
      small={(approves ? after : undefined) ?? remembers(option)}
      cap={cap}
    >
      {say}
    </Button>
  );
}

/** The ruled warning over a call that cannot be taken back. */
export function Warning() {
  const words = dialogWords();
  return (
    <p class="warn">
      <span>
        <b>{words.call.caution}</b>
        {callWords().cautionMore}
      </span>
    </p>
  );
}
