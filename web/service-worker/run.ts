import { decide } from './decide.ts';
import type { Card, Engine, Operation, PageTold, Pressed, WorkerEvent } from './world.ts';

/** What the worker remembers between two events; a browser ends it whenever it likes. */
export type Memory = { settled: string[]; badge: number };

/** The browser, as far as the worker needs it. */
export type Browser = {
  engine: Engine;
  maxActions: number;
  lang: 'en' | 'zh';
  now(): number;
  cards(): Promise<Card[]>;
  visible(): Promise<boolean>;
  show(card: Card): Promise<void>;
  /** Closes every card with one of the tags, as far as the engine lets go of it. */
  close(tags: string[]): Promise<void>;
  later(ms: number, then: () => void): void;
  recall(): Promise<Memory>;
  keep(memory: Memory): Promise<void>;
  forget(what: 'notes' | 'everything'): Promise<void>;
  badge(count: number): Promise<void>;
  /** Brings a page of ours to the front at that path; false when the browser did not let it. */
  open(path: string): Promise<boolean>;
  tell(message: PageTold): Promise<void>;
  /** POSTs as this device; status 0 when there was no reply. */
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>;
  /** Puts an answer where the page's outbox finds it. */
  queue(pressed: Pressed): Promise<void>;
};

const REMEMBERED = 300;

/**
 * Handles one event after the other: Chromium loses the record of a notification when it is read and another shown
 * at the same time. What needs the network or a page is done beside, so that a slow hub delays no question.
 */
export function startWorker(browser: Browser): (event: WorkerEvent) => Promise<void> {
  const { engine, maxActions, lang } = browser;
  let last: Promise<unknown> = Promise.resolve();
  return handle;

  async function handle(event: WorkerEvent): Promise<void> {
    const turn = last.then(() => decideAndShow(event));
    last = turn.catch(() => undefined);
    await Promise.all((await turn).map(send));
  }

  async function decideAndShow(event: WorkerEvent): Promise<Operation[]> {
    const { settled, badge } = await browser.recall();
    const visible = await browser.visible();
    const cards = await browser.cards();
    const world = { now: browser.now(), engine, maxActions, lang, visible, cards, badge, settled: new Set(settled) };
    const operations = decide(event, world);
    // One that fails must not keep the others from being done; the first of them may be what the engine insists on.
    for (const operation of operations) await perform(operation).catch(() => undefined);
    return operations.filter((operation) => ['open', 'report', 'answer'].includes(operation.do));
  }

  async function perform(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'show':
        return browser.show(operation.card);
      case 'close':
        return browser.close(operation.tags);
      case 'closeLater':
        return browser.later(operation.ms, () => void handle({ type: 'rested', tag: operation.tag }));
      case 'remember': {
        const memory = await browser.recall();
        const settled = [...new Set([...memory.settled, ...operation.ids])].slice(-REMEMBERED);
        return browser.keep({ ...memory, settled });
      }
      case 'badge': {
        const memory = await browser.recall();
        // Nothing is written into a store that was just emptied.
        if (memory.badge !== operation.count) await browser.keep({ ...memory, badge: operation.count });
        return browser.badge(operation.count);
      }
      case 'forget':
        return browser.forget(operation.what);
      case 'wake':
        return browser.tell({ type: 'wake' });
      case 'queue':
        await browser.queue(operation.pressed);
        return browser.tell({ type: 'queued' });
      case 'open':
      case 'report':
      case 'answer':
    }
  }

  async function send(operation: Operation): Promise<void> {
    if (operation.do === 'open') {
      const { path, unsent } = operation;
      if (!(await browser.open(path)) && unsent) await handle({ type: 'shut', path, lang: unsent });
    }
    if (operation.do === 'report') await browser.post(operation.path, operation.body);
    if (operation.do !== 'answer') return;
    const { pressed } = operation;
    const reply = await browser.post(`/v1/inquiries/${pressed.inquiryId}/answer`, pressed.body);
    await handle({ type: 'replied', pressed, ...reply });
  }
}
