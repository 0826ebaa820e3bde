import { visible } from '#shared/visible.ts';
import type { InquiryEntry } from '../live/entry.ts';
import { takeBack } from '../live/store.ts';
import { Title } from '../inquiry/view/Title.tsx';
import { now } from '../ui/clock.ts';
import { say } from '../ui/language.ts';
import { moment } from '../ui/times.ts';
import { Boundary } from '../ui/Boundary.tsx';
import { Quiet } from '../ui/Button.tsx';
import { SourceIcon } from '../ui/post/SourceIcon.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { Entry, ROW_MAX } from './Entry.tsx';
import { Kind } from './Kind.tsx';
import { PlainRow } from './PlainRow.tsx';
import { queuedWords } from './queuedWords.ts';

export { Later } from './Later.tsx';
export { Missed } from './Missed.tsx';

/** Answers that wait for a line. */
export function Queued({ entries }: { entries: InquiryEntry[] }) {
  return (
    <ul class="entries">
      {entries.map((entry) => (
        <li key={entry.inquiry.id}>
          <Boundary of={entry} otherwise={<PlainRow inquiry={entry.inquiry} />}>
            <QueuedEntry entry={entry} />
          </Boundary>
        </li>
      ))}
    </ul>
  );
}

/** An answer that waits for a line: what was written, and the way to take it back. */
function QueuedEntry({ entry }: { entry: InquiryEntry }) {
  const words = say({ en, zh });
  const { inquiry } = entry;
  return (
    <div class="entry entry--queued">
      <Kind inquiry={inquiry} />
      <p class="entry-from">
        <b dir="auto">
          <UntrustedText text={inquiry.source.name} />
        </b>{' '}
        <a href={`/i/${inquiry.id}`}>
          <Title inquiry={inquiry} max={ROW_MAX} />
        </a>
      </p>
      <p class="entry-ask own" dir="auto">
        “{visible(queuedWords(entry) || words.decline)}”
      </p>
      <div class="entry-by">
        {entry.queuedAt && words.written(Date.parse(entry.queuedAt), now.value)}{' '}
        <Quiet onPress={() => void takeBack(inquiry.id)}>{words.undo}</Quiet>
      </div>
      <SourceIcon sourceId={inquiry.source.id} name={inquiry.source.name} />
    </div>
  );
}

/** What was hidden on this device, or was closed since its line was lost, folded. */
export function FoldedEntries({ dismissed = [], cut = [] }: { dismissed?: InquiryEntry[]; cut?: InquiryEntry[] }) {
  const words = say({ en, zh });
  const entries = [...dismissed, ...cut];
  return (
    <details class="folded">
      <summary>
        <span class="link">{cut.length > 0 ? words.cut(cut.length) : words.dismissed(dismissed.length)}</span>
      </summary>
      <ul class="entries">
        {entries.map((entry) => (
          <li key={entry.inquiry.id}>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
    </details>
  );
}

const en = {
  written: (at: number, now: number) => `Written at ${moment(at, now, 'en')}`,
  undo: 'Undo',
  dismissed: (count: number) => `Hidden on this device (${count})`,
  cut: (count: number) => `Closed because the connection of its agent was lost (${count})`,
  decline: 'Declined',
};

const zh: typeof en = {
  written: (at, now) => `写于${moment(at, now, 'zh')}`,
  undo: '撤销',
  dismissed: (count) => `已在此设备隐藏（${count}）`,
  cut: (count) => `因智能体的连接中断而关闭（${count}）`,
  decline: '未回答',
};
