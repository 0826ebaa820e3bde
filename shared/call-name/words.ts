import type { Language } from '../texts/language.ts';

const en = {
  run: 'Run',
  write: 'Write',
  read: 'Read',
  fetch: 'Fetch',
  to: ' to ',
  comma: ', ',
  stop: '.',
  files: (count: number) => `${count} files`,
  entries: (count: number) => `${count} ${count === 1 ? 'entry' : 'entries'}`,
  noArguments: 'no arguments',
  args: (count: number) => `${count} ${count === 1 ? 'argument' : 'arguments'}`,
  server: (name: string) => ` (${name})`,
  calls: (count: number, of: string) => `${count} calls: ${of}`,
};

/** The words of a call's name. */
export const WORDS: Record<Language, typeof en> = {
  en,
  zh: {
    run: '执行',
    write: '写入',
    read: '读取',
    fetch: '获取',
    to: ' 至 ',
    comma: '，',
    stop: '。',
    files: (count) => `${count} 个文件`,
    entries: (count) => `${count} 项`,
    noArguments: '无参数',
    args: (count) => `${count} 个参数`,
    server: (name) => `（${name}）`,
    calls: (count, of) => `${count} 个调用：${of}`,
  },
};
