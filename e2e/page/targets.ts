import type { Page } from '@playwright/test';

/** What a finger may miss on the page as it stands: each control whose place to press is under 44 px high or wide. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(FIND) as Promise<string[]>;
}

// An inline link in a text is as high as its line (WCAG 2.2, 2.5.8), and a control beyond the screen is measured where it is.
const FIND = `(() => {
  const LEAST = 44;
  const controls = 'button, a[href], select, textarea, summary, [role=button], label:has(input[type=radio], input[type=checkbox]), input:not([type=radio]):not([type=checkbox])';
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const near = (element, x, y) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (element.contains(hit) || hit.closest('label')?.contains(element) || hit.closest('a, button, label, summary') === element);
  };
  const found = [];
  for (const element of document.querySelectorAll(controls)) {
    if (!seen(element) || element.classList.contains('skip') || element.closest('[inert]')) continue;
    const inText = getComputedStyle(element).display === 'inline' && element.closest('p, li, dd, td, .prose, .say');
    if (inText) continue;
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { left, top, width, height } = (element.matches('label *') ? element.closest('label') : element).getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const half = LEAST / 2 - 1;
    const wide = width >= LEAST - 0.5 || (near(element, x - half, y) && near(element, x + half, y));
    const high = height >= LEAST - 0.5 || (near(element, x, y - half) && near(element, x, y + half));
    if (!wide || !high) found.push(element.tagName.toLowerCase() + '.' + element.className + ' "' + (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 30) + '" ' + Math.round(width) + 'x' + Math.round(height));
  }
  scrollTo(0, 0);
  return found;
})()`;
