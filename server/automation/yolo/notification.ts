import { visible } from '#shared/visible.ts';
import { parsePreferences } from '../../platform/time-zone.ts';
import { cut, readNotified, type Compose } from '../../deliveries/push/compose.ts';
import { reportYolo } from './report.ts';

const LONGEST_BODY = 300;

const WORDS = {
  en: {
    until: (time: string) => `YOLO until ${time}`,
    minutes: (count: number) => (count === 1 ? 'YOLO for one minute more' : `YOLO for ${count} minutes more`),
    runs: 'What it covers is settled without asking you. Open Beckon to stop it.',
    ended: (count: number) => (count === 1 ? 'YOLO ended, one settled' : `YOLO ended, ${count} settled`),
    seen: 'YOLO ended',
    list: 'Open Beckon to read the list.',
    comma: ', ',
  },
  zh: {
    until: (time: string) => `放行到 ${time}`,
    minutes: (count: number) => `放行还有 ${count} 分钟`,
    runs: '范围内的事不再询问你。打开 Beckon 可停止。',
    ended: (count: number) => `放行结束，处理了 ${count} 件`,
    seen: '放行已结束',
    list: '打开 Beckon 查看列表。',
    comma: '，',
  },
};

/** What a push of YOLO says now: until when it runs; then what it did, until that was looked at. */
export const composeYolo: Compose = async (db, { subjectId, wanted, device, now }) => {
  const row = await db
    .selectFrom('yolos')
    .innerJoin('people', 'people.id', 'yolos.person_id')
    .select(['until_at', 'ended_at', 'seen_at', 'people.preferences'])
    .where('yolos.id', '=', subjectId)
    .where('person_id', '=', device.personId)
    .executeTakeFirst();
  const person = await readNotified(db, device.personId);
  if (!row || !person || (row.seen_at === null) !== (wanted === 'ask')) return undefined;
  const { locale: lang, privacy, badge } = person;
  const words = WORDS[lang];
  if (wanted === 'withdraw') return { t: 'withdraw', id: subjectId, title: words.seen, body: '', lang, badge };
  const drawn = { t: 'notice' as const, id: subjectId, lang, urgency: 'normal' as const, badge };
  if (row.ended_at === null) {
    const { timeZone } = parsePreferences(row.preferences);
    const left = Math.max(1, Math.round((row.until_at - now) / 60_000));
    const title = timeZone === undefined ? words.minutes(left) : words.until(clockTime(row.until_at, timeZone));
    return { ...drawn, title, body: words.runs };
  }
  const { yolo, approved } = await reportYolo(db, subjectId, { id: device.personId, locale: lang });
  const tools = approved.map(({ name, count }) => `${count} ${visible(name)}`).join(words.comma);
  const body = privacy === 'full' || privacy === 'title' ? cut(tools, LONGEST_BODY) : '';
  return { ...drawn, title: words.ended(yolo.settledCount), body: body || words.list };
};

function clockTime(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at);
}
