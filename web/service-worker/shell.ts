// The build writes these in front of the worker: the paths of all built files, a hash of them, and the page's own paths.
declare const SHELL: string[];
declare const VERSION: string;
declare const PAGES: RegExp;

const CACHE = `shell-${VERSION}`;

/** Keeps the page's files, so that it opens without a line. */
export function serveShell(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('install', (event) => {
    event.waitUntil(fill());
    void worker.skipWaiting();
  });

  worker.addEventListener('activate', (event) => {
    const clean = async () => {
      for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
      await worker.clients.claim();
    };
    event.waitUntil(clean());
  });

  worker.addEventListener('fetch', (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.origin !== worker.location.origin) return;
    // What somebody shares stands in the address; it stays on this device until they send it.
    if (request.mode === 'navigate' && url.pathname === '/share') event.respondWith(saved(new Request('/')));
    // What the hub answers (/v1, /live, /docs, /healthz …) is never this worker's business.
    else if (request.mode === 'navigate' && PAGES.test(url.pathname)) event.respondWith(fresh(request));
    else if (SHELL.includes(url.pathname)) event.respondWith(saved(request));
  });
}

// Keeps all of them or none: a network that wants a sign-in replies to everything with a page of its own, and while hubs
// are replaced one of the version before may reply with its own page.
async function fill(): Promise<void> {
  const replies = await Promise.all(SHELL.map((path) => fetch(path)));
  const pages = replies.filter(({ ok, headers }) => !ok || headers.get('content-type')?.includes('html'));
  const [asset = ''] = /\/assets\/[^"]+/.exec((await pages[0]?.clone().text()) ?? '') ?? [];
  if (pages.length !== 1 || !SHELL.includes(asset)) throw new Error();
  const cache = await caches.open(CACHE);
  await Promise.all(replies.map((reply, at) => cache.put(SHELL[at] ?? '', reply)));
}

async function fresh(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match('/')) ?? Response.error();
  }
}

async function saved(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}
