/** True where the command key is drawn ⌘: Macs, iPhones and iPads. */
const onApple = typeof navigator !== 'undefined' && /^(Mac|iP)/.test(navigator.platform);

/** The key that is held with another: ⌘ on Apple's devices, Ctrl elsewhere. */
export const COMMAND = onApple ? '⌘' : 'Ctrl';

/** What sends while a text is written, as it is drawn on a button. */
export const SEND_KEYS = onApple ? '⌘↵' : 'Ctrl ↵';
