/** Whether another device can open an address: not when it names the device that opens it, nor, fully, without https. */
export function opensElsewhere(origin: string): 'ok' | 'local' | 'plain' {
  const { hostname, protocol } = new URL(origin);
  if (/(^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname)) return 'local';
  return protocol === 'https:' ? 'ok' : 'plain';
}

/** How the command line is called where the hub runs from a clone, and in the guides. */
export const IN_A_CLONE = 'npm run -s beckon --';

/** How it is called on the hub's machine: the hub writes it into the page where it runs from its package. */
export function commandLine(): string {
  return document.documentElement.dataset['command'] ?? IN_A_CLONE;
}
