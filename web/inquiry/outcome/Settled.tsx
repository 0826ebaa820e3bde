import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Resolution } from '#shared/answer.ts';
import { isUntitled } from '#shared/call-name/name.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { me } from '../../live/session.ts';
import { askerName, notTaken } from '../../live/inquiries.ts';
import { connection, discard } from '../../live/store.ts';
import { now } from '../../ui/clock.ts';
import { go } from '../../ui/place.ts';
import { OutcomeBadge } from '../../ui/post/OutcomeBadge.tsx';
import { vibrate } from '../../ui/haptics.ts';
import { language } from '../../ui/language.ts';
import { SEND_KEYS } from '../../ui/keys.ts';
import { Button } from '../../ui/Button.tsx';
import { Inline } from '../../ui/UntrustedText.tsx';
import { useWide } from '../../app/browser/wide.ts';
import { lazy } from '../../app/lazy.tsx';
import { Approvers } from '../../hands/HandsList.tsx';
import { type Answering, sentHere } from '../reply/useReply.ts';
import { Bar } from '../view/Bar.tsx';
import { beneath, SettledHead } from '../view/InquiryHead.tsx';
import { Hail } from '../view/Note.tsx';
import { Called, Title } from '../view/Title.tsx';
import { useKeys } from '../view/keys.ts';
import { noteDecision } from '../view/presses.ts';
import { dialogWords } from '../words.ts';
import { Decisions } from './Decisions.tsx';
import { isGrave, nextAfter, useOnward } from './next.ts';
import { answerLines } from './said.ts';
import { SavedWords } from './SavedWords.tsx';
import { type Verdict, toVerdict, verdictWords } from './outcome.ts';

const AboutSettled = lazy(() => import('./AboutSettled.tsx').then(({ AboutSettled: ready }) => ready));
const RuleThen = lazy(() => import('../../policies/RuleThen.tsx').then(({ RuleThen: ready }) => ready));
const AlwaysAfter = lazy(() => import('../../policies/always/AlwaysAfter.tsx').then((ready) => ready.AlwaysAfter));
const SentTo = lazy(() => import('../../deciders/inquiry/SentTo.tsx').then(({ SentTo: ready }) => ready));
const READ_MS = 1600;
const LEAVE_MS = 240;
const INERT_MS = 600;

const approves = ({ answer }: Resolution) => answer?.decisions?.every(({ type }) => type === 'approve') ?? false;

type SettledProps = {
  entry: InquiryEntry;
  resolution: Resolution;
  answering: Answering;
  saved: boolean;
  leaves: boolean;
  onward: boolean;
};

/** A settled inquiry: who decided what and when; words typed here are kept, an untouched inquiry leaves by itself (WDR3). */
export function Settled({ entry, resolution, answering, saved, leaves, onward }: SettledProps) {
  const words = verdictWords();
  const { inquiry, receipt } = entry;
  const won = receipt?.won ?? false;
  const source = visible(inquiry.source.name);
  const remarked = useSignal(false);
  const verdict = toVerdict({
    resolution,
    words,
    source,
    now: now.value,
    deadlineAt: inquiry.deadlineAt,
    handle: me.value?.person.handle,
    lostAt: receipt && !won ? sentHere.get(inquiry.id)?.at : undefined,
    won,
    handedBack: inquiry.rule?.['then'] === 'you-decide',
  });
  const looking = useSignal(false);
  const refused = inquiry.notTaken === true || notTaken.value.has(inquiry.id);
  const wide = useWide();
  // A desktop selects the next one then.
  const stays = wide && isGrave(nextAfter(inquiry));
  const leaving = useLeaving(inquiry.id, leaves && !saved && !looking.value && !refused && !stays);
  const offered = useSignal(false);
  useOnward(inquiry, onward && !looking.value && !offered.value && !refused);
  const inert = useInert();
  useEffect(() => {
    document.getElementById('ask')?.focus({ preventScroll: true });
    if (won) vibrate('won');
    else if (saved) vibrate('taken');
  }, []);
  const { by } = resolution;
  const own = by.kind === 'person' && by.handle === me.value?.person.handle;
  const decider = own ? words.youDecided : visible(by.kind === 'person' ? by.handle : by.label);
  const hint = verdict.undecided ? words.lateHint(source) : words.remarkHint(source, decider);
  return (
    <article
      data-beneath={beneath(inquiry.id)}
      class={['panel', won && 'is-sent', leaving && 'is-leaving', inert.value && 'is-inert'].filter(Boolean).join(' ')}
    >
      <SettledHead inquiry={inquiry} badge={<OutcomeBadge {...verdict.badge} />} />
      <VerdictText {...{ inquiry, resolution, verdict, won, refused }} />
      {inquiry.rule && <RuleThen inquiry={inquiry} />}
      {by.kind === 'decider' && (
        <div class="looking">
          <SentTo inquiryId={inquiry.id} onOpen={() => (looking.value = true)} />
        </div>
      )}
      <Looking inquiry={inquiry} open={looking} />
      {won && approves(resolution) && <AlwaysAfter inquiry={inquiry} onOffer={() => (offered.value = true)} />}
      {saved && !won && <SavedWords {...{ entry, answering, source, hint }} remarked={remarked.value} />}
      <After
        entry={entry}
        won={won}
        undecided={verdict.undecided}
        say={leaving === undefined ? undefined : words.leaves}
        answering={answering}
        mayRemark={!won && saved && !remarked.value}
        inert={inert}
        onRemarked={() => (remarked.value = true)}
      />
    </article>
  );
}

