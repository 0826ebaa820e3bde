// The build writes these two in front of the worker: the paths of all built files, and a hash of them.
declare const SHELL: string[];
declare const VERSION: string;

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
    if (request.mode === 'navigate' && url.pathname === '/share') event.respondWith(kept(new Request('/')));
    else if (request.mode === 'navigate' && isPage(url.pathname)) event.respondWith(fresh(request));
    else if (SHELL.includes(url.pathname)) event.respondWith(kept(request));
  });
}

// What the hub answers (/v1, /live, /docs, /healthz …) is never this worker's business.
function isPage(path: string): boolean {
  return /^\/(?:i\/[^/]+|history|devices|connect|settings|enroll)?$/.test(path);
}

async function fresh(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match('/')) ?? Response.error();
  }
}

async function kept(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}
