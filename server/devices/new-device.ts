import type { FastifyRequest } from 'fastify';

/** What is known of a device before it is let in. */
export type NewDevice = { deviceName: string; userAgent: string; address: string };

/** What a request tells of the device behind it; without a name of its own it is called after its browser. */
export function describeDevice(request: FastifyRequest, deviceName: string | undefined): NewDevice {
  const userAgent = (request.headers['user-agent'] ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 300);
  return { deviceName: deviceName ?? nameFrom(userAgent), userAgent, address: request.ip };
}

/** A name a person recognises, such as "Firefox on Android". */
export function nameFrom(userAgent: string): string {
  const browser = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'New device';
}

// In this order: each browser also claims to be those below it, each phone to be a desktop.
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Macintosh', 'Mac'],
  ['Linux', 'Linux'],
] as const;
