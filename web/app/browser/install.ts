import { computed, signal } from '@preact/signals';

/** Chromium's event, which no standard names yet (WICG manifest-incubations). */
type InstallEvent = Event & { prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }> };

const offer = signal<InstallEvent | undefined>(undefined);

/** How this device could be asked to install the page now: by the browser's own prompt, by hand (iOS), or not. */
export const installable = computed<'prompt' | 'ios' | undefined>(() => {
  if (isInstalled()) return undefined;
  if (offer.value) return 'prompt';
  return isIos() && isSecureContext ? 'ios' : undefined;
});

/** Keeps the browser's offer until somebody asks for it. */
export function catchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer.value = event as InstallEvent;
  });
  addEventListener('appinstalled', () => (offer.value = undefined));
}

/** Shows the browser's install prompt; it can be shown once. */
export async function install(): Promise<void> {
  const event = offer.value;
  offer.value = undefined;
  await event?.prompt();
}

/** True in a window of its own, as an installed page has. */
export function isInstalled(): boolean {
  // Safari's own word, which every iOS knows.
  const { standalone } = navigator as Navigator & { standalone?: boolean };
  return standalone === true || matchMedia('(display-mode: standalone)').matches;
}

/** True on an iPhone or iPad. iPadOS says it is a Mac; a Mac has no touch screen. */
export function isIos(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
  );
}
