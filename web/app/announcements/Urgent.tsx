import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { goingOn, inboxWords } from '../../inbox/words.ts';
import { timeLeft } from '../../inquiry/view/countdown.ts';
import { Called, Title } from '../../inquiry/view/Title.tsx';
import { isOpenHere, openInquiryId } from '../../live/inquiries.ts';
import { isPutOff, putOff } from '../../live/put-off.ts';
import { entries } from '../../live/store.ts';
import { now, useTicking } from '../../ui/clock.ts';
import { Toast } from '../../ui/shell/Toast.tsx';
import { say } from '../../ui/language.ts';
import { go } from '../../ui/place.ts';
import { SourceIcon } from '../../ui/post/SourceIcon.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { useWide } from '../browser/wide.ts';
import { route } from '../route.ts';

const words = {
  en: { label: 'Urgent question', urgent: 'Urgent', later: 'Later', open: 'Open', comma: ', ' },
  zh: { label: '紧急问题', urgent: '紧急', later: '稍后', open: '打开', comma: '，' },
};

/** A call's name keeps both its ends in two lines of a banner. */
const TITLE_MAX = 64;

/** Those that this page has shown: each is announced once. */
const announced = signal<ReadonlySet<string>>(new Set());
const note = (id: string) => (announced.value = new Set(announced.value).add(id));

/** An urgent question that waits while something else is open, over whatever that is. */
export function Urgent() {
  const wide = useWide();
  const urgent = entries.value.filter((one) => one.inquiry.urgency === 'high' && isOpenHere(one));
  const open = openInquiryId.value;
  // A phone's list shows them first.
  const listed = route.value.page === 'inbox' && open === undefined && !wide;
  const shown = listed
    ? urgent.map(({ inquiry }) => inquiry.id)
    : urgent.some(({ inquiry }) => inquiry.id === open)
      ? [open]
      : [];
  useEffect(() => {
    for (const id of shown) if (id !== undefined) note(id);
  }, [shown.join()]);
  if (listed) return null;
  const first = urgent.find(
    ({ inquiry }) => inquiry.id !== open && !announced.value.has(inquiry.id) && !isPutOff(inquiry.id),
  )?.inquiry;
  return first ? <Announced key={first.id} inquiry={first} /> : null;
}

function Announced({ inquiry }: { inquiry: Inquiry }) {
  const t = say(words);
  useTicking();
  const { by, left, up } = inboxWords();
  const time = timeLeft(inquiry, now.value);
  const until =
    time.state === 'hours'
      ? by(Date.parse(inquiry.deadlineAt), now.value)
      : time.state === 'up'
        ? up
        : left(time.leftMs);
  return (
    <Toast
      alert
      label={t.label}
      by={
        <>
          {time.state === 'hours' ? (
            <>
              <b class="now">{t.urgent}</b> · {goingOn(until)}
            </>
          ) : (
            <b class="now">{[t.urgent, until].join(t.comma)}</b>
          )}{' '}
          · <UntrustedText text={inquiry.source.name} />
        </>
      }
      name={
        <>
          <Title inquiry={inquiry} max={TITLE_MAX} />
          <Called inquiry={inquiry} />
        </>
      }
      icon={<SourceIcon sourceId={inquiry.source.id} name={inquiry.source.name} />}
      putOff={{ say: t.later, press: () => void putOff(inquiry.id) }}
      open={{ say: t.open, press: () => go(`/i/${inquiry.id}`) }}
    />
  );
}
