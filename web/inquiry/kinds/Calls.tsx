import { useLayoutEffect } from 'preact/hooks';
import { toolCounts } from '#shared/call-name/name.ts';
import type { Action, ActionOption } from '#shared/inquiry.ts';
import { language } from '../../ui/language.ts';
import { Button, Quiet } from '../../ui/Button.tsx';
import { approvedPlainly } from '../../policies/always/extents.ts';
import { lazy } from '../../app/lazy.tsx';
import { Batch, callKeys } from '../calls/Batch.tsx';
import { allMay, decide, decideAll, decidedCount, remembers } from '../calls/deciding.ts';
import { misfits } from '../calls/args/misfits.ts';
import { readHeadline } from '../view/headline.ts';
import { approves, type Reply } from '../reply/state.ts';
import { Below } from '../calls/Below.tsx';
import { useSight } from '../calls/useSight.ts';
import { useStill } from '../calls/useStill.ts';
import { Bar } from '../view/Bar.tsx';
import { Margin, Note } from '../view/Note.tsx';
import { useKeys } from '../view/keys.ts';
import { useFresh } from '../view/presses.ts';
import { callWords } from '../calls/words.ts';
import { dialogWords } from '../words.ts';
import { me } from '../../live/session.ts';
import { ApprovedCalls } from '../../hands/ApprovedCalls.tsx';
import { unable } from '../../passkeys/unable.ts';
import { asStanding, readHands, replyTo, withStanding } from '../../hands/hands.ts';
import { Edited, HandsList, sayYes } from '../../hands/HandsList.tsx';
import type { CallProps } from './WriteToCall.tsx';
import type { KindProps } from './kind.ts';
import { OneCall, Warning } from './OneCall.tsx';

const Confirm = lazy(() => import('../view/Confirm.tsx').then(({ Confirm: ready }) => ready));
const Always = lazy(() => import('../../policies/always/Always.tsx').then(({ Always: ready }) => ready));

/** An inquiry that asks to run calls: one, or several with a decision each. No approval leaves it unseen. */
export function Calls(props: KindProps) {
  const { standing } = props.inquiry;
  // What somebody changed is read anew.
  return <Seen key={JSON.stringify(standing?.filter(({ type }) => type === 'edit'))} {...props} />;
}

function Seen(props: KindProps) {
  const hands = readHands(props.inquiry, me.value?.person);
  const inquiry = asStanding(props.inquiry);
  const reply = hands ? replyTo(inquiry, props.answering.reply) : props.answering.reply;
  const answering = { ...props.answering, reply };
  const sight = useSight(inquiry);
  const fresh = useFresh();
  useStill();
  const seen: CallProps = {
    ...props,
    inquiry,
    sight,
    elsewhere: [props.elsewhere, hands && <Edited {...hands} />],
    proposed: [hands && <HandsList inquiry={inquiry} />, props.proposed],
    answering: {
      ...answering,
      send(update = (before) => before) {
        const next = (before: Reply) => withStanding(inquiry, update(hands ? replyTo(inquiry, before) : before));
        const sent = next(reply);
        // A press that was on its way when somebody changed a call was meant for it as it was.
        if (hands?.editor && fresh.peek() && approves(sent)) return false;
        if (sight.allows(sent)) return answering.send(next);
        sight.show();
        return false;
      },
    },
  };
  const { always } = props;
  // The rule approves this call too, so it waits for what an approval waits for.
  useLayoutEffect(() => {
    if (always.value !== true || sight.allows(approvedPlainly(inquiry, reply))) return;
    always.value = false;
    sight.show();
  }, [always.value]);
  return (
    <>
      {hands?.own ? (
        <ApprovedCalls {...seen} />
      ) : inquiry.actions?.length === 1 ? (
        <OneCall {...seen} />
      ) : (
        <SeveralCalls {...seen} />
      )}
      {typeof always.value === 'object' && <Further {...seen} option={always.value} />}
      {always.value === true && (
        <Always
          inquiry={inquiry}
          onClose={() => (always.value = false)}
          onMade={() => void seen.answering.send((before) => approvedPlainly(inquiry, before))}
        />
      )}
    </>
  );
}

/** An option that reaches further than this call is shown with what it covers, and sent only from there. */
function Further({ inquiry, answering, always, option }: CallProps & { option: ActionOption }) {
  const reply = decide(answering.reply, 0, { type: option.type, optionId: option.id });
  return (
    <Confirm
      inquiry={inquiry}
      leaving={{ reply }}
      covers={remembers(option)}
      onBack={() => (always.value = false)}
      onSend={() => {
        always.value = false;
        answering.send(() => reply);
      }}
    />
  );
}

