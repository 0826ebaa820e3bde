import { Quiet, Slab } from '../../ui/Slab.tsx';
import { visible } from '../../ui/theirs.ts';
import { Batch } from '../calls/Batch.tsx';
import { allMay, decideAll, decidedCount } from '../calls/deciding.ts';
import { useArming } from '../calls/useArming.ts';
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

function SeveralCalls({ inquiry, answering, elsewhere, extension, onDecline, onMore, onEscape, onHelp }: KindProps) {
  const words = dialogWords();
  const { reply, change, faults, tried } = answering;
  const actions = inquiry.actions ?? [];
  const cautious = actions.some(({ caution }) => caution);
  const arming = useArming(cautious);
  const done = decidedCount(reply);
  const left = actions.length - done;
  const { ask, prose } = headlineOf(inquiry);
  const approving = reply.calls.some(({ type }) => type === 'approve' || type === 'edit');
  const waitsToArm = cautious && (done === 0 || approving) && arming.armed < 1;
  const send = () => {
    if (!waitsToArm) answering.send();
  };
  const sendAll = (type: 'approve' | 'reject') => () => {
    if (type === 'approve' && waitsToArm) return;
    answering.send((before) => decideAll(inquiry, before, type));
  };
  useKeys({ enter: done > 0 ? send : () => {}, n: onDecline, escape: onEscape, help: onHelp });
  const armed = waitsToArm ? arming.armed : undefined;
  const armingWords = arming.seenEnd ? words.call.readFirst(arming.secondsLeft) : words.call.readOn;
  return (
    <>
      <Note inquiry={inquiry} ask={isBareCall(inquiry) ? words.call.mayIMany(actions.length) : ask} prose={prose}>
        {elsewhere}
        {cautious && <Warning />}
      </Note>
      <Margin inquiry={inquiry} />
      <Batch inquiry={inquiry} reply={reply} faults={tried ? faults : []} onChange={change} />
      <span ref={arming.end} />
      {answering.problem && (
        <div class="reply">
          <Refused problem={answering.problem} />
        </div>
      )}
      <Bar
        also={
          <>
            {extension}
            {done > 0 && left > 0 && allMay(actions, 'approve') && (
              <Quiet onPress={() => change((before) => decideAll(inquiry, before, 'approve'))}>
                {words.call.approveRest(left)}
              </Quiet>
            )}
          </>
        }
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
          <Slab
            onPress={sendAll('approve')}
            waits={answering.busy}
            armed={armed}
            small={actions.map(({ name }) => visible(name)).join(', ')}
          >
            {waitsToArm ? armingWords : words.call.approveAll(actions.length)}
          </Slab>
        ) : (
          <Slab
            onPress={send}
            waits={faults.length > 0 || answering.busy}
            armed={left === 0 ? armed : undefined}
            cap="↵"
          >
            {left > 0 ? words.call.leftToDecide(left) : waitsToArm ? armingWords : sendWords()}
          </Slab>
        )}
      </Bar>
    </>
  );

  function sendWords(): string {
    if (inquiry.suggested !== undefined && !reply.own) return words.sendSuggested;
    return actions.length > 12 ? words.send : words.call.sendAll(actions.length);
  }
}
