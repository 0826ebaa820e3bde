import { say } from '../../ui/language.ts';

const en = {
  leads: 'It opens',
  open: 'Open the page',
  openAgain: 'Open it again',
  done: 'Done',
  self: 'When you are finished there, say so here.',
  external: (source: string) => `${source} notices by itself when you are finished there. “Done” says you have gone.`,
  newTab: 'opens in a new tab',
};

const zh: typeof en = {
  leads: '它会打开',
  open: '打开网页',
  openAgain: '再打开一次',
  done: '完成',
  self: '在那边完成后，回到这里确认。',
  external: (source) => `在那边完成后，${source} 会自动得知。“完成”表示你已经去过。`,
  newTab: '在新标签页打开',
};

/** The words of a question whose answer is given on another page. */
export const linkWords = () => say({ en, zh });