function SeveralCalls(props: CallProps) {
  const { inquiry, answering, sight, elsewhere, proposed } = props;
  const actions = inquiry.actions ?? [];
  const cautious = actions.some(({ caution }) => caution);
  const { ask, prose } = readHeadline(inquiry);
  return (
    <>
      <Note inquiry={inquiry} ask={ask} prose={prose} folds>
        {elsewhere}
        {cautious && <Warning />}
      </Note>
      <Margin inquiry={inquiry} />
      <Batch
        inquiry={inquiry}
        sight={sight}
        reply={answering.reply}
        faults={answering.tried ? answering.faults : []}
        tried={answering.tried}
        onChange={answering.change}
      />
      {proposed}
      <BatchBar {...props} actions={actions} />
    </>
  );
}

function BatchBar(props: CallProps & { actions: Action[] }) {
  const { inquiry, answering, sight, extension, decline, onMore, onEscape, onHelp, actions } = props;
  const words = dialogWords();
  const { reply, change, faults } = answering;
  const done = decidedCount(reply);
  const left = actions.length - done;
  const approvesRest = left > 0 && mayApproveRest(actions, reply);
  // Only what would run has to be read to its end first.
  const runs = done === 0 || approvesRest || !sight.allows(reply);
  const waits = runs && sight.waits;
  const armed = runs && !waits && sight.armed < 1 ? sight.armed : undefined;
  const after = waits ? words.call.afterEnd : undefined;
  const readFirst = callWords().readFirst(sight.secondsLeft);
  const misfit = misfits(inquiry, reply);
  const stopped = inquiry.askerGoneAt !== undefined || unable.value === inquiry.id;
  const busy = answering.busy || (stopped && (done === 0 || approvesRest || approves(reply)));
  const send = () => void (misfit ? answering.showFaults(true) : answering.send());
  const sendAll = (type: 'approve' | 'reject') => () => {
    if (misfit && type === 'approve') answering.showFaults(true);
    else void answering.send((before) => decideAll(inquiry, before, type, { over: type === 'reject' }));
  };
  const enter = done > 0 ? { enter: send } : {};
  useKeys({ ...enter, ...callKeys(actions, reply, change), escape: onEscape, help: onHelp });
  const sendWords = inquiry.suggested && !reply.own ? words.sendSuggested : callWords().sendAll(actions.length);
  const covered = sayCovered(actions, reply);
  const yes = sayYes(inquiry);
  const decideRest = done > 0 && left > 0 && !approvesRest && allMay(actions, 'approve') && (
    <Quiet onPress={() => change((before) => decideAll(inquiry, before, 'approve'))}>
      {callWords().approveRest(left)}
    </Quiet>
  );
  return (
    <Bar
      also={[extension, decideRest]}
      say={done > 0 && left > 0 ? callWords().decided(done, left) : undefined}
      onMore={onMore}
      problem={answering.problem}
      below={<Below sight={sight} />}
    >
      {(done === 0 || approvesRest) && allMay(actions, 'reject') ? (
        <Button look="line" onPress={sendAll('reject')} small={callWords().noneRuns}>
          {words.call.rejectAll}
        </Button>
      ) : (
        <Button look="line" onPress={decline.press}>
          {decline.say}
        </Button>
      )}
      {approvesRest ? (
        <Button
          onPress={sendAll('approve')}
          waits={busy || waits || misfit}
          armed={armed}
          small={after ?? yes ?? covered.tools}
        >
          {armed === undefined ? covered.approve : readFirst}
        </Button>
      ) : (
        <Button
          onPress={send}
          waits={faults.length > 0 || misfit || busy || waits}
          armed={left === 0 ? armed : undefined}
          small={left === 0 ? (after ?? (approves(reply) ? yes : undefined)) : undefined}
          cap="↵"
        >
          {left > 0 ? callWords().leftToDecide(left) : armed === undefined ? sendWords : readFirst}
        </Button>
      )}
    </Bar>
  );
}

// What nobody decided is approved by the press that sends, unless a call gets words in place of what it would do.
function mayApproveRest(actions: Action[], { calls }: Reply): boolean {
  const undecided = actions.filter((_action, at) => calls[at]?.type === undefined);
  return allMay(undecided, 'approve') && calls.every(({ type }) => type !== 'respond');
}

/** What a press approves that rejects only what was rejected: how many, and of which tools. */
function sayCovered(actions: Action[], { calls }: Reply): { approve: string; tools: string } {
  const words = callWords();
  const runs = actions.filter((_action, at) => calls[at]?.type !== 'reject');
  const tools = toolCounts(runs, language.value);
  const rejected = actions.length - runs.length;
  return rejected === 0
    ? { approve: words.approveAll(actions.length), tools }
    : { approve: words.approveSome(runs.length), tools: words.rejects(tools, rejected) };
}
