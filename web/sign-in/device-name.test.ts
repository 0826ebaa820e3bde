import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { language } from '../ui/language.ts';
import { readBrowser, deviceIcon, guessDeviceName } from './device-name.ts';

const agents = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  pixel:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

test('a device is named after its browser and system until the person names it', () => {
  deepStrictEqual(
    [
      guessDeviceName(agents.iphone, 5),
      guessDeviceName(agents.mac, 0),
      guessDeviceName(agents.mac, 5),
      guessDeviceName(agents.edge, 0),
      guessDeviceName(agents.pixel, 5),
      guessDeviceName(agents.firefox, 0),
      guessDeviceName('', 0),
    ],
    ['iPhone', 'Safari on Mac', 'iPad', 'Edge on Windows', 'Chrome on Android', 'Firefox on Linux', 'Browser'],
  );
});

test('the name is in the language of the page', () => {
  language.value = 'zh';
  try {
    deepStrictEqual(
      [guessDeviceName(agents.edge, 0), guessDeviceName(agents.iphone, 5), guessDeviceName('', 0)],
      ['Edge（Windows）', 'iPhone', '浏览器'],
    );
  } finally {
    language.value = 'en';
  }
});

test('a script that was let in is told apart from a browser', () => {
  const script = { name: 'test', userAgent: 'node/24' };
  deepStrictEqual(
    [deviceIcon(script), readBrowser(script.userAgent), deviceIcon({ name: 'Mine', userAgent: agents.pixel })],
    ['terminal', 'node/24', 'phone'],
  );
});
