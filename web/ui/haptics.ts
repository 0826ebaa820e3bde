const PATTERNS = { pick: 8, won: 20, taken: [14, 70, 14] };

/** A short vibration, where the device has one and the person wants things to move: light on a pick, soft when an answer won, double when an inquiry was taken away. */
export function vibrate(pattern: keyof typeof PATTERNS): void {
  if (!navigator.userActivation?.hasBeenActive || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  navigator.vibrate?.(PATTERNS[pattern]);
}
