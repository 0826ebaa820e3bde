import { say } from '../ui/language.ts';

const words = {
  en: { on: ' on ', end: '', other: 'Browser' },
  zh: { on: '（', end: '）', other: '浏览器' },
};

/** A first name for this device, from what its browser says of itself; the person may write another. */
export function guessDeviceName(userAgent: string, touchPoints: number): string {
  if (/iPhone/.test(userAgent)) return 'iPhone';
  // iPadOS says it is a Mac; a Mac has no touch screen.
  if (/iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)) return 'iPad';
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (system && browser) return browser + say(words).on + system + say(words).end;
  return browser ?? system ?? say(words).other;
}

/** Which drawing stands for a device. */
export function deviceIcon({
  name,
  userAgent,
}: {
  name: string;
  userAgent: string;
}): 'phone' | 'tablet' | 'laptop' | 'browser' | 'terminal' {
  if (/iPad|Tablet/i.test(`${userAgent} ${name}`)) return 'tablet';
  if (/iPhone|Mobile|Android/i.test(userAgent) || /phone|pixel/i.test(name)) return 'phone';
  if (/Macintosh|Windows|Linux|CrOS/.test(userAgent)) return 'laptop';
  return userAgent.startsWith('Mozilla/') ? 'browser' : 'terminal';
}

/** The browser and system a device says it is, for a person to recognise it by. */
export function readBrowser(userAgent: string): string {
  return userAgent.startsWith('Mozilla/') ? guessDeviceName(userAgent, 0) : userAgent.split(' ')[0] || '?';
}

const systems: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

// Order matters: every Chromium says "Safari", and Edge and Opera say "Chrome".
const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
