import type { Page } from '@playwright/test';

/** Texts that reach beyond the window, where nothing scrolls them, and marks that begin a line without their word. */
export function badLines(page: Page): Promise<string[]> {
  return page.evaluate(BAD);
}

const BAD = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const within = text.parentElement;
    if (text.data.trim() === '' || !within.checkVisibility() || within.closest('.sr, select, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { right } = range.getBoundingClientRect();
    const scrolls = (element) => element && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    if (right > innerWidth + 1 && !scrolls(within)) found.push('cut: ' + text.data);
    const before = text.previousSibling;
    if (!/^[,.;:?!)，。、；：？！）”]/.test(text.data) || before?.nodeType !== Node.ELEMENT_NODE) continue;
    range.setEnd(text, 1);
    const mark = range.getBoundingClientRect();
    const boxes = before.getClientRects();
    const last = boxes[boxes.length - 1];
    if (last && mark.top >= last.bottom) found.push('begins a line: ' + text.data);
  }
  return found;
})()`;
