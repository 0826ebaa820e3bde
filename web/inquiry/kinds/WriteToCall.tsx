import { readArgsText } from '../../live/inquiries.ts';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Action } from '#shared/inquiry.ts';
import { ownChoices } from '#shared/fit.ts';
import { visible } from '#shared/visible.ts';
import { SEND_KEYS } from '../../ui/keys.ts';
import { Lines } from '../../ui/Lines.tsx';
import { Button } from '../../ui/Button.tsx';
import type { CallReply } from '../reply/state.ts';
import type { Sight } from '../calls/useSight.ts';
import { ArgsEditor } from '../calls/args/ArgsEditor.tsx';
import { argsFaults, isSameJson } from '../calls/args/fields.ts';
import { decide, putBack } from '../calls/deciding.ts';
import { Below, sayAfter } from '../calls/Below.tsx';
import { Bar, FaultHint } from '../view/Bar.tsx';
import { focusField, useKeys } from '../view/keys.ts';
import { callWords } from '../calls/words.ts';
import { dialogWords } from '../words.ts';
import type { KindProps } from './kind.ts';
import { me } from '../../live/session.ts';
import { readHands } from '../../hands/hands.ts';
import { sayAnew, sayYes } from '../../hands/HandsList.tsx';

/** What an inquiry of calls is given: `answering` sends no approval of what `sight` has not seen. */
export type CallProps = KindProps & { sight: Sight };

/** Deciding at once, or writing first: why not, other arguments, or an answer in the call's place. */
export type Mode = 'answer' | 'reject' | 'edit' | 'respond';

/** Where a call's inquiry opens: at its suggestion, and at the lines when it may only be written back to. */
export function firstMode(action: Action | undefined, call: CallReply | undefined): Mode {
  if (call?.type !== undefined && call.type !== 'approve' && call.optionId === undefined) return call.type;
  const may = (type: Action['allowed'][number]) => action?.allowed.includes(type) ?? false;
  if (may('approve') || may('reject') || action?.options) return 'answer';
  return may('respond') ? 'respond' : 'edit';
}

type WriteProps = CallProps & {
  call: CallReply;
  mode: Exclude<Mode, 'answer'>;
  onBack: () => void;
};

/** The lines under one call: why not, its arguments changed, or an answer in its place; and the bar that sends them. */
export function WriteToCall(props: WriteProps) {
  const { inquiry, answering, call, mode } = props;
  const words = dialogWords();
  const place = useRef<HTMLElement>(null);
  // Before the key that led here is written.
  useLayoutEffect(() => {
    // Under a thumb a keyboard that comes by itself would cover what the tap has begun.
    if (mode === 'reject' && matchMedia('(pointer: coarse)').matches) return;
    place.current?.querySelector<HTMLElement>('textarea, input')?.focus();
  }, []);
  const source = visible(inquiry.source.name);
  const action = inquiry.actions?.[0];
  const asked = readArgsText(inquiry, 0);
  const ask = {
    reject: callWords().whyNotAsk(source),
    edit: words.call.edit,
    respond: callWords().respondAsk(source),
  }[mode];
  const fault = answering.tried ? answering.faults[0] : undefined;
  const write = (more: Partial<CallReply>) => answering.change((before) => decide(before, 0, { type: mode }, more));
  return (
    <>
      <section class="reply" aria-label={ask} ref={place}>
        {mode === 'edit' && action ? (
          <ArgsEditor
            {...{ action, asked }}
            argsText={call.argsText}
            tried={answering.tried}
            onWrite={(argsText) => write({ argsText })}
            onPutBack={() => answering.change((before) => putBack(inquiry, before, 0))}
          />
        ) : (
          <>
            <p class="label">{ask}</p>
            <Lines
              label={ask}
              value={call.message}
              rows={2}
              suggested={!call.own}
              wrong={fault !== undefined}
              describedBy={fault && 'why'}
              onWrite={(message) => write({ message })}
            />
            <FaultHint fault={fault} id="why" />
          </>
        )}
      </section>
      {props.proposed}
      <WriteBar {...props} unchanged={mode === 'edit' && isSameJson(call.argsText, asked)} />
    </>
  );
}

function WriteBar(props: WriteProps & { unchanged: boolean }) {
  const { inquiry, answering, call, mode, unchanged, sight, onBack, decline, onMore, onHelp } = props;
  const words = dialogWords();
  const action = inquiry.actions?.[0];
  const waits = mode === 'edit' && sight.waits;
  const armed = mode === 'edit' && !waits && sight.armed < 1 ? sight.armed : undefined;
  const asItWas =
    unchanged && action?.allowed.includes('approve') === true && ownChoices(action, 'approve').length === 0;
  const send = () => {
    if (mode === 'edit' && action && argsFaults(action, readArgsText(inquiry, 0), call.argsText).length > 0)
      return answering.showFaults(true);
    answering.send((before) => decide(before, 0, { type: asItWas ? 'approve' : mode }));
  };
  // Of several arguments none is meant more than another.
  useKeys({ write: () => void (mode !== 'edit' && focusField()), enter: send, escape: onBack, help: onHelp });
  const hands = readHands(inquiry, me.value?.person);
  const anew = mode === 'edit' && !asItWas && hands !== undefined && hands.given.length > 0;
  const only = firstMode(action, undefined) === mode;
  const sendWords = {
    reject: words.call.reject,
    respond: words.send,
    edit: asItWas ? words.call.approve : callWords().approveEdited,
  }[mode];
  return (
    <Bar
      onMore={onMore}
      problem={answering.problem}
      say={anew ? sayAnew(hands) : undefined}
      below={mode === 'edit' && <Below sight={sight} />}
    >
      <Button look="line" onPress={only ? decline.press : onBack}>
        {only ? decline.say : words.back}
      </Button>
      <Button
        onPress={send}
        waits={answering.busy || waits || (mode === 'edit' && inquiry.askerGoneAt !== undefined)}
        armed={armed}
        small={mode === 'edit' ? ((action && sayAfter(sight, action)) ?? sayYes(inquiry, !asItWas)) : undefined}
        cap={SEND_KEYS}
      >
        {armed === undefined ? sendWords : callWords().readFirst(sight.secondsLeft)}
      </Button>
    </Bar>
  );
}
