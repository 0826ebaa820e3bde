import { language } from '../../ui/language.ts';

const en = {
  whose: (source: string) => `What you write has a line at its edge; the rest is by ${source}.`,
  writeHere: 'Write here',
  tools: 'Text',
  bold: 'Bold',
  heading: 'Heading',
  list: 'List',
  code: 'Code',
  undo: 'Undo',
  nextGap: 'Next gap',
  filled: (filled: number, of: number) => `${filled} of ${of} ${of === 1 ? 'gap' : 'gaps'} filled.`,
};
const zh: typeof en = {
  whose: (source) => `左边有线的是你写的，其余出自 ${source}。`,
  writeHere: '写在这里',
  tools: '文字',
  bold: '加粗',
  heading: '标题',
  list: '列表',
  code: '代码',
  undo: '撤销',
  nextGap: '下一处空白',
  filled: (filled, of) => `已填 ${filled}/${of} 处空白。`,
};

/** The words around a document, in the page's language. */
export function documentWords(): typeof en {
  return language.value === 'zh' ? zh : en;
}