function VerdictText({
  inquiry,
  resolution,
  verdict,
  won,
  refused,
}: {
  inquiry: Inquiry;
  resolution: Resolution;
  verdict: Verdict;
  won: boolean;
  refused: boolean;
}) {
  const words = verdictWords();
  const opened = Date.parse(inquiry.openedAt);
  const { answer } = resolution;
  const decisions = verdict.undecided ? undefined : answer?.decisions;
  const { questions = [] } = inquiry;
  const several = questions.length > 1 || questions[0]?.type === 'form';
  const quote = verdict.quote && answer && several ? answerLines(inquiry, answer, language.value) : verdict.quote;
  const asked = verdict.undecided
    ? words.asked(opened, now.value)
    : words.askedAnswered(opened, now.value, Date.parse(resolution.at) - opened);
  return (
    <div class="verdict">
      {won && !refused && !inquiry.notPickedUp && <Hail />}
      <h1 class="ask" id="ask" tabIndex={-1}>
        <span role="status">
          {refused
            ? words.notTaken(visible(inquiry.source.name))
            : inquiry.notPickedUp
              ? words.notPickedUp(visible(askerName(inquiry)), inquiry.actions !== undefined)
              : visible(verdict.say)}
        </span>
      </h1>
      {verdict.undecided && resolution.answer && <p class="dim">{words.proposal}</p>}
      {decisions && <Decisions {...{ inquiry, decisions }} />}
      {!decisions && quote && (
        <p class={verdict.undecided || resolution.by.kind !== 'person' ? 'quote is-ink' : 'quote'} dir="auto">
          <Inline text={quote} />
        </p>
      )}
      {inquiry.notPickedUp && <p class="dim">{words.notPickedUpMore}</p>}
      {verdict.who && <p class="dim">{visible(verdict.who)}</p>}
      <Approvers inquiry={{ ...inquiry, resolution }} />
      {connection.value === 'offline' && <p class="dim">{words.knownOffline}</p>}
      <p class="was">
        {!(decisions && isUntitled(inquiry)) && (
          <b>
            <Title inquiry={inquiry} />
            {!decisions && <Called inquiry={inquiry} />}
          </b>
        )}
        {won ? words.othersCleared(asked) : asked}
      </p>
    </div>
  );
}

// Opened, it keeps the inquiry from leaving.
function Looking({ inquiry, open }: { inquiry: Inquiry; open: Signal<boolean> }) {
  return (
    <details class="looking" onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary class="quiet">
        <span class="link">{dialogWords().about}</span>
      </summary>
      {open.value && <AboutSettled inquiry={inquiry} />}
    </details>
  );
}

type AfterProps = {
  entry: InquiryEntry;
  won: boolean;
  undecided: boolean;
  say: string | undefined;
  answering: Answering;
  mayRemark: boolean;
  inert: ReadonlySignal<boolean>;
  onRemarked: () => void;
};

function After({ entry: { inquiry }, won, undecided, say, answering, mayRemark, inert, onRemarked }: AfterProps) {
  const verdict = verdictWords();
  const next = nextAfter(inquiry);
  const away = (to: string) => () => {
    if (inert.peek()) return;
    go(to);
    sentHere.delete(inquiry.id);
    discard(inquiry.id);
  };
  const remark = async () => {
    if (!inert.peek() && (await answering.sendLate())) onRemarked();
  };
  const onward = () => {
    // What comes to stand under the finger next was not meant.
    if (next && !inert.peek()) noteDecision();
    away(next ? `/i/${next.id}` : '/')();
  };
  useKeys({ escape: away('/'), enter: mayRemark ? () => void remark() : onward });
  const leave = won ? verdict.inbox : verdict.close;
  return (
    <Bar say={say}>
      {(mayRemark || next) && (
        <Button look="line" onPress={away('/')} cap="esc">
          {leave}
        </Button>
      )}
      {mayRemark ? (
        <Button onPress={() => void remark()} waits={answering.busy} cap={SEND_KEYS}>
          {undecided ? verdict.lateAnswer : verdict.remark}
        </Button>
      ) : (
        <Button onPress={onward} cap="↵">
          {next ? verdict.nextQuestion : leave}
        </Button>
      )}
    </Bar>
  );
}

// False while it is read, true while it goes; undefined for an inquiry that stays.
function useLeaving(inquiryId: string, leaves: boolean): boolean | undefined {
  const leaving = useSignal(false);
  useEffect(() => {
    if (!leaves) return undefined;
    const lift = setTimeout(() => (leaving.value = true), READ_MS);
    const gone = setTimeout(() => {
      go('/');
      discard(inquiryId);
    }, READ_MS + LEAVE_MS);
    return () => {
      clearTimeout(lift);
      clearTimeout(gone);
    };
  }, [leaves, inquiryId]);
  return leaves ? leaving.value : undefined;
}

// A press that was meant for the buttons before these does nothing.
function useInert() {
  const inert = useSignal(true);
  useEffect(() => {
    const timer = setTimeout(() => (inert.value = false), INERT_MS);
    return () => clearTimeout(timer);
  }, []);
  return inert;
}
