import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { kindOf } from '#shared/fit.ts';
import type { ActionOption } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { lazy } from '../app/lazy.tsx';
import type { InquiryEntry } from '../live/entry.ts';
import { extend } from '../live/acts.ts';
import { now, useOfNow } from '../ui/clock.ts';
import { go } from '../ui/place.ts';
import { Quiet } from '../ui/Button.tsx';
import { contexts } from '../live/context.ts';
import { letDecide } from '../deciders/inquiry/proposals.ts';
import { canExtend, timeLeft } from './view/countdown.ts';
import { type KindProps, findPlace } from './kinds/kind.ts';
import { Questions } from './kinds/Questions.tsx';
import { Written } from './kinds/Written.tsx';
import { type Answering, decliningId, undoTime } from './reply/useReply.ts';
import { approves } from './reply/state.ts';
import { hasLeft, takesPress, useFresh } from './view/presses.ts';
import { beneath, OpenHead } from './view/InquiryHead.tsx';
import { dialogWords } from './words.ts';

const Asker = lazy(() => import('./view/Asker.tsx').then(({ Asker: ready }) => ready));
const Declining = lazy(() => import('./kinds/Declining.tsx').then(({ Declining: ready }) => ready));
const Document = lazy(() => import('./document/Document.tsx').then(({ Document: ready }) => ready));
const Elsewhere = lazy(() => import('./view/Elsewhere.tsx').then(({ Elsewhere: ready }) => ready));
const Holding = lazy(() => import('../deciders/inquiry/Holding.tsx').then(({ Holding: ready }) => ready));
const Calls = lazy(() => import('./kinds/Calls.tsx').then(({ Calls: ready }) => ready));
const Linked = lazy(() => import('./kinds/Linked.tsx').then(({ Linked: ready }) => ready));
const MoreDialog = lazy(() => import('./view/MoreDialog.tsx').then(({ MoreDialog: ready }) => ready));
const KeysDialog = lazy(() => import('./view/MoreDialog.tsx').then(({ KeysDialog: ready }) => ready));
const RemindDialog = lazy(() => import('./view/MoreDialog.tsx').then(({ RemindDialog: ready }) => ready));
const Assured = lazy(() => import('../passkeys/Assured.tsx').then(({ Assured: ready }) => ready));
const Proposed = lazy(() => import('../deciders/inquiry/Proposed.tsx').then(({ Proposed: ready }) => ready));
const KINDS = { text: Written, document: Document, link: Linked, questions: Questions, actions: Calls };

/** An inquiry that waits: the panel with its question, the place to answer it and the decision. */
export function OpenInquiry({
  entry,
  answering: given,
  more,
  onMore,
}: {
  entry: InquiryEntry;
  answering: Answering;
  more: boolean;
  onMore: (open: boolean) => void;
}) {
  const words = dialogWords();
  const { inquiry } = entry;
  const dialog = useSignal<'keys' | 'remind' | undefined>(undefined);
  const always: KindProps['always'] = useSignal<boolean | ActionOption>(false);
  useSignalEffect(() => void (always.value && (decliningId.value = undefined)));
  const place = findPlace(entry);
  const count = inquiry.questions?.length ?? 1;
  const firstDeadline = useRef(inquiry.deadlineAt);
  const { fresh, closed, shut } = useShut(inquiry, given);
  const decider = useDecider(entry, given, shut);
  // An approval that nobody waits for would run nothing; a "no" may be said all the same.
  const gone = inquiry.askerGoneAt !== undefined && inquiry.actions !== undefined;
  const busy = entry.sending === 'sent' || closed;
  const answering = guarded(given, { shut, busy, gone, problem: decider.problem });
  const mayExtend = useOfNow((at) => timeLeft(inquiry, at).state === 'last' && canExtend(inquiry, at), [inquiry]);
  const caution = inquiry.actions?.some((action) => action.caution) ?? false;
  // Its words can be added afterwards, where there is a moment for it.
  const decline = () => (undoTime(inquiry) ? answering.decline('') : (decliningId.value = inquiry.id));
  const props: KindProps = {
    inquiry,
    answering,
    elsewhere: <Others entry={entry} onTakeOver={given.takeOver} />,
    extension: [
      mayExtend && (
        <Quiet icon="clock" onPress={() => void extend(inquiry.id, 300)}>
          {words.by.fiveMore}
        </Quiet>
      ),
      decider.also,
    ],
    proposed: [inquiry.assurance === 'passkey' && <Assured inquiry={inquiry} />, decider.proposed],
    always,
    decline: { say: words.decline, press: decline },
    onMore: () => onMore(true),
    onEscape: () => go('/'),
    onHelp: () => (dialog.value = 'keys'),
    place,
  };
  return (
    <article
      data-beneath={beneath(inquiry.id)}
      class={['panel', caution && 'is-caution', fresh.value && 'is-arriving'].filter(Boolean).join(' ')}
    >
      {caution && <div class="hatch" aria-hidden="true" />}
      <OpenHead
        inquiry={inquiry}
        progress={count > 1 && !place.all.value ? { place: place.step.value + 1, of: count } : undefined}
        writtenAt={given.writtenAt}
        firstDeadline={firstDeadline.current}
        deciding={decider.deciding}
      />
      <Inside {...{ decider }} {...props} />
      <Dialogs {...{ more, onClose: () => onMore(false), dialog }} {...props} />
    </article>
  );
}

