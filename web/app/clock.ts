import { now } from '../ui/clock.ts';
import { language } from '../ui/language.ts';
import { moment } from '../ui/times.ts';

/** "14:17" today, with the day otherwise; in the page's language. */
export const whenIs = (iso: string) => moment(Date.parse(iso), now.value, language.value);
