import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Action, ActionOption } from '#shared/inquiry.ts';
import { Lines } from '../../ui/Lines.tsx';
import { Quiet, Slab } from '../../ui/Slab.tsx';
import { visible } from '../../ui/theirs.ts';
import { decide, putBack } from '../calls/deciding.ts';
import { readExact, writeExact } from '../calls/exact.ts';
import { Slips } from '../calls/Slip.tsx';
import { type Arming, useArming } from '../calls/useArming.ts';
import { headlineOf, isBareCall } from '../headline.ts';
import { faultWords } from '../reply/faultWords.ts';
import { argsTextOf, type CallReply } from '../reply/state.ts';
import { Bar } from '../sheet/Bar.tsx';
import { Margin } from '../sheet/Facts.tsx';
import { Note } from '../sheet/Note.tsx';
import { useKeys } from '../useKeys.ts';
import { dialogWords } from '../words.ts';
import type { KindProps } from './kind.ts';
import { Refused } from './Refused.tsx';
import { Warning } from './Warning.tsx';

type Mode = 'answer' | 'reject' | 'edit' | 'respond';

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
        <Write {...props} call={call} mode={mode.value} arming={arming} onBack={() => turn('answer')} />
      )}
      <span ref={arming.end} class="sr" />
    </>
  );
}

type DecideProps = KindProps & { action: Action; arming: Arming; onTurn: (mode: Mode) => void };

function Decide({ answering, action, arming, extension, onTurn, onDecline, onMore, onEscape, onHelp }: DecideProps) {
  const words = dialogWords();
  const may = (type: Action['allowed'][number]) =>
    type === 'approve' || type === 'reject'
      ? !action.options && action.allowed.includes(type)
      : action.allowed.includes(type);
  const armed = arming.armed < 1 ? arming.armed : undefined;
  const send = (type: 'approve' | 'reject', option?: ActionOption) => () => {
    if (type === 'approve' && armed !== undefined) return;
    answering.send((before) => decide(before, 0, { type, ...(option ? { optionId: option.id } : {}) }));
  };
  const approving = action.options?.filter(({ type }) => type === 'approve') ?? [];
  const rejecting = action.options?.filter(({ type }) => type === 'reject') ?? [];
  const refuse = may('reject') ? () => onTurn('reject') : rejecting[0] ? send('reject', rejecting[0]) : onDecline;
  useKeys({
    ...(may('approve') ? { y: send('approve') } : approving[0] ? { y: send('approve', approving[0]) } : {}),
    ...(may('edit') ? { e: () => onTurn('edit') } : {}),
    n: refuse,
    escape: onEscape,
    help: onHelp,
  });
  const waiting = arming.seenEnd ? words.call.readFirst(arming.secondsLeft) : words.call.readOn;
  const [first, ...others] = approving;
  return (
    <>
      {answering.problem && (
        <div class="reply">
          <Refused problem={answering.problem} />
        </div>
      )}
      <Bar
        onMore={onMore}
        also={
          <>
            {extension}
            {may('edit') && <Quiet onPress={() => onTurn('edit')}>{words.call.edit}</Quiet>}
            {may('respond') && <Quiet onPress={() => onTurn('respond')}>{words.call.respond}</Quiet>}
          </>
        }
      >
        {rejecting.map((option) => (
          <Slab
            key={option.id}
            look="line"
            onPress={send('reject', option)}
            small={remembers(option)}
            cap={option === rejecting[0] ? 'n' : undefined}
          >
            {visible(option.label)}
          </Slab>
        ))}
        {may('reject') && (
          <Slab look="line" onPress={() => onTurn('reject')} cap="n">
            {words.call.reject}
          </Slab>
        )}
        {!may('reject') && rejecting.length === 0 && (
          <Slab look="line" onPress={onDecline} cap="n">
            {words.decline}
          </Slab>
        )}
        {others.map((option) => (
          <Slab key={option.id} look="line" onPress={send('approve', option)} armed={armed} small={remembers(option)}>
            {visible(option.label)}
          </Slab>
        ))}
        {first && (
          <Slab onPress={send('approve', first)} waits={answering.busy} armed={armed} small={remembers(first)} cap="y">
            {armed === undefined ? visible(first.label) : waiting}
          </Slab>
        )}
        {may('approve') && (
          <Slab onPress={send('approve')} waits={answering.busy} armed={armed} cap="y">
            {armed === undefined ? words.call.approve : waiting}
          </Slab>
        )}
      </Bar>
    </>
  );

  function remembers({ remember }: ActionOption): string | undefined {
    return remember === undefined ? undefined : words.call.remembers(visible(remember));
  }
}

