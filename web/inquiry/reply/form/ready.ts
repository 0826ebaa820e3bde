import type { Inquiry } from '#shared/inquiry.ts';
import type * as answering from './answering.ts';

type Forms = typeof answering;

let ready: Forms | undefined;

/** What reads forms. Most inquiries ask none, so it is fetched before the first that does: see `fetchForms`. */
export function forms(): Forms {
  if (!ready) throw new Error('A form was read before its code was fetched.');
  return ready;
}

/** True for an inquiry whose answer takes the code that reads forms. */
export function needsForms({ questions }: Pick<Inquiry, 'questions'>): boolean {
  return questions?.some(({ type }) => type === 'form') ?? false;
}

/** Fetches the code that reads forms; it has to be there before such an inquiry is opened. */
export async function fetchForms(): Promise<void> {
  ready ??= await import('./answering.ts');
}
