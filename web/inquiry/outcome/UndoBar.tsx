import './undo.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { callName } from '#shared/call-name/name.ts';
import { plainName } from '#shared/call-name/parts.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { type Given, given } from '../../live/inquiries.ts';
import { entries, keep, findReceipt } from '../../live/store.ts';
import { now, useTicking } from '../../ui/clock.ts';
import { language, say } from '../../ui/language.ts';
import { Mark } from '../../ui/Mark.tsx';
import { go } from '../../ui/place.ts';
import { Boundary } from '../../ui/Boundary.tsx';
import { Button, Quiet } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { Called, Ends, Title } from '../view/Title.tsx';
import { isCautious } from '../reply/state.ts';
import { decliningId, undo } from '../reply/useReply.ts';
import { editedCall } from '../calls/changes.ts';
import { answerLines } from './said.ts';
import { countDecisions } from './verbs.ts';
import { looking } from './run.ts';

const NAME_MAX = 300;

type UndoBarProps = {
  otherwise?: ComponentChildren;
  /** It stands in no landmark of the page, and so is one. */
  apart?: true;
};

/** What was answered last: for a moment it can be undone, or be given a reason. In its place stands `otherwise` after that. */
export function UndoBar({ otherwise, apart }: UndoBarProps) {
  const last = given.value;
  const one = entries.value.find(({ inquiry }) => inquiry.id === last?.inquiryIds[0]);
  // An answer that was too late, or was refused, is told across the page.
  const speaks = last && one && (one.sending !== undefined || findReceipt(one.inquiry.id)?.won === true);
  if (!speaks) return <>{otherwise}</>;
  const answered = { last, inquiry: one.inquiry, leavesAt: one.leavesAt, apart };
  // An answer to what cannot be drawn can be undone too.
  return (
    <Boundary key={last.until} otherwise={<LastAnswer {...answered} plain />}>
      <LastAnswer {...answered} />
    </Boundary>
  );
}

type LastAnswerProps = {
  last: Given;
  inquiry: Inquiry;
  leavesAt: string | undefined;
  apart: true | undefined;
  /** Without the words of what was answered. */
  plain?: true;
};

function LastAnswer({ last, inquiry, leavesAt, apart, plain }: LastAnswerProps) {
  const t = onwardWords();
  const cautious = isCautious(inquiry);
  const holds = leavesAt !== undefined;
  const said = plain ? sayDecided(last) || t[holds ? 'sending' : 'sent'] : sayAnswer(last, inquiry, holds);
  const name = plain ? undefined : nameCall(last, inquiry);
  useUndoKey(holds ? () => takeBack(last) : undefined);
  useNextTap(last, !holds);
  const reason = holds ? reasonFor(last, inquiry) : undefined;
  return (
    <div class="undo" role={apart && 'complementary'}>
      <p>
        <Mark name="tick" />
        {holds && cautious ? <Seconds leavesAt={leavesAt} /> : said}
      </p>
      {name && <Ends text={name} />}
      <span class="sr" role="status">
        {holds && cautious ? t.sendingIn(secondsTo(leavesAt)) : said}
        {name && `${t.colon}${name}`}
      </span>
      {last.inquiryIds.length > 1 && <Quiet onPress={() => (looking.value = last)}>{t.see}</Quiet>}
      {reason && <Quiet onPress={reason}>{t.addReason}</Quiet>}
      {holds && <Quiet onPress={() => takeBack(last)}>{t.undo}</Quiet>}
      {holds && <Burn until={leavesAt} />}
    </div>
  );
}

/** What was decided, of one question or of several together; blank for an answer in words. */
function sayDecided({ body, inquiryIds }: Given): string {
  const t = onwardWords();
  if (body.outcome === 'declined') return inquiryIds.length > 1 ? t.declinedAll(inquiryIds.length) : t.declined;
  const types = new Set(body.decisions?.map(({ type }) => type));
  const [only, more] = types;
  const did = more ? undefined : only === 'approve' ? 'approved' : only === 'reject' ? 'rejected' : undefined;
  const count = inquiryIds.length * (body.decisions?.length ?? 1);
  return did ? (count > 1 ? t.calls[did](count) : t[did]) : '';
}

// Of one call, what it does; of an edited one, what may run.
function nameCall({ body, inquiryIds }: Given, inquiry: Inquiry): string | undefined {
  const [action, ...more] = inquiry.actions ?? [];
  if (!action || more.length > 0 || inquiryIds.length > 1) return undefined;
  const { action: called, argsText } = editedCall(inquiry, 0, body.decisions?.[0]) ?? {
    action,
    argsText: inquiry.argsText?.[0],
  };
  return plainName(callName(called, language.value, argsText).parts, NAME_MAX);
}

// What is held back is not sent yet.
function sayAnswer(given: Given, inquiry: Inquiry, holds: boolean): ComponentChildren {
  const t = onwardWords();
  const decided = sayDecided(given);
  if (decided !== '') return decided;
  if (given.body.decisions) return countDecisions(given.body.decisions);
  const [line = ''] = answerLines(inquiry, given.body, language.value).trim().split('\n');
  return line === '' ? (
    t[holds ? 'sending' : 'sent']
  ) : (
    <>
      {t[holds ? 'sendingWords' : 'sentWords']}
      <bdi>{visible(line)}</bdi>
    </>
  );
}

