import type { Browser, Memory } from '../run.ts';
import type { Engine, PageTold, Pressed } from '../world.ts';
import { openScreen } from './screen.ts';
import { openTime } from './time.ts';

const QUOTA_LOOK_MS = 3_000;

/**
 * A desktop with one browser that punishes silent pushes as its engine does: Chromium one that ends with nothing on
 * the screen, WebKit one that showed nothing; Firefox takes one of 16 off when nothing is there 3 s later and nobody
 * visited. Time stands still until `pass`.
 */
export function openDesktop(engine: Engine) {
  const { clock, later, pass, endWorker } = openTime();
  const screen = openScreen(engine, clock);
  const happened = {
    silentPushes: 0,
    quota: 16,
    badge: 0,
    opened: [] as string[],
    told: [] as PageTold[],
    posted: [] as { path: string; body: unknown }[],
    queued: [] as Pressed[],
  };
  /** What the hub replies to a path; else 204. */
  const replies = new Map<string, { status: number; body: unknown }>();
  const page = { visible: false, visitedAt: 0, opens: true };
  let memory: Memory = { settled: [], badge: 0 };

  const browser: Browser = {
    engine,
    maxActions: engine === 'webkit' ? 0 : 2,
    lang: 'en',
    now: () => clock.now,
    cards: screen.cards,
    show: screen.show,
    close: screen.close,
    visible: async () => page.visible,
    later: (ms, run) => later('worker', ms, run),
    recall: async () => memory,
    keep: async (saved) => void (memory = saved),
    forget: async () => void (memory = { settled: [], badge: 0 }),
    badge: async (count) => void (happened.badge = count),
    open: async (path) => page.opens && happened.opened.push(path) > 0,
    tell: async (message) => void happened.told.push(message),
    post: async (path, body) => {
      happened.posted.push({ path, body });
      return replies.get(path) ?? { status: 204, body: undefined };
    },
    queue: async (pressed) => void happened.queued.push(pressed),
  };

  /** Delivers pushes at the same moment, and judges them as the engine does. */
  async function deliver(...pushes: (() => Promise<void>)[]): Promise<void> {
    const before = screen.count;
    const at = clock.now;
    await Promise.all(pushes.map((push) => push()));
    if (engine === 'chromium' && !page.visible && screen.shown.length === 0) happened.silentPushes += 1;
    if (engine === 'webkit' && screen.count - before < pushes.length) happened.silentPushes += 1;
    if (engine !== 'firefox') return;
    const judge = () => {
      if (page.visible || page.visitedAt >= at) happened.quota = 16;
      else if (screen.shown.length === 0) happened.quota -= pushes.length;
    };
    later('engine', QUOTA_LOOK_MS, judge);
  }

  function look(visible: boolean): void {
    if (page.visible || visible) page.visitedAt = clock.now;
    page.visible = visible;
  }

  const tags = () => screen.shown.map(({ card }) => `${card.kind} ${card.tag}`);
  return { browser, screen, happened, replies, page, deliver, pass, look, endWorker, tags };
}
