// The build writes these in front of the worker: the paths of all built files, a hash of them, and the page's own paths.
declare const SHELL: string[];
declare const VERSION: string;
declare const PAGES: RegExp;

const CACHE = `shell-${VERSION}`;

/** Keeps the page's files, so that it opens without a line. */
export function serveShell(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('install', (event) => {
    event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)));
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
