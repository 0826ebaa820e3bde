import type { Page } from '@playwright/test';

/** The declarations of each kind of element. */
export type Layout = Record<string, string[]>;

/** How each kind of element of the open page is laid out, by its name and those of what holds it; not what it says. */
export function layout(page: Page): Promise<Layout> {
  return page.evaluate(LAYOUT);
}

const LAYOUT = `(() => {
  const named = ({ tagName, classList }) => [tagName.toLowerCase(), ...classList].join('.');
  const kept = ['display', 'padding', 'margin', 'font-size', 'font-family', 'line-height', 'white-space',
    'min-height', 'min-width', 'max-width', 'background-image', 'border-width', 'gap', 'position', 'text-align', 'flex'];
  const found = {};
  for (const element of document.querySelectorAll('.side *, .page *')) {
    if (element.closest('svg, option')) continue;
    const style = getComputedStyle(element);
    const path = [];
    for (let at = element; at && !at.matches('.side, .page'); at = at.parentElement) path.unshift(named(at));
    found[path.join(' ')] ??= kept.map((name) => name + ': ' + style.getPropertyValue(name));
  }
  return found;
})()`;