type WriteProps = KindProps & { call: CallReply; mode: Exclude<Mode, 'answer'>; arming: Arming; onBack: () => void };

function Write({ inquiry, answering, call, mode, arming, onBack, onDecline, onMore, onHelp }: WriteProps) {
  const words = dialogWords();
  const lines = useRef<HTMLTextAreaElement>(null);
  useEffect(() => lines.current?.focus(), []);
  const source = visible(inquiry.source.name);
  const armed = mode === 'edit' && arming.armed < 1 ? arming.armed : undefined;
  const unchanged =
    mode === 'edit' &&
    sameJson(call.argsText, argsTextOf(inquiry, 0)) &&
    inquiry.actions?.[0]?.allowed.includes('approve');
  const send = () => {
    if (armed === undefined) answering.send((before) => decide(before, 0, { type: unchanged ? 'approve' : mode }));
  };
  useKeys({ enter: send, escape: onBack, help: onHelp });
  const ask = {
    reject: words.call.whyNotAsk(source),
    edit: words.call.editAsk,
    respond: words.call.respondAsk(source),
  }[mode];
  const write = (text: string) =>
    answering.change((before) =>
      decide(before, 0, { type: mode }, mode === 'edit' ? { argsText: text } : { message: text }),
    );
  const fault = answering.tried ? answering.faults[0] : undefined;
  const only = firstMode(inquiry.actions?.[0], undefined) === mode;
  return (
    <>
      <section class="reply" aria-label={ask}>
        <div class="label">
          <span>{ask}</span>
          {mode === 'edit' && !unchanged && (
            <Quiet onPress={() => answering.change((before) => putBack(inquiry, before, 0))}>
              {words.call.putBack}
            </Quiet>
          )}
        </div>
        <Lines
          label={ask}
          value={mode === 'edit' ? call.argsText : call.message}
          code={mode === 'edit'}
          rows={mode === 'edit' ? 6 : 2}
          theirs={mode === 'edit' ? unchanged === true : !call.own}
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
        <Refused problem={answering.problem} />
      </section>
      <Bar onMore={onMore}>
        <Slab look="line" onPress={only ? onDecline : onBack}>
          {only ? words.decline : words.back}
        </Slab>
        <Slab onPress={send} waits={answering.busy} armed={armed} cap="⌘↵">
          {armed !== undefined
            ? words.call.readFirst(arming.secondsLeft)
            : mode === 'reject'
              ? words.call.reject
              : mode === 'respond'
                ? words.send
                : unchanged
                  ? words.call.approve
                  : words.call.approveEdited}
        </Slab>
      </Bar>
    </>
  );
}

// A suggestion opens where it is shown; a call that may only be written back to opens there.
function firstMode(action: Action | undefined, call: CallReply | undefined): Mode {
  if (call?.type !== undefined && call.type !== 'approve' && call.optionId === undefined) return call.type;
  const may = (type: Action['allowed'][number]) => action?.allowed.includes(type) ?? false;
  if (may('approve') || may('reject') || action?.options) return 'answer';
  return may('respond') ? 'respond' : 'edit';
}

function sameJson(one: string, other: string): boolean {
  const [a, b] = [readExact(one), readExact(other)];
  return a !== undefined && b !== undefined && writeExact(a) === writeExact(b);
}
