import type { InquiryEntry } from '../live/entry.ts';
import { now } from '../ui/clock.ts';
import { language, say } from '../ui/language.ts';
import { moment } from '../ui/times.ts';
import { Entry } from './Entry.tsx';

/** What this person set apart until later, folded, what comes back first first. */
export function Later({ entries }: { entries: InquiryEntry[] }) {
  const words = say({ en, zh });
  const sorted = entries.toSorted((a, b) => ((a.laterAt ?? '') < (b.laterAt ?? '') ? -1 : 1));
  return (
    <details class="folded">
      <summary>
        <span class="link">{words.later(entries.length)}</span>
      </summary>
      <ul class="entries">
        {sorted.map((entry) => (
          <li key={entry.inquiry.id} class="group">
            <p class="entry-group">{words.until(moment(Date.parse(entry.laterAt ?? ''), now.value, language.value))}</p>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
    </details>
  );
}

const en = {
  later: (count: number) => `Later (${count})`,
  until: (when: string) => `Until ${when}`,
};

const zh: typeof en = {
  later: (count) => `稍后（${count}）`,
  until: (when) => `到 ${when}`,
};
