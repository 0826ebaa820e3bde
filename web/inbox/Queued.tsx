import { visible } from '#shared/visible.ts';
import { Decisions } from '../inquiry/outcome/Decisions.tsx';
import { answerLines } from '../inquiry/outcome/said.ts';
import { Title } from '../inquiry/view/Title.tsx';
import type { InquiryEntry } from '../live/entry.ts';
import { takeBack } from '../live/store.ts';
import { Boundary } from '../ui/Boundary.tsx';
import { Quiet } from '../ui/Button.tsx';
import { now } from '../ui/clock.ts';
import { language, say } from '../ui/language.ts';
import { SourceIcon } from '../ui/post/SourceIcon.tsx';
import { moment } from '../ui/times.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { ROW_MAX } from './Entry.tsx';
import { Kind } from './Kind.tsx';
import { PlainRow } from './PlainRow.tsx';

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
  const { inquiry, own } = entry;
  const decisions = own?.decisions;
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
      {decisions ? (
        <div class="entry-ask">
          <Decisions {...{ inquiry, decisions }} />
        </div>
      ) : (
        <p class="entry-ask own" dir="auto">
          “{visible((own && answerLines(inquiry, own, language.value)) || words.decline)}”
        </p>
      )}
      <div class="entry-by">
        {entry.queuedAt && words.written(Date.parse(entry.queuedAt), now.value)}{' '}
        <Quiet onPress={() => void takeBack(inquiry.id)}>{words.undo}</Quiet>
      </div>
      <SourceIcon sourceId={inquiry.source.id} name={inquiry.source.name} />
    </div>
  );
}

const en = {
  written: (at: number, now: number) => `Written at ${moment(at, now, 'en')}`,
  undo: 'Undo',
  decline: 'Declined',
};

const zh: typeof en = {
  written: (at, now) => `写于${moment(at, now, 'zh')}`,
  undo: '撤销',
  decline: '未回答',
};
