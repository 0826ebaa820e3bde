import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';

// What the build writes in front of the worker.
Object.assign(globalThis, { VERSION: 'new', PAGES: /^\// });
// By a name that is no constant, since the types of a worker are not those of a test.
const shell = './shell.ts';
const { serveShell } = (await import(shell)) as { serveShell(worker: object): void };

const PAGE = '<script type="module" src="/assets/main-new.js"></script>';
const FILES: Record<string, string> = { '/': PAGE, '/icon.svg': '<svg/>', '/assets/main-new.js': 'go()' };

/** What a worker has kept once it was installed over a network that replies like this; undefined where it was not installed. */
async function installed(reply: (path: string) => Response): Promise<string[] | undefined> {
  const kept: string[] = [];
  let installing: Promise<unknown> | undefined;
  const parts = {
    SHELL: Object.keys(FILES),
    fetch: async (path: string) => reply(path),
    caches: { open: async () => ({ put: async (path: string) => void kept.push(path) }) },
  };
  const before = Object.fromEntries(Object.keys(parts).map((name) => [name, Reflect.get(globalThis, name)]));
  Object.assign(globalThis, parts);
  try {
    serveShell({
      addEventListener: (name: string, listen: (event: object) => void) =>
        name === 'install' && listen({ waitUntil: (work: Promise<unknown>) => (installing = work) }),
      skipWaiting: async () => {},
    });
    return await installing?.then(
      () => kept,
      () => undefined,
    );
  } finally {
    Object.assign(globalThis, before);
  }
}

const file = (path: string, text = FILES[path]) =>
  new Response(text, { headers: { 'content-type': path === '/' ? 'text/html' : 'text/javascript' } });
const portal = () =>
  new Response('<title>Welcome</title>', { headers: { 'content-type': 'text/html; charset=utf-8' } });

test('a worker keeps the page whole or is not installed', async () => {
  const whole = await installed((path) => file(path));
  const ofAPortal = await installed(portal);
  const oneOfAPortal = await installed((path) => (path.endsWith('.js') ? portal() : file(path)));
  const olderPage = await installed((path) => file(path, FILES[path]?.replace('main-new', 'main-old')));
  const oneGone = await installed((path) => (path === '/icon.svg' ? new Response('', { status: 404 }) : file(path)));
  deepStrictEqual(
    { whole, ofAPortal, oneOfAPortal, olderPage, oneGone },
    {
      whole: Object.keys(FILES),
      ofAPortal: undefined,
      oneOfAPortal: undefined,
      olderPage: undefined,
      oneGone: undefined,
    },
  );
});
