import { language } from '../../ui/language.ts';
import { capital, countWord } from '../../ui/times.ts';

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
  filled: (filled: number, of: number) => {
    if (filled === of && of === 2) return 'Both gaps are filled.';
    if (filled === of) return of === 1 ? 'The one gap is filled.' : `All ${countWord(of, 'en')} gaps are filled.`;
    return `${capital(countWord(filled, 'en'))} of ${countWord(of, 'en')} filled.`;
  },
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
  nextGap: '下一处',
  filled: (filled, of) => (filled === of ? `${of} 处都填好了。` : `共 ${of} 处，填了 ${filled} 处。`),
};

/** The words around a document, in the page's language. */
export function documentWords(): typeof en {
  return language.value === 'zh' ? zh : en;
}
