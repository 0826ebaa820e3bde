import type { Action } from '#shared/inquiry.ts';
import { Quiet, Slab } from '../../ui/Slab.tsx';
import { visible } from '../../ui/theirs.ts';
import { Batch } from '../calls/Batch.tsx';
import { allMay, decideAll, decidedCount } from '../calls/deciding.ts';
import { callKeys } from '../calls/callKeys.ts';
import { misfits } from '../calls/args/fields.ts';
import { type Arming, useArming } from '../calls/useArming.ts';
import { headlineOf, isBareCall } from '../headline.ts';
import { Bar } from '../sheet/Bar.tsx';
import { Margin } from '../sheet/Facts.tsx';
import { Note } from '../sheet/Note.tsx';
import { useKeys } from '../useKeys.ts';
import { dialogWords } from '../words.ts';
import type { KindProps } from './kind.ts';
import { OneCall } from './OneCall.tsx';
import { Refused } from './Refused.tsx';
import { Warning } from './Warning.tsx';

/** A letter that asks to run calls: one, or several with a decision each. */
export function Calls(props: KindProps) {
  return props.inquiry.actions?.length === 1 ? <OneCall {...props} /> : <SeveralCalls {...props} />;
}

function SeveralCalls(props: KindProps) {
  const { inquiry, answering, elsewhere } = props;
  const words = dialogWords();
  const actions = inquiry.actions ?? [];
  const cautious = actions.some(({ caution }) => caution);
  const arming = useArming(cautious);
  const { ask, prose } = headlineOf(inquiry);
  return (
    <>
      <Note inquiry={inquiry} ask={isBareCall(inquiry) ? words.call.mayIMany(actions.length) : ask} prose={prose}>
        {elsewhere}
        {cautious && <Warning />}
      </Note>
      <Margin inquiry={inquiry} />
      <Batch
        inquiry={inquiry}
        reply={answering.reply}
        faults={answering.tried ? answering.faults : []}
        tried={answering.tried}
        onChange={answering.change}
      />
      <Refused problem={answering.problem} />
      <BatchBar {...props} actions={actions} arming={arming} />
      <span ref={arming.end} />
    </>
  );
}

function BatchBar(props: KindProps & { actions: Action[]; arming: Arming }) {
  const { inquiry, answering, extension, onDecline, onMore, onEscape, onHelp, actions, arming } = props;
  const words = dialogWords();
  const { reply, change, faults, busy } = answering;
  const done = decidedCount(reply);
  const left = actions.length - done;
  // Only what would run has to be read to its end first.
  const runs = done === 0 || reply.calls.some(({ type }) => type === 'approve' || type === 'edit');
  const armed = runs && arming.armed < 1 ? arming.armed : undefined;
  const readFirst = arming.seenEnd ? words.call.readFirst(arming.secondsLeft) : words.call.readOn;
  const misfit = misfits(inquiry, reply);
  const send = () => {
    if (armed !== undefined) return;
    if (misfit) answering.showFaults(true);
    else answering.send();
  };
  const sendAll = (type: 'approve' | 'reject') => () => {
    if (type === 'reject' || armed === undefined) answering.send((before) => decideAll(inquiry, before, type));
  };
  useKeys({
    ...(done > 0 ? { enter: send } : {}),
    ...callKeys(actions, reply, change),
    escape: onEscape,
    help: onHelp,
  });
  const asSuggested = inquiry.suggested !== undefined && !reply.own;
  const decideRest = done > 0 && left > 0 && allMay(actions, 'approve') && (
    <Quiet onPress={() => change((before) => decideAll(inquiry, before, 'approve'))}>
      {words.call.approveRest(left)}
    </Quiet>
  );
  return (
    <Bar
      also={(extension || decideRest) && [extension, decideRest]}
      say={done > 0 && left > 0 ? words.call.decided(done, left) : undefined}
      onMore={onMore}
    >
      {done === 0 && allMay(actions, 'reject') ? (
        <Slab look="line" onPress={sendAll('reject')}>
          {words.call.rejectAll}
        </Slab>
      ) : (
        <Slab look="line" onPress={onDecline} cap="n">
          {words.decline}
        </Slab>
      )}
      {done === 0 && allMay(actions, 'approve') ? (
        <Slab onPress={sendAll('approve')} waits={busy} armed={armed} small={namesOf(actions)}>
          {armed === undefined ? words.call.approveAll(actions.length) : readFirst}
        </Slab>
      ) : (
        <Slab onPress={send} waits={faults.length > 0 || misfit || busy} armed={left === 0 ? armed : undefined} cap="↵">
          {left > 0 ? words.call.leftToDecide(left) : armed === undefined ? sendWords(asSuggested) : readFirst}
        </Slab>
      )}
    </Bar>
  );

  function sendWords(suggested: boolean): string {
    return suggested ? words.sendSuggested : words.call.sendAll(actions.length);
  }
}

// What "all" covers.
function namesOf(actions: Action[]): string {
  return actions.map(({ name }) => visible(name, true)).join(', ');
}
