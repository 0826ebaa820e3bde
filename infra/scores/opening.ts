import type { BrowserContext, Page } from '@playwright/test';

/** So much slower than this machine's is the processor that these figures are for. */
export const SLOWER = 4;
const ROUNDS = 5;

// Interactive: the letter's deciding button stands there, and the next frame after it is drawn and free.
const INTERACTIVE = `new Promise((done) => {
  const look = () => {
    if (!document.querySelector('.letter .bar-do .slab')) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => done(performance.now())));
  };
  look();
})`;

/** How long a letter takes to be interactive (ms, the median of five), from an open inbox and from nothing, on a processor four times slower. */
export async function openingTimes(
  context: BrowserContext,
  origin: string,
  inquiryId: string,
): Promise<{ openMs: number; coldMs: number }> {
  const open: number[] = [];
  const cold: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await slowPage(context);
    await page.goto(`${origin}/i/${inquiryId}`);
    cold.push(Number(await page.evaluate(INTERACTIVE)));
    await page.goto(origin);
    const entry = page.locator(`a.entry[href="/i/${inquiryId}"]`);
    await entry.waitFor();
    // An open page has fetched ahead what its letters need.
    await page.waitForLoadState('networkidle');
    open.push(
      Number(
        await page.evaluate(`(async () => {
      const from = performance.now();
      document.querySelector('a.entry[href="/i/${inquiryId}"]').click();
      return await ${INTERACTIVE} - from;
    })()`),
      ),
    );
    await page.close();
  }
  return { openMs: median(open), coldMs: median(cold) };
}

async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return page;
}

/** The middle one of these. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
