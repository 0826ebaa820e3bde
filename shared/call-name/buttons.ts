import type { ActionOption } from '../inquiry.ts';
import type { Language } from '../texts/language.ts';
import { labelsOf, lookOf } from './labels.ts';

const VERBS = { en: { approve: 'Approve', reject: 'Reject' }, zh: { approve: '批准', reject: '拒绝' } };

/** What stands on a sender's own buttons: the hub's verb, beside it the sender's words as a quotation, and what tells two buttons apart. */
export function buttonsOf(options: readonly ActionOption[], language: Language): string[] {
  return labelsOf(
    options.map(({ id, label, type }) => {
      const verb = VERBS[language][type];
      // The verb that they begin with is the hub's then.
      const more = label
        .trim()
        .replace(/[“”]/g, '"')
        .replace(new RegExp(`^(?:${type}\\b|${verb}(?!\\w))[\\s:：,，]*`, 'i'), '');
      return { value: id, label: lookOf(more) === '' ? verb : `${verb}${language === 'zh' ? '' : ' '}“${more}”` };
    }),
  );
}
