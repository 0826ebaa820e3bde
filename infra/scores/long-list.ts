import type { BrowserContext } from '@playwright/test';
import type { Place } from '../../e2e/page/scene.ts';
import type { Ask } from '../../shared/inquiry.ts';
import { median, SLOWER } from './opening.ts';

/** So many questions wait at once. */
export const WAITING = 500;
const AT_ONCE = 25;
const ROUNDS = 5;

// Watched from the first moment, as `openingTimes` does.
const WATCH = `window.listDrawn = new Promise((done) => {
  const look = () => {
    if (!document.querySelector('a.row')) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => done(performance.now())));
  };
  look();
})`;
// Pressed until the frame in which every shown row can be selected.
const SELECT = `(async () => {
  const from = performance.now();
  document.querySelector('.bunch-head .quiet').click();
  await new Promise((done) => {
    const look = () =>
      document.querySelector('.row input') ? requestAnimationFrame(() => setTimeout(done)) : requestAnimationFrame(look);
    look();
  });
  return performance.now() - from;
})()`;

/** How long (ms, the median of five) a long inbox takes to be drawn from nothing, and to select one run of it, on a processor four times slower; what it asks is taken back. */
export async function longListTimes(
  place: Place,
  context: BrowserContext,
): Promise<{ drawnMs: number; selectMs: number }> {
  const asked = await askMany(place, WAITING);
  const drawn: number[] = [];
  const selected: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.addInitScript(WATCH);
    await page.goto(place.origin);
    drawn.push(Number(await page.evaluate('listDrawn')));
    await page.waitForLoadState('networkidle');
    selected.push(Number(await page.evaluate(SELECT)));
    await page.close();
  }
  for (const inquiry of asked) await place.withdraw(inquiry);
  return { drawnMs: median(drawn), selectMs: median(selected) };
}

/** Asks so many things of ten runs, every fifth a question. */
export async function askMany(place: Place, count: number): Promise<{ id: string }[]> {
  const asked: { id: string }[] = [];
  for (let first = 0; first < count; first += AT_ONCE) {
    const several = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, at) => place.ask(askOf(first + at)));
    asked.push(...(await Promise.all(several)));
  }
  return asked;
}

function askOf(at: number): Ask {
  const context = { runId: `run ${at % 10}`, cwd: '~/code/shop' };
  if (at % 5 === 0) return { prompt: `Which port does service ${at} listen on?`, context };
  return {
    actions: [{ name: 'Bash', args: { command: `npm test -- part-${at}` }, allowed: ['approve', 'reject'] }],
    context,
  };
}
