import { useEffect, useRef } from 'preact/hooks';
import { Lines } from '../../ui/Lines.tsx';
import { Quiet, Slab } from '../../ui/Slab.tsx';
import { visible } from '../../ui/theirs.ts';
import { decide, putBack } from '../calls/deciding.ts';
import type { Arming } from '../calls/useArming.ts';
import { faultWords } from '../reply/faultWords.ts';
import { argsTextOf, type CallReply } from '../reply/state.ts';
import { Bar } from '../sheet/Bar.tsx';
import { useKeys } from '../useKeys.ts';
import { dialogWords } from '../words.ts';
import { firstMode, isSameJson, type Mode } from './call-mode.ts';
import type { KindProps } from './kind.ts';
import { Refused } from './Refused.tsx';

type WriteProps = KindProps & { call: CallReply; mode: Exclude<Mode, 'answer'>; arming: Arming; onBack: () => void };

/** The lines under one call: why not, its arguments changed, or an answer in its place; and the bar that sends them. */
export function WriteToCall(props: WriteProps) {
  const { inquiry, answering, call, mode } = props;
  const words = dialogWords();
  const lines = useRef<HTMLTextAreaElement>(null);
  useEffect(() => lines.current?.focus(), []);
  const source = visible(inquiry.source.name);
  const ask = {
    reject: words.call.whyNotAsk(source),
    edit: words.call.editAsk,
    respond: words.call.respondAsk(source),
  }[mode];
  const editing = mode === 'edit';
  const unchanged = editing && isSameJson(call.argsText, argsTextOf(inquiry, 0));
  const write = (text: string) =>
    answering.change((before) => decide(before, 0, { type: mode }, editing ? { argsText: text } : { message: text }));
  const fault = answering.tried ? answering.faults[0] : undefined;
  return (
    <>
      <section class="reply" aria-label={ask}>
        <div class="label">
          <span>{ask}</span>
          {editing && !unchanged && (
            <Quiet onPress={() => answering.change((before) => putBack(inquiry, before, 0))}>
              {words.call.putBack}
            </Quiet>
          )}
        </div>
        <Lines
          label={ask}
          value={editing ? call.argsText : call.message}
          code={editing}
          rows={editing ? 6 : 2}
          theirs={editing ? unchanged : !call.own}
          wrong={fault !== undefined}
          describedBy={fault && 'why'}
          onWrite={write}
          linesRef={lines}
        />
        {fault && (
          <p class="hint is-wrong" id="why" role="alert">
            {faultWords(words, fault)}
          </p>
        )}
      </section>
      <Refused problem={answering.problem} />
      <WriteBar {...props} unchanged={unchanged} />
    </>
  );
}

function WriteBar(props: WriteProps & { unchanged: boolean }) {
  const { inquiry, answering, mode, unchanged, arming, onBack, onDecline, onMore, onHelp } = props;
  const words = dialogWords();
  const action = inquiry.actions?.[0];
  const armed = mode === 'edit' && arming.armed < 1 ? arming.armed : undefined;
  const asItWas = unchanged && action?.allowed.includes('approve') === true && !action.options;
  const send = () => {
    if (armed === undefined) answering.send((before) => decide(before, 0, { type: asItWas ? 'approve' : mode }));
  };
  useKeys({ enter: send, escape: onBack, help: onHelp });
  const only = firstMode(action, undefined) === mode;
  const sendWords = {
    reject: words.call.reject,
    respond: words.send,
    edit: asItWas ? words.call.approve : words.call.approveEdited,
  }[mode];
  return (
    <Bar onMore={onMore}>
      <Slab look="line" onPress={only ? onDecline : onBack}>
        {only ? words.decline : words.back}
      </Slab>
      <Slab onPress={send} waits={answering.busy} armed={armed} cap="⌘↵">
        {armed === undefined ? sendWords : words.call.readFirst(arming.secondsLeft)}
      </Slab>
    </Bar>
  );
}
