import { useSignal } from '@preact/signals';
import type { Action, ActionOption } from '#shared/inquiry.ts';
import { Quiet, Slab } from '../../ui/Slab.tsx';
import { visible } from '../../ui/theirs.ts';
import { decide } from '../calls/deciding.ts';
import { readExact, writeExact } from '../calls/exact.ts';
import { Slips } from '../calls/Slip.tsx';
import { type Arming, useArming } from '../calls/useArming.ts';
import { headlineOf, isBareCall } from '../headline.ts';
import { argsTextOf } from '../reply/state.ts';
import { Bar } from '../sheet/Bar.tsx';
import { Margin } from '../sheet/Facts.tsx';
import { Note } from '../sheet/Note.tsx';
import { useKeys } from '../useKeys.ts';
import { dialogWords } from '../words.ts';
import { firstMode, type Mode } from './call-mode.ts';
import type { KindProps } from './kind.ts';
import { Refused } from './Refused.tsx';
import { Warning } from './Warning.tsx';
import { WriteToCall } from './WriteToCall.tsx';

/** A letter that asks to run one call: approve, reject with a reason, edit its arguments, or write back in its place. */
export function OneCall(props: KindProps) {
  const { inquiry, answering, elsewhere } = props;
  const words = dialogWords();
  const action = inquiry.actions?.[0];
  const call = answering.reply.calls[0];
  const mode = useSignal<Mode>(firstMode(action, call));
  const arming = useArming(action?.caution === true);
  if (!action || !call) return null;
  const { ask, prose } = headlineOf(inquiry);
  const turn = (to: Mode) => {
    if (to === 'edit' && call.argsText === argsTextOf(inquiry, 0)) {
      const exact = readExact(call.argsText);
      if (exact) answering.change((before) => decide(before, 0, { type: 'edit' }, { argsText: writeExact(exact) }));
    }
    answering.showFaults(false);
    mode.value = to;
  };
  return (
    <>
      <Note
        inquiry={inquiry}
        ask={isBareCall(inquiry) ? words.call.mayI(action.name) : ask}
        prose={mode.value === 'answer' ? prose : ''}
      >
        {elsewhere}
        {action.caution && <Warning />}
        <Slips inquiry={inquiry} at={0} />
      </Note>
      <Margin inquiry={inquiry} />
      {mode.value === 'answer' ? (
        <Decide {...props} action={action} arming={arming} onTurn={turn} />
      ) : (
        <WriteToCall {...props} call={call} mode={mode.value} arming={arming} onBack={() => turn('answer')} />
      )}
      <span ref={arming.end} />
    </>
  );
}

type DecideProps = KindProps & { action: Action; arming: Arming; onTurn: (mode: Mode) => void };

function Decide(props: DecideProps) {
  const { answering, action, arming, extension, onTurn, onDecline, onMore, onEscape, onHelp } = props;
  const words = dialogWords();
  const may = (type: Action['allowed'][number]) =>
    action.allowed.includes(type) && !(action.options && (type === 'approve' || type === 'reject'));
  const choices = action.options ?? [];
  const approving = choices.find(({ type }) => type === 'approve');
  const rejecting = choices.find(({ type }) => type === 'reject');
  const armed = arming.armed < 1 ? arming.armed : undefined;
  const send = (type: 'approve' | 'reject', option?: ActionOption) => () => {
    if (type === 'approve' && armed !== undefined) return;
    answering.send((before) => decide(before, 0, { type, ...(option ? { optionId: option.id } : {}) }));
  };
  const refuse = may('reject') ? () => onTurn('reject') : rejecting ? send('reject', rejecting) : onDecline;
  useKeys({
    ...(may('approve') || approving ? { y: send('approve', approving) } : {}),
    ...(may('edit') ? { e: () => onTurn('edit') } : {}),
    n: refuse,
    escape: onEscape,
    help: onHelp,
  });
  const also = [
    extension,
    may('edit') && <Quiet onPress={() => onTurn('edit')}>{words.call.edit}</Quiet>,
    may('respond') && <Quiet onPress={() => onTurn('respond')}>{words.call.respond}</Quiet>,
  ];
  const readFirst = arming.seenEnd ? words.call.readFirst(arming.secondsLeft) : words.call.readOn;
  return (
    <>
      <Refused problem={answering.problem} />
      <Bar onMore={onMore} also={also.some(Boolean) && also}>
        {!rejecting && (
          <Slab look="line" onPress={refuse} cap="n">
            {may('reject') ? words.call.reject : words.decline}
          </Slab>
        )}
        {choices
          .filter((option) => option !== approving)
          .toSorted((a, b) => (a.type === b.type ? 0 : a.type === 'reject' ? -1 : 1))
          .map((option) => (
            <OwnChoice
              key={option.id}
              option={option}
              armed={armed}
              onPress={send(option.type, option)}
              cap={option === rejecting ? 'n' : undefined}
            />
          ))}
        {(approving || may('approve')) && (
          <Slab
            onPress={send('approve', approving)}
            waits={answering.busy}
            armed={armed}
            small={approving && remembers(approving)}
            cap="y"
          >
            {armed === undefined ? (approving ? visible(approving.label) : words.call.approve) : readFirst}
          </Slab>
        )}
      </Bar>
    </>
  );
}

type OwnChoiceProps = { option: ActionOption; armed: number | undefined; onPress: () => void; cap: string | undefined };

/** One of the sender's own buttons. */
function OwnChoice({ option, armed, onPress, cap }: OwnChoiceProps) {
  return (
    <Slab
      look="line"
      onPress={onPress}
      armed={option.type === 'approve' ? armed : undefined}
      small={remembers(option)}
      cap={cap}
    >
      {visible(option.label)}
    </Slab>
  );
}

function remembers({ remember }: ActionOption): string | undefined {
  return remember === undefined ? undefined : dialogWords().call.remembers(visible(remember));
}
