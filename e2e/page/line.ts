import type { Page } from '@playwright/test';

/** The line from the hub to a page, which can be held back: what the hub says waits, what the page says goes out, and nothing says that the hub is there. */
export type Line = { hold(): void; release(): void };

/** Stands between a page and the hub; call it before the page is opened. */
export async function holdableLine(page: Page): Promise<Line> {
  let held: (() => void)[] | undefined;
  await page.routeWebSocket(/\/live\//, (socket) => {
    const hub = socket.connectToServer();
    socket.onMessage((message) => hub.send(message));
    hub.onMessage((message) => {
      const pass = () => socket.send(message);
      if (held) held.push(pass);
      else pass();
    });
  });
  // A page whose line is silent while the hub replies reads over HTTP.
  await page.route('**/healthz', (route) => (held ? route.abort() : route.continue()));
  return {
    hold() {
      held ??= [];
    },
    release() {
      const waiting = held ?? [];
      held = undefined;
      for (const pass of waiting) pass();
    },
  };
}

/** The names of the live events that a page hears from now on; call it before the page is opened. */
export function heardBy(page: Page): string[] {
  const names: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const [, name] = /^42\["(\w+)"/.exec(String(payload)) ?? [];
      if (name !== undefined) names.push(name);
    });
  });
  return names;
}
