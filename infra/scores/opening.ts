import type { BrowserContext, Page } from '@playwright/test';

/** So much slower than this machine's is the processor that these figures are for. */
export const SLOWER = 4;
const ROUNDS = 5;

/** When (ms since the page was asked for, or its row was pressed) the question could be read, and answered. */
type Times = { readableMs: number; interactiveMs: number };

// Readable: question and prompt, or calls, stand there and were drawn. Interactive: so is the button that decides, and
// the frame after it is free. In a frame each, for what looks more often takes from what it measures.
const WATCH = `window.watchInquiry = (from) => {
  const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now() - from))));
  const stands = (selector) => new Promise((done) => {
    const look = () => (document.querySelector(selector) ? drawn().then(done) : requestAnimationFrame(look));
    look();
  });
  window.inquiryTimes = Promise.all([
    stands('.inquiry .panel #ask'),
    stands('.inquiry .bar-do .button'),
  ]).then(([readableMs, interactiveMs]) => ({ readableMs, interactiveMs }));
};`;

/** How long an inquiry takes to be readable and interactive (the median of five each), from an open inbox and from nothing, on a processor four times slower. */
export async function openingTimes(
  context: BrowserContext,
  origin: string,
  inquiryId: string,
): Promise<{ open: Times; cold: Times }> {
  const open: Times[] = [];
  const cold: Times[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await slowPage(context);
    await page.goto(`${origin}/i/${inquiryId}`);
    cold.push(await timesOf(page));
    await page.goto(origin);
    const entry = page.locator(`a.entry[href="/i/${inquiryId}"]`);
    await entry.waitFor();
    // An open page has fetched ahead what its inquiries need.
    await page.waitForLoadState('networkidle');
    await page.evaluate(
      `watchInquiry(performance.now()); document.querySelector('a.entry[href="/i/${inquiryId}"]').click()`,
    );
    open.push(await timesOf(page));
    await page.close();
  }
  return { open: medians(open), cold: medians(cold) };
}

// Watched from the first moment: what asks only once the page has loaded counts what it waited for as well.
async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(`${WATCH} watchInquiry(0);`);
  return page;
}

async function timesOf(page: Page): Promise<Times> {
  return (await page.evaluate('inquiryTimes')) as Times;
}

function medians(all: Times[]): Times {
  return {
    readableMs: median(all.map(({ readableMs }) => readableMs)),
    interactiveMs: median(all.map(({ interactiveMs }) => interactiveMs)),
  };
}

/** The middle one of these. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
