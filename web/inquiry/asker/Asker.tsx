import { useSignal } from '@preact/signals';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { askerName } from '../../live/inquiries.ts';
import { me } from '../../live/session.ts';
import { answer } from '../../live/store.ts';
import { now } from '../../ui/clock.ts';
import { Quiet } from '../../ui/Button.tsx';
import { askerWords } from './words.ts';

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
      <p dir="auto">{visible(words.earlier(who, Date.parse(resolution.at), now.value, resolution.text))}</p>
      <p>{words.notPickedUp}</p>
      {maySend && !sending.value && <Quiet onPress={sendAgain}>{words.again}</Quiet>}
    </div>
  );
}
