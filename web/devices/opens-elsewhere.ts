/** Whether another device can open an address: not when it names the device that opens it, nor, fully, without https. */
export function opensElsewhere(origin: string): 'ok' | 'local' | 'plain' {
  const { hostname, protocol } = new URL(origin);
  if (/(^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname)) return 'local';
  return protocol === 'https:' ? 'ok' : 'plain';
}
