import { toCard } from './cards.ts';
import { forgetKept, keepMemory, queueAnswer, recallMemory, recallToken } from './memory.ts';
import type { Browser } from './run.ts';
import type { Card, Engine, PageTold } from './world.ts';

const POST_MS = 8_000;

/** The real browser behind the worker. */
export function openBrowser(worker: ServiceWorkerGlobalScope): Browser {
  const { registration, navigator } = worker;
  const pages = () => worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const seen = async () => (await pages()).filter((page) => page.visibilityState === 'visible');
  return {
    engine: readEngine(navigator.userAgent),
    maxActions: (Notification as { maxActions?: number }).maxActions ?? 0,
    lang: /^zh\b/i.test(navigator.language) ? 'zh' : 'en',
    now: Date.now,
    cards: async () => (await registration.getNotifications()).map((shown) => toCard(shown)),
    visible: async () => (await seen()).length > 0,
    show: (card) => registration.showNotification(card.title, toOptions(card)),
    async close(tags) {
      for (const shown of await registration.getNotifications()) if (tags.includes(shown.tag)) shown.close();
    },
    later: (ms, then) => void setTimeout(then, ms),
    recall: () => recallMemory().catch(() => ({ settled: [], badge: 0 })),
    keep: keepMemory,
    async forget(what) {
      await forgetKept(what);
      if (what === 'notes') return;
      await (await registration.pushManager.getSubscription())?.unsubscribe();
    },
    async badge(count) {
      await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.());
    },
    async open(path) {
      // WebKit refuses to focus some windows, and each engine opens one only soon after a tap.
      const windows = (await pages()) as WindowClient[];
      const page = windows.find(({ visibilityState }) => visibilityState === 'visible') ?? windows[0];
      if (!page) return (await worker.clients.openWindow(path).catch(() => null)) !== null;
      page.postMessage({ type: 'open', path } satisfies PageTold);
      return page.focus().then(
        () => true,
        () => page.visibilityState === 'visible',
      );
    },
    async tell(message) {
      for (const page of await pages()) page.postMessage(message);
    },
    post: (path, body) => callAsDevice('POST', path, body),
    queue: (pressed) => queueAnswer(pressed, Date.now()),
  };
}

/** One call of the hub as this device; status 0 when there was no reply. */
export async function callAsDevice(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(path, {
      method,
      headers: {
        authorization: `Bearer ${(await recallToken()) ?? ''}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'omit',
      redirect: 'manual',
      keepalive: true,
      signal: AbortSignal.timeout(POST_MS),
    });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  } catch {
    return { status: 0, body: undefined };
  }
}

// Every browser of iOS is WebKit, whatever it calls itself; none of them says "Chrome/" or "Firefox/" there.
function readEngine(userAgent: string): Engine {
  if (userAgent.includes('Firefox/')) return 'firefox';
  return /Chrom(?:e|ium)\//.test(userAgent) ? 'chromium' : 'webkit';
}

// TypeScript's DOM has none of the members that only some engines have.
function toOptions(card: Card): NotificationOptions {
  const { tag, body, lang, silent, kind, actions, reply } = card;
  const write = reply ? [{ action: 'reply', type: 'text', title: reply.title, placeholder: reply.placeholder }] : [];
  return {
    tag,
    body,
    lang,
    silent,
    data: card,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    renotify: !silent,
    requireInteraction: kind === 'ask',
    actions: [...actions.map(({ action, title }) => ({ action, title })), ...write],
  } as NotificationOptions;
}
