import './announcements.css';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Resolution } from '#shared/answer.ts';
import { visible } from '#shared/visible.ts';
import { isCut, known, openInquiryId } from '../../live/inquiries.ts';
import { me } from '../../live/session.ts';
import { connection, entries } from '../../live/store.ts';
import { say } from '../../ui/language.ts';
import { titleOf } from '../../inquiry/view/Title.tsx';

const words = {
  en: {
    asks: (source: string, title: string) => `${source} asks: ${title}`,
    many: (count: number) => `${count} new questions.`,
    answered: (who: string, title: string) => `Answered by ${who}: ${title}`,
    you: 'you, on another device',
    expired: (title: string) => `Expired, nobody answered: ${title}`,
    withdrawn: (title: string) => `Withdrawn: ${title}`,
  },
  zh: {
    asks: (source: string, title: string) => `${source} 来问：${title}`,
    many: (count: number) => `${count} 个新问题。`,
    answered: (who: string, title: string) => `${who} 已答复：${title}`,
    you: '你在另一台设备上',
    expired: (title: string) => `已过期，没有人答复：${title}`,
    withdrawn: (title: string) => `已撤回：${title}`,
  },
};

/** Says aloud, once each, what comes to the page and what is taken from it; the open inquiry says its own ending. */
export function Announcer() {
  const said = useSignal('');
  const before = useRef<Map<string, string>>(undefined);
  const waiting = new Map(
    entries.value
      .filter(
        ({ resolution, laterAt, inquiry }) =>
          !resolution && !laterAt && !inquiry.dismissed && !isCut(inquiry) && inquiry.urgency !== 'low',
      )
      .map(({ inquiry }) => [inquiry.id, titleOf(inquiry)]),
  );
  const ids = [...waiting.keys()].join();
  useEffect(() => {
    if (connection.value === 'connecting') return;
    const last = before.current;
    before.current = waiting;
    if (!last) return;
    const come = [...waiting.keys()].filter((id) => !last.has(id));
    const gone = [...last].filter(([id]) => !waiting.has(id) && id !== openInquiryId.peek());
    const sentences = [
      ...(come.length > 2 ? [say(words).many(come.length)] : come.map(arrival)),
      ...gone.slice(0, 3).map(([id, title]) => ending(known.peek().resolutions.get(id), title)),
    ].filter((sentence) => sentence !== '');
    if (sentences.length > 0) said.value = sentences.join(' ');
  }, [ids, connection.value]);
  return (
    <p class="sr" role="status">
      {said}
    </p>
  );
}

function arrival(id: string): string {
  const inquiry = entries.peek().find((one) => one.inquiry.id === id)?.inquiry;
  return inquiry ? say(words).asks(visible(inquiry.source.name), titleOf(inquiry)) : '';
}

function ending(resolution: Resolution | undefined, title: string): string {
  const t = say(words);
  if (!resolution) return '';
  if (resolution.outcome === 'expired') return t.expired(title);
  if (resolution.outcome === 'withdrawn') return t.withdrawn(title);
  const { by } = resolution;
  if (by.kind !== 'person') return t.answered(visible(by.label), title);
  const own = by.handle === me.peek()?.person.handle;
  // What was answered on this very page is not news.
  if (own && by.device.id === me.peek()?.device.id) return '';
  return t.answered(own ? t.you : visible(by.handle), title);
}