type DialogsProps = KindProps & { more: boolean; onClose: () => void; dialog: Signal<'keys' | 'remind' | undefined> };

/** What is laid on an open inquiry. */
function Dialogs({ more, onClose, dialog, ...props }: DialogsProps) {
  const close = () => (dialog.value = undefined);
  const remind = () => (dialog.value = 'remind');
  return (
    <>
      {more && <MoreDialog {...props} onDecline={props.decline.press} onRemind={remind} onClose={onClose} />}
      {dialog.value === 'remind' && <RemindDialog inquiry={props.inquiry} onClose={close} />}
      {dialog.value === 'keys' && <KeysDialog onClose={close} />}
    </>
  );
}

/** What others did: whoever answers elsewhere, an asker that is gone, an earlier answer. */
function Others({ entry, onTakeOver }: { entry: InquiryEntry; onTakeOver: Answering['takeOver'] }) {
  const { askerGoneAt, earlier } = entry.inquiry;
  return (
    <>
      {entry.draft && <Elsewhere entry={entry} onTakeOver={onTakeOver} />}
      {(askerGoneAt || earlier) && <Asker inquiry={entry.inquiry} />}
    </>
  );
}

/** Whether a press does nothing now: it is too early, too late, or was meant for another inquiry. */
function useShut(inquiry: InquiryEntry['inquiry'], given: Answering) {
  const fresh = useFresh();
  // [RES3] A device closes a little before the hub, so nothing is sent that could only be late.
  const up = useOfNow((at) => timeLeft(inquiry, at).state === 'up', [inquiry]);
  const closed = !hasLeft(inquiry) || up;
  // Somebody who has written already means this inquiry, however fresh it is.
  const shut = () => !takesPress(inquiry) || up || (fresh.peek() && given.writtenAt === 0);
  return { fresh, closed, shut };
}

type Guard = { shut: () => boolean; busy: boolean; gone: boolean; problem: Problem | undefined };

function guarded(given: Answering, { shut, busy, gone, problem }: Guard): Answering {
  return {
    ...given,
    problem: problem ?? given.problem,
    busy: given.busy || busy,
    send(update = (before) => before) {
      if (shut() || given.busy || (gone && approves(update(given.reply)))) return false;
      return given.send(update);
    },
    decline: (message) => {
      if (!shut()) given.decline(message);
    },
  };
}

type InsideProps = KindProps & { decider: ReturnType<typeof useDecider> };

function Inside({ decider, ...props }: InsideProps) {
  const Kind = KINDS[kindOf(props.inquiry)];
  if (decliningId.value === props.inquiry.id)
    return <Declining {...props} onBack={() => (decliningId.value = undefined)} />;
  if (decider.holding) return <Holding {...props} proposal={decider.holding} />;
  // What was taken over is read when it opens.
  return <Kind key={decider.used} {...props} />;
}

/** What a decider adds to an open inquiry: what it proposes, the ways to ask it, and how long a person may overrule it. */
function useDecider({ inquiry, proposal }: InquiryEntry, answering: Answering, shut: () => boolean) {
  const words = dialogWords();
  const problem = useSignal<Problem | undefined>(undefined);
  const used = useSignal<string | undefined>(undefined);
  const longest = useRef(1);
  const decider = contexts.value.get(inquiry.id)?.decider;
  const name = visible(decider?.name ?? '');
  const { state, why, decidesAt } = proposal ?? {};
  const leftMs = decidesAt === undefined ? 0 : Math.max(0, Date.parse(decidesAt) - now.value);
  longest.current = Math.max(longest.current, leftMs);
  const underWay = decidesAt !== undefined || (state === 'waiting' && why !== 'suggested');
  const ask = async () => {
    if (!shut()) problem.value = (await letDecide(inquiry.id)).problem;
  };
  return {
    problem: problem.value,
    also: decider && !underWay && <Quiet onPress={() => void ask()}>{words.letDecide(name)}</Quiet>,
    /** A person who has written something here goes on writing, after a reload too. */
    holding: decidesAt !== undefined && answering.writtenAt === 0 && !answering.reply.own ? proposal : undefined,
    deciding:
      decidesAt === undefined || !proposal
        ? undefined
        : {
            say: words.decidesIn(visible(proposal.decider.name), Math.ceil(leftMs / 1000)),
            share: leftMs / longest.current,
          },
    /** Once taken over it stands in the answer; what is under way can still be stopped. */
    proposed: proposal && (underWay || proposal.id !== used.value) && (
      <Proposed {...{ inquiry, proposal, answering }} onUse={() => (used.value = proposal.id)} />
    ),
    used: used.value,
  };
}
