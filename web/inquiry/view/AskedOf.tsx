import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { me } from '../../live/session.ts';
import { now } from '../../ui/clock.ts';
import { language, say } from '../../ui/language.ts';
import { sayAskedToo } from './asked-too.ts';

const NAMED_MOST = 4;

/** Who else is asked, that one answer settles it for all of them, and who was asked later because nobody had answered. */
export function AskedOf({ inquiry }: { inquiry: Inquiry }) {
  const own = me.value?.person.handle;
  const reader = { own, now: now.value, language: language.value };
  return (
    <>
      <p class="dim">{visible(say(askedOfWords)(readAsked(inquiry, own)))}</p>
      {sayAskedToo(inquiry, reader).map((line) => (
        <p key={line} class="dim">
          {line}
          {language.value === 'zh' ? '。' : '.'}
        </p>
      ))}
    </>
  );
}

type AskedOfProps = { group: string | undefined; others: string[]; more: number; you: boolean; hands: boolean };

function readAsked({ to, people = [], approvals }: Inquiry, own: string | undefined): AskedOfProps {
  const others = people.filter((handle) => handle !== own);
  return {
    group: to.every((handle) => people.includes(handle)) ? undefined : to.join(', '),
    others: others.slice(0, NAMED_MOST),
    more: Math.max(0, others.length - NAMED_MOST),
    you: others.length < people.length,
    hands: approvals !== undefined,
  };
}

const en = ({ group, others, more, you, hands }: AskedOfProps) => {
  const all = [...(you ? ['you'] : []), ...others, ...(more > 0 ? [`${more} more`] : [])];
  const names = `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
  return `Asked of ${group === undefined ? names : `${group} (${names})`}${hands ? '' : ': the first answer counts for all'}.`;
};
const zh = ({ group, others, more, you, hands }: AskedOfProps) => {
  const names = [...(you ? ['你'] : []), ...others].join('、') + (more > 0 ? ` 等 ${more + others.length + 1} 人` : '');
  return `询问 ${group === undefined ? names : `${group}（${names}）`}${hands ? '' : '：最先的答复对所有人有效'}。`;
};

const askedOfWords = { en, zh };
