const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** RFC 3339 of what a field for date and time holds; an instant that was given with its zone stays as it was given. */
export function instantOf(text: string): string {
  if (ZONED.test(text)) return text;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}

/** The same as the field shows it, in the device's own time ("2026-11-21T14:17"). */
export function localOf(text: string): string {
  if (!ZONED.test(text)) return text;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return '';
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
  return local.replace(/:00\.000$|\.000$/, '');
}

/** True for a day of the calendar, "2026-02-28". */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** True for an instant, or for a day and time without a zone. */
export function isMoment(text: string): boolean {
  const [day = '', time = ''] = text.split(/[T ]/i);
  return (
    isDay(day) &&
    /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i.test(time) &&
    !Number.isNaN(Date.parse(text))
  );
}
