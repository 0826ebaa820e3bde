/** What this device was told once and need not be told again; no secret is ever kept here. */
export type Choice = 'plainHttp' | 'noNotifications' | `zone:${string}`;

/** Remembers the choice, where the browser lets the page. */
export function choose(choice: Choice): void {
  try {
    localStorage.setItem(`beckon.${choice}`, 'yes');
  } catch {
    // It holds until the page is closed.
  }
}

export function isChosen(choice: Choice): boolean {
  try {
    return localStorage.getItem(`beckon.${choice}`) === 'yes';
  } catch {
    return false;
  }
}
