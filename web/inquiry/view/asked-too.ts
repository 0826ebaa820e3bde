import type { Inquiry } from '#shared/inquiry.ts';
import type { Language } from '#shared/texts/language.ts';
import { visible } from '#shared/visible.ts';
import { spaced } from '../../ui/sentence/spaced.ts';
import { clockTime, dayTime, moment } from '../../ui/times.ts';

type Reader = { own: string | undefined; now: number; language: Language };

/** A sentence for each time that others were asked because nobody had answered: who, and when; `own` is the reader's handle. */
export function sayAskedToo({ escalated = [] }: Pick<Inquiry, 'escalated'>, { own, now, language }: Reader): string[] {
  return escalated.map(({ at: iso, to, people = to }) => {
    const at = Date.parse(iso);
    const today = moment(at, now, language) === clockTime(at);
    const others = people.filter((handle) => handle !== own).map((handle) => visible(handle));
    const you = others.length < people.length;
    return WORDS[language]({ others, you, time: today ? clockTime(at) : dayTime(at, now, language), today });
  });
}

type Asked = { others: string[]; you: boolean; time: string; today: boolean };

const WORDS: Record<Language, (asked: Asked) => string> = {
  en({ others, you, time, today }) {
    const all = [...(you ? ['You'] : []), ...others];
    const names = [all.slice(0, -1).join(', '), all.at(-1)].filter(Boolean).join(' and ');
    return `${names} ${you || all.length > 1 ? 'were' : 'was'} asked too ${today ? 'at ' : ''}${time}`;
  },
  zh({ others, you, time }) {
    return `${time} 也问了${spaced([...(you ? ['你'] : []), ...others].join('、')).trimEnd()}`;
  },
};
