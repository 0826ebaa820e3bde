import { useSignal } from '@preact/signals';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { askerName } from '../../live/inquiries.ts';
import { me } from '../../live/session.ts';
import { answer } from '../../live/store.ts';
import { now } from '../../ui/clock.ts';
import { Quiet } from '../../ui/Button.tsx';
import { say } from '../../ui/language.ts';
import { clockTime, dayTime } from '../../ui/times.ts';
import { countDecisions } from '../outcome/verbs.ts';

/** That whoever asks is gone, and what was answered to the same question before and picked up by nobody. */
export function Asker({ inquiry }: { inquiry: Inquiry }) {
  const { askerGoneAt, earlier } = inquiry;
  const words = askerWords();
  return (
    <>
      {askerGoneAt !== undefined && (
        <p role="status">
          <b>{words.gone(visible(askerName(inquiry)), Date.parse(askerGoneAt))}</b>{' '}
          {inquiry.actions ? words.wouldRun : words.wouldReach}
        </p>
      )}
      {earlier && <Earlier inquiry={inquiry} earlier={earlier} />}
    </>
  );
}

type EarlierProps = { inquiry: Inquiry; earlier: NonNullable<Inquiry['earlier']> };

function Earlier({ inquiry, earlier: { resolution } }: EarlierProps) {
  const words = askerWords();
  const sending = useSignal(false);
  const decisions = resolution.answer?.decisions;
  const said = decisions ? countDecisions(decisions) : `“${resolution.text}”`;
  const { by, outcome, message } = resolution;
  const who = by.kind === 'person' ? (by.handle === me.value?.person.handle ? words.you : by.handle) : by.label;
  const sendAgain = () => {
    sending.value = true;
    const body =
      outcome === 'declined' ? { outcome, ...(message === undefined ? {} : { message }) } : resolution.answer;
    void answer(inquiry.id, { ...body }).finally(() => (sending.value = false));
  };
  // A call is approved by its own button, which waits until the call was seen; a secret was not kept.
  const maySend = !inquiry.actions && !inquiry.questions?.some((one) => one.type === 'text' && one.secret);
  return (
    <div>
      <p dir="auto">{visible(words.earlier(who, Date.parse(resolution.at), now.value, said))}</p>
      <p>{words.notPickedUp}</p>
      {maySend && !sending.value && <Quiet onPress={sendAgain}>{words.again}</Quiet>}
    </div>
  );
}

const en = {
  gone: (asker: string, at: number) => `${asker} is gone since ${clockTime(at)}.`,
  wouldRun: 'Nobody waits for this answer, so an approval would run nothing. If it does not come back, this closes.',
  wouldReach: 'Nobody waits for this answer. If it does not come back, this closes.',
  earlier: (who: string, at: number, now: number, said: string) =>
    `${who} answered the same ${dayTime(at, now, 'en')}: ${said}`,
  notPickedUp: 'Nobody picked that answer up. This is a new question.',
  again: 'Send the same answer',
  you: 'You',
};

const zh: typeof en = {
  gone: (asker, at) => `${asker} 已于 ${clockTime(at)} 离开。`,
  wouldRun: '没有人在等这个答复，批准了也不会执行。如果它不回来，这里会关闭。',
  wouldReach: '没有人在等这个答复。如果它不回来，这里会关闭。',
  earlier: (who, at, now, said) => `${who} 在${dayTime(at, now, 'zh')} 答复过同样的问题：${said}`,
  notPickedUp: '那个答复没有人取走。这是一个新问题。',
  again: '发送同样的答复',
  you: '你',
};

/** What is said of an asker that is gone, in the page's language. */
function askerWords() {
  return say({ en, zh });
}