/** What was answered together, each a link to what became of it; it stays when the time to undo is over. */
export function GivenDialog({ given }: { given: Given }) {
  // Once the hub has them all, the page forgets them.
  const inquiries = useMemo(
    () => given.inquiryIds.flatMap((id) => entries.peek().filter(({ inquiry }) => inquiry.id === id)),
    [],
  ).map(({ inquiry }) => inquiry);
  const close = () => (looking.value = undefined);
  return (
    <Dialog title={sayDecided(given)} onClose={close} tall>
      <ol>
        {inquiries.map((inquiry) => (
          <li key={inquiry.id}>
            <div>
              <a class="link" href={`/i/${inquiry.id}`} onClick={close}>
                <Boundary otherwise={visible(inquiry.title)}>
                  <Title inquiry={inquiry} />
                </Boundary>
              </a>
              <Boundary>
                <Called inquiry={inquiry} />
              </Boundary>
              <small>
                <UntrustedText text={inquiry.source.name} />
              </small>
            </div>
          </li>
        ))}
      </ol>
      <div class="bar-do">
        <Button look="line" onPress={close}>
          {onwardWords().close}
        </Button>
      </div>
    </Dialog>
  );
}

// What stops the clock and opens the lines for it; undefined where there are words already, or nobody asks for any.
function reasonFor({ body, inquiryIds }: Given, { id, actions }: Inquiry): (() => void) | undefined {
  if (inquiryIds.length > 1) return undefined;
  if (body.outcome === 'declined')
    return body.message === undefined
      ? () => {
          undo(id);
          decliningId.value = id;
          open(id);
        }
      : undefined;
  const decision = body.decisions?.[0];
  if (actions?.length !== 1 || decision?.type !== 'reject' || decision.message || decision.optionId) return undefined;
  return () => {
    undo(id);
    keep(id, { decisions: [{ type: 'reject' }] });
    open(id);
  };
}

function takeBack({ inquiryIds }: Given): void {
  for (const id of inquiryIds) undo(id);
  const [only, more] = inquiryIds;
  if (only !== undefined && more === undefined) open(only);
  given.value = undefined;
}

function open(inquiryId: string): void {
  given.value = undefined;
  go(`/i/${inquiryId}`, 'replace');
}

// The tap that answered is over by then. What can be undone stays until its time is up, so that no stray tap takes that away.
function useNextTap(last: Given, ends: boolean): void {
  useEffect(() => {
    if (!ends) return undefined;
    const hear = ({ target }: MouseEvent) => {
      const isOwn = target instanceof Element && target.closest('.undo') !== null;
      if (!isOwn && given.peek() === last) given.value = undefined;
    };
    addEventListener('click', hear, true);
    return () => removeEventListener('click', hear, true);
  }, [last, ends]);
}

// Before the bar is painted: whoever reads it can press its keys.
function useUndoKey(act: (() => void) | undefined): void {
  useLayoutEffect(() => {
    if (!act) return undefined;
    const hear = (event: KeyboardEvent) => {
      const field = event.target instanceof Element && event.target.matches('input, textarea, [contenteditable]');
      if (event.key !== 'z' || !(event.ctrlKey || event.metaKey) || field) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', hear, true);
    return () => removeEventListener('keydown', hear, true);
  }, [act === undefined]);
}

/** The seconds until it leaves, for the eye: a screen reader was told once. */
function Seconds({ leavesAt }: { leavesAt: string }) {
  useTicking();
  return (
    <span aria-hidden="true" data-at={now.value}>
      {onwardWords().sendingIn(secondsTo(leavesAt))}
    </span>
  );
}

function Burn({ until }: { until: string }) {
  return (
    <i
      class="undo-left"
      aria-hidden="true"
      key={until}
      style={{ animationDuration: `${Math.max(0, Date.parse(until) - Date.now())}ms` }}
    />
  );
}

function secondsTo(leavesAt: string): number {
  return Math.max(1, Math.ceil((Date.parse(leavesAt) - Date.now()) / 1000));
}

const en = {
  sendingIn: (seconds: number) => `Sending in ${seconds} s`,
  colon: ': ',
  sending: 'Sending',
  sendingWords: 'Sending: ',
  sent: 'Sent',
  sentWords: 'Sent: ',
  declined: 'Declined',
  approved: 'Approved',
  rejected: 'Rejected',
  calls: {
    approved: (count: number) => `Approved ${count} calls`,
    rejected: (count: number) => `Rejected ${count} calls`,
  },
  declinedAll: (count: number) => `Declined ${count} questions`,
  see: 'See them',
  close: 'Close',
  undo: 'Undo',
  addReason: 'Add a reason',
};

const zh: typeof en = {
  sendingIn: (seconds) => `${seconds} 秒后发送`,
  colon: '：',
  sending: '即将发送',
  sendingWords: '即将发送：',
  sent: '已发送',
  sentWords: '已发送：',
  declined: '未回答',
  approved: '已批准',
  rejected: '已拒绝',
  calls: { approved: (count) => `已批准 ${count} 个调用`, rejected: (count) => `已拒绝 ${count} 个调用` },
  declinedAll: (count) => `${count} 个提问未回答`,
  see: '查看',
  close: '关闭',
  undo: '撤销',
  addReason: '补充理由',
};

/** The words about an answer that was just given. */
function onwardWords() {
  return say({ en, zh });
}
