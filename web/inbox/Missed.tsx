import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { history } from '../live/history.ts';
import { missedSeenAt, seeMissed } from '../live/put-off.ts';
import { connection, entries } from '../live/store.ts';
import { Called, Title, titleLang } from '../inquiry/view/Title.tsx';
import { now, serverNow } from '../ui/clock.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { language, say } from '../ui/language.ts';
import { moment } from '../ui/times.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';

const DAY_MS = 86_400_000;

/**
 * Says above the list what expired within a day without anybody's answer, until it is opened or dismissed on any device of
 * this person. What a rule left unanswered, and what was of low urgency, was not missed.
 */
export function Missed() {
  const words = say({ en, zh });
  const found = useSignal<Inquiry[]>([]);
  const live = connection.value === 'live';
  const expired = useExpired();
  useEffect(() => {
    if (!live) return;
    const after = new Date(serverNow() - DAY_MS).toISOString();
    void history({ outcome: 'expired', after }).then((page) => 'items' in page && (found.value = page.items));
  }, [live, expired]);
  const seen = missedSeenAt();
  const [last, ...more] = found.value.filter(
    ({ resolution, urgency }) =>
      resolution?.by.kind === 'deadline' && urgency !== 'low' && Date.parse(resolution.at) > seen,
  );
  if (!last?.resolution) return null;
  const { at } = last.resolution;
  const seeAll = () => void seeMissed(at);
  return (
    <section class="bunch missed" aria-label={words.missed}>
      <a class="row" href={`/i/${last.id}`} onClick={seeAll}>
        <span class="kind" aria-hidden="true">
          <Icon name="clock" />
        </span>
        <span class="row-name" dir="auto" lang={titleLang(last)}>
          <Title inquiry={last} />
        </span>
        <span class="row-due">{moment(Date.parse(at), now.peek(), language.value)}</span>
        <span class="row-by">
          <span>
            <b>{words.said}</b> {last.urgency === 'high' ? words.urgent : words.nobody}
            {' · '}
            <UntrustedText text={last.source.name} />
            {more.length > 0 && words.more(more.length)}
          </span>
          <Called inquiry={last} />
        </span>
      </a>
      <IconButton name="close" label={words.dismiss} onPress={seeAll} />
    </section>
  );
}

// How often something left the list because its time was over.
function useExpired(): number {
  const times = useSignal(0);
  const before = useRef<ReadonlyMap<string, string>>(new Map());
  const waiting = entries.value.filter(({ resolution }) => !resolution);
  const ids = waiting.map(({ inquiry }) => inquiry.id).join();
  useEffect(() => {
    const here = new Map(waiting.map(({ inquiry }) => [inquiry.id, inquiry.deadlineAt]));
    const gone = [...before.current].filter(([id]) => !here.has(id));
    before.current = here;
    if (gone.some(([, deadlineAt]) => Date.parse(deadlineAt) <= serverNow())) times.value++;
  }, [ids]);
  return times.value;
}

const en = {
  missed: 'Missed',
  said: 'Missed.',
  urgent: 'Urgent, nobody answered',
  nobody: 'Nobody answered',
  more: (count: number) => ` · ${count} more in the history`,
  dismiss: 'Dismiss',
};

const zh: typeof en = {
  missed: '已错过',
  said: '已错过。',
  urgent: '紧急，无人答复',
  nobody: '无人答复',
  more: (count) => ` · 历史记录里还有 ${count} 件`,
  dismiss: '忽略',
};
