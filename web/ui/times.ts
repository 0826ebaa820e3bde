import type { Language } from './language.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Formats = Record<'weekday' | 'date', Intl.DateTimeFormat>;
const formats = new Map<Language, Formats>();

function getFormats(language: Language): Formats {
  const known = formats.get(language);
  if (known) return known;
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', options);
  const made = { weekday: format({ weekday: 'long' }), date: format({ day: 'numeric', month: 'long' }) };
  formats.set(language, made);
  return made;
}

// Written by hand: the first formatter that a page makes takes a slow phone 15 ms, and both languages write these alike.
const two = (part: number) => String(part).padStart(2, '0');

/** "14:17", in the time zone of the device. */
export function clockTime(at: number): string {
  const time = new Date(at);
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** "14:06:12", where seconds decide. */
export function exactTime(at: number): string {
  return `${clockTime(at)}:${two(new Date(at).getSeconds())}`;
}

/** "today", "yesterday", "tomorrow", a weekday within six days, else a date. */
export function dayName(at: number, now: number, language: Language): string {
  const apart = Math.round((midnight(at) - midnight(now)) / DAY);
  const zh = language === 'zh';
  if (apart === 0) return zh ? '今天' : 'today';
  if (apart === 1) return zh ? '明天' : 'tomorrow';
  if (apart === -1) return zh ? '昨天' : 'yesterday';
  return Math.abs(apart) < 7 && apart > 0
    ? getFormats(language).weekday.format(at)
    : getFormats(language).date.format(at);
}

/** "14:17" today, "tomorrow 09:00" otherwise. */
export function moment(at: number, now: number, language: Language): string {
  const day = dayName(at, now, language);
  const clock = clockTime(at);
  if (midnight(at) === midnight(now)) return clock;
  return `${day} ${clock}`;
}

/** "today at 11:20", "yesterday at 09:00". */
export function dayTime(at: number, now: number, language: Language): string {
  return `${dayName(at, now, language)}${language === 'zh' ? ' ' : ' at '}${clockTime(at)}`;
}

const EN = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const ZH = ['零', '一', '两', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];

/** A count as people write it: in words up to twelve, then in figures. */
export function countWord(count: number, language: Language): string {
  return (
    (language === 'zh' ? ZH : EN)[count] ?? new Intl.NumberFormat(language === 'zh' ? 'zh-CN' : 'en-GB').format(count)
  );
}

const ORDINALS = [
  '',
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
];

/** "third"; past the twelfth "no. 13". English only: Chinese writes 第三 itself. */
export function ordinal(place: number): string {
  return ORDINALS[place] ?? `no. ${place}`;
}

/** A length of time as one would say it: "25 minutes", "almost four hours", "about two days". */
export function lasting(ms: number, language: Language): string {
  const zh = language === 'zh';
  if (ms < MINUTE) return unit(Math.max(0, Math.ceil(ms / 1000)), 'second', '秒', language);
  if (ms < 59.5 * MINUTE) return unit(Math.floor(ms / MINUTE), 'minute', '分钟', language);
  const [size, one, han] = ms < 36 * HOUR ? [HOUR, 'hour', '小时'] : [DAY, 'day', '天'];
  const count = Math.round(ms / size);
  const apart = ms - count * size;
  const near = Math.abs(apart) < size / 12 ? '' : apart < 0 ? (zh ? '近' : 'almost ') : zh ? '约' : 'about ';
  const said = zh
    ? `${countWord(count, language)}${ZH[count] ? '' : ' '}${count === 1 || size === DAY ? '' : '个'}${han}`
    : count === 1
      ? `${one === 'hour' ? 'an' : 'a'} ${one}`
      : `${countWord(count, language)} ${one}s`;
  return near + said;
}

function unit(count: number, one: string, han: string, language: Language): string {
  return language === 'zh' ? `${count} ${han}` : `${count} ${one}${count === 1 ? '' : 's'}`;
}

function midnight(at: number): number {
  const day = new Date(at);
  return Date.UTC(day.getFullYear(), day.getMonth(), day.getDate());
}

/** The same text with a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
