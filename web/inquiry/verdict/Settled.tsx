import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Resolution } from '#shared/answer.ts';
import { kindOf } from '#shared/fit.ts';
import { answerText } from '#shared/text.ts';
import type { Held } from '../../live/held.ts';
import { me } from '../../live/session.ts';
import { held as allHeld, putAway } from '../../live/store.ts';
import { now } from '../../ui/clock.ts';
import { language } from '../../ui/language.ts';
import { Lines } from '../../ui/Lines.tsx';
import { go } from '../../ui/place.ts';
import { Postmark } from '../../ui/post/Postmark.tsx';
import { Quiet, Slab } from '../../ui/Slab.tsx';
import { Theirs } from '../../ui/Theirs.tsx';
import { visible } from '../../ui/theirs.ts';
import { contentOf } from '../reply/content.ts';
import { type Answering, sentHere } from '../reply/useReply.ts';
import { Bar } from '../sheet/Bar.tsx';
import { beneath } from '../sheet/beneath.ts';
import { SettledHead } from '../sheet/Letterhead.tsx';
import { Hail } from '../sheet/Note.tsx';
import { useKeys } from '../useKeys.ts';
import { dialogWords } from '../words.ts';
import { verdictOf } from './verdict.ts';

const READ_MS = 1600;
const LEAVE_MS = 240;
const INERT_MS = 600;

type SettledProps = { held: Held; resolution: Resolution; answering: Answering; kept: boolean; leaves: boolean };

/** A settled inquiry: who decided what and when; words typed here are kept, an untouched letter leaves by itself (WDR3). */
export function Settled({ held, resolution, answering, kept, leaves }: SettledProps) {
  const words = dialogWords();
  const { inquiry, receipt } = held;
  const won = receipt?.won ?? false;
  const sent = sentHere.get(inquiry.id);
  const source = visible(inquiry.source.name);
  const remarked = useSignal(false);
  const verdict = verdictOf({
    resolution,
    words,
    source,
    now: now.value,
    deadlineAt: inquiry.deadlineAt,
    handle: me.value?.person.handle,
    lostAt: receipt && !won ? sent?.at : undefined,
    won,
  });
  const opened = Date.parse(inquiry.openedAt);
  const asked = words.verdict.askedAnswered(opened, now.value, Date.parse(resolution.at) - opened);
  const leaving = useLeaving(inquiry.id, leaves && !kept);
  const inert = useInert();
  const next = allHeld.value.find((other) => !other.fate && !other.inquiry.dismissed && other.inquiry.id !== inquiry.id)
    ?.inquiry.id;
  const away = (to: string) => () => {
    if (inert.peek()) return;
    go(to);
    sentHere.delete(inquiry.id);
    putAway(inquiry.id);
  };
  const mayRemark = !won && kept && !remarked.value;
  const remark = async () => {
    if (!inert.peek() && (await answering.sendLate())) remarked.value = true;
  };
  useKeys({ escape: away('/'), enter: mayRemark ? () => void remark() : away(next ? `/i/${next}` : '/') });
  useEffect(() => document.getElementById('ask')?.focus({ preventScroll: true }), []);
  return (
    <article
      data-beneath={beneath(inquiry.id)}
      class={['sheet', won && 'is-sent', leaving && 'is-leaving'].filter(Boolean).join(' ')}
    >
      <SettledHead inquiry={inquiry} postmark={<Postmark {...verdict.postmark} />} />
      <div class="verdict">
        {won && <Hail />}
        <h1 class="ask" id="ask" tabIndex={-1}>
          <span role="status">{visible(verdict.say)}</span>
        </h1>
        {verdict.undecided && resolution.answer && <p class="dim">{words.verdict.proposal}</p>}
        {verdict.quote && <p class={verdict.undecided ? 'quote is-ink' : 'quote'}>{visible(verdict.quote)}</p>}
        {verdict.who && <p class="dim">{visible(verdict.who)}</p>}
        <p class="was">
          <b>
            <Theirs text={inquiry.title} />
          </b>
          {won ? words.verdict.othersPutAway(asked) : asked}
        </p>
      </div>
      {kept && !won && <Kept {...{ held, answering, source }} remarked={remarked.value} hint={hint()} />}
      <Bar say={leaving !== undefined && leaves && !kept ? words.verdict.leaves : undefined}>
        {mayRemark ? (
          <>
            <Slab look="line" onPress={away('/')} cap="esc">
              {words.verdict.putAway}
            </Slab>
            <Slab onPress={() => void remark()} waits={answering.busy} cap="⌘↵">
              {verdict.undecided ? words.verdict.lateAnswer : words.verdict.remark}
            </Slab>
          </>
        ) : (
          <>
            {next && (
              <Slab look="line" onPress={away('/')} cap="esc">
                {won ? words.verdict.inbox : words.verdict.putAway}
              </Slab>
            )}
            <Slab onPress={away(next ? `/i/${next}` : '/')} cap="↵">
              {next ? words.verdict.nextLetter : won ? words.verdict.inbox : words.verdict.putAway}
            </Slab>
          </>
        )}
      </Bar>
    </article>
  );

  function hint(): string {
    if (verdict.undecided) return words.verdict.lateHint(source);
    const { by } = resolution;
    return words.verdict.remarkHint(source, visible(by.kind === 'person' ? by.handle : by.label));
  }
}

/** What this person had written when the letter was taken away: never lost, and free to be sent as a remark. */
function Kept({
  held: { inquiry },
  answering,
  source,
  remarked,
  hint,
}: {
  held: Held;
  answering: Answering;
  source: string;
  remarked: boolean;
  hint: string;
}) {
  const words = dialogWords();
  const { reply, change } = answering;
  const free = kindOf(inquiry) === 'text' || kindOf(inquiry) === 'link';
  const text = free
    ? reply.text
    : [answerText(inquiry, contentOf(inquiry, reply), language.value), reply.text]
        .filter((part) => part.trim() !== '')
        .join('\n');
  return (
    <section class="reply kept" aria-label={words.verdict.wordsKept}>
      <div class="label">
        <span>{words.verdict.wordsKept}</span>
        <Quiet icon="copy" onPress={() => void navigator.clipboard?.writeText(text)}>
          {words.call.copy}
        </Quiet>
      </div>
      {free && !remarked ? (
        <Lines
          label={words.verdict.wordsKept}
          value={reply.text}
          rows={2}
          onWrite={(written) => change((before) => ({ ...before, text: written }))}
        />
      ) : (
        <p class="quote">{text}</p>
      )}
      <p class="hint" role="status">
        {remarked ? words.verdict.remarkSent(source) : hint}
      </p>
    </section>
  );
}

// False while it is read, true while it goes; undefined for a letter that stays.
function useLeaving(inquiryId: string, leaves: boolean): boolean | undefined {
  const leaving = useSignal(false);
  useEffect(() => {
    if (!leaves) return undefined;
    const lift = setTimeout(() => (leaving.value = true), READ_MS);
    const gone = setTimeout(() => {
      go('/');
      putAway(inquiryId);
    }, READ_MS + LEAVE_MS);
    return () => {
      clearTimeout(lift);
      clearTimeout(gone);
    };
  }, [leaves, inquiryId]);
  return leaves ? leaving.value : undefined;
}

// A press that was meant for the slabs before these does nothing.
function useInert() {
  const inert = useSignal(true);
  useEffect(() => {
    const timer = setTimeout(() => (inert.value = false), INERT_MS);
    return () => clearTimeout(timer);
  }, []);
  return inert;
}
