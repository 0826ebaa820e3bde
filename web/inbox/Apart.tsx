import type { InquiryEntry } from '../live/entry.ts';
import { say } from '../ui/language.ts';
import { Entry } from './Entry.tsx';

export { Later } from './Later.tsx';
export { Missed } from './Missed.tsx';

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
  dismissed: (count: number) => `Hidden on this device (${count})`,
  cut: (count: number) => `Closed because the connection of its agent was lost (${count})`,
};

const zh: typeof en = {
  dismissed: (count) => `已在此设备隐藏（${count}）`,
  cut: (count) => `因智能体的连接中断而关闭（${count}）`,
};
