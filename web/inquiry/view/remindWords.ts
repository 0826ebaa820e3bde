import { say } from '../../ui/language.ts';

const en = {
  item: 'Remind me…',
  title: 'Remind me',
  choices: { hour: 'In 1 hour', tonight: 'Tonight', tomorrow: 'Tomorrow morning' },
  other: 'Another time…',
  at: 'Time',
  again: 'Show again',
  until: (when: string) => `Later, until ${when}.`,
  before: (when: string) => `by ${when}`,
  after: (when: string) => `${when}, after it is due`,
  near: (when: string) => `${when}, too close to when it is due`,
  hint: (asker: string, due: string) =>
    `Hidden on all your devices until then. ${asker} keeps waiting, and it is due ${due}.`,
  cancel: 'Cancel',
};

const zh: typeof en = {
  item: '稍后提醒…',
  title: '稍后提醒',
  choices: { hour: '1 小时后', tonight: '今晚', tomorrow: '明天早上' },
  other: '其他时间…',
  at: '时间',
  again: '重新显示',
  until: (when) => `稍后，到 ${when}。`,
  before: (when) => `不晚于 ${when}`,
  after: (when) => `${when}，已过到期时间`,
  near: (when) => `${when}，离到期太近`,
  hint: (asker, due) => `到时之前在所有设备上隐藏。${asker} 继续等待，${due} 到期。`,
  cancel: '取消',
};

/** The words of setting an inquiry apart, in the page's language. */
export function remindWords() {
  return say({ en, zh });
}
