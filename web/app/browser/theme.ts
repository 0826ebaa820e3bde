import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

/** How this device shows the page. */
export const theme = signal<Theme>(readTheme());

/** Chooses how this device shows the page, and keeps it. */
export function chooseTheme(next: Theme): void {
  theme.value = next;
  try {
    if (next === 'system') localStorage.removeItem('theme');
    else localStorage.setItem('theme', next);
  } catch {
    // It holds until the page is closed.
  }
  applyTheme();
}

/** Puts the chosen theme on the page. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset['theme'];
  else dataset['theme'] = theme.value;
}

function readTheme(): Theme {
  try {
    const saved = localStorage.getItem('theme');
    return saved === 'light' || saved === 'dark' ? saved : 'system';
  } catch {
    return 'system';
  }
}
