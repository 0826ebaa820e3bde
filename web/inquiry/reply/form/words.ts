import { say } from '../../../ui/language.ts';
import { spaced } from '../../../ui/sentence/spaced.ts';

const characters = (count: number) => (count === 1 ? 'character' : 'characters');

const en = {
  yes: 'Yes',
  no: 'No',
  chooseOne: 'Choose one',
  fewer: 'One fewer',
  moreOf: 'One more',
  asJson: 'This form is answered as JSON.',
  schema: 'What it has to fit',
  range: (min: number | undefined, max: number | undefined) =>
    min !== undefined && max !== undefined
      ? `Any number from ${min} to ${max}.`
      : min !== undefined
        ? `${min} or more.`
        : `${max} or less.`,
  above: (than: number) => `More than ${than}.`,
  below: (than: number) => `Less than ${than}.`,
  step: (step: number) => `In steps of ${step}.`,
  whole: 'A whole number.',
  zone: (zone: string) => `In the time of ${zone.replace('_', ' ')}.`,
  written: (format: string) => `Written as ${format}.`,
  bringBack: (suggested: string) => `Bring back ${suggested}`,
  length: (min: number | undefined, max: number | undefined) =>
    min && max !== undefined
      ? `${min} to ${max} characters.`
      : min
        ? `At least ${min} ${characters(min)}.`
        : `At most ${max} ${characters(max ?? 0)}.`,
  email: 'An e-mail address.',
  uri: 'A whole web address, with https://.',
  pattern: (pattern: string) => `Has to fit the pattern ${pattern}.`,
};

const zh: typeof en = {
  yes: '是',
  no: '否',
  chooseOne: '选一个',
  fewer: '少一个',
  moreOf: '多一个',
  asJson: '这张表单用 JSON 作答。',
  schema: '要符合的格式',
  range: (min, max) =>
    min !== undefined && max !== undefined
      ? `${min} 到 ${max} 之间的数。`
      : min !== undefined
        ? `不小于 ${min}。`
        : `不大于 ${max}。`,
  above: (than) => `大于 ${than}。`,
  below: (than) => `小于 ${than}。`,
  step: (step) => `每次加减 ${step}。`,
  whole: '一个整数。',
  zone: (zone) => `按 ${zone.replace('_', ' ')} 的时间。`,
  written: (format) => `写成 ${format} 的格式。`,
  bringBack: (suggested) => `恢复${spaced(suggested)}`,
  length: (min, max) =>
    min && max !== undefined ? `${min} 到 ${max} 个字。` : min ? `至少 ${min} 个字。` : `至多 ${max} 个字。`,
  email: '一个电子邮箱地址。',
  uri: '完整的网址，以 https:// 开头。',
  pattern: (pattern) => `要符合格式 ${pattern}。`,
};

/** The words of a form's fields in the page's language. */
export function formTexts() {
  return say({ en, zh });
}
