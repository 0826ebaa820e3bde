import { availableParallelism, loadavg } from 'node:os';
import type { BrowserContext, Page } from '@playwright/test';
import { must } from '../e2e/hub/call.ts';
import { startHub } from '../e2e/hub/hub.ts';
import { coldVisit } from '../e2e/page/cold.ts';
import { settle, type Place } from '../e2e/page/scene.ts';
import { openSigned, type Profile } from './scores/browser.ts';
import { lighthouseScores } from './scores/lighthouse.ts';
import { askMany, longListTimes, WAITING } from './scores/long-list.ts';
import { openingTimes, SLOWER } from './scores/opening.ts';
import { HEAVY } from './scores/samples.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** The least that Lighthouse's performance may be, of each page. */
const LEAST = 95;
/** So many questions wait on a busy day. */
const OPEN = 57;
// Others at work on a quarter of the processor take more from Lighthouse's figures than a change of the page does.
const QUIET = 0.25;

/** Prints how fast inquiries open on a slow phone, and Lighthouse's scores of the built page; `--quick` leaves Lighthouse out. Fails below 95 for performance on a quiet machine. */
const load = (loadavg()[0] ?? 0) / availableParallelism();
const hub = await startHub();
try {
  const place = await settle(hub);
  const browser = await openSigned(await place.link());
  try {
    say(
      `Load per processor: ${load.toFixed(2)}. ${load > QUIET ? 'This machine is not quiet: the figures below are too bad.' : 'This machine is quiet.'}`,
    );
    await firstVisits(place, browser.context);
    say(
      'Until an inquiry can be read / answered, processor 4x slower (aims: 300 ms from an open page, 1500 ms from nothing)',
    );
    say(`  ${''.padEnd(28)} ${'open page'.padStart(15)} ${'nothing'.padStart(15)}`);
    const ids: string[] = [];
    for (const [name, ask] of Object.entries(HEAVY)) {
      const { id } = await place.ask(ask);
      const { open, cold } = await openingTimes(browser.context, place.origin, id);
      const figures = [open, cold].map(
        (times) => `${times.readableMs.toFixed(0)} / ${times.interactiveMs.toFixed(0)} ms`,
      );
      say(`  ${name.padEnd(28)} ${figures.map((figure) => figure.padStart(15)).join(' ')}`);
      ids.push(id);
      await must(hub, `POST /v1/inquiries/${id}/dismiss`, { token: place.mara.token, body: {} });
    }
    const list = await longListTimes(place, browser.context);
    say(
      `An inbox of ${WAITING} questions, processor 4x slower: drawn from nothing after ${list.drawnMs.toFixed(0)} ms, one run of it selected after ${list.selectMs.toFixed(0)} ms`,
    );
    if (!process.argv.includes('--quick')) await score(place.origin, ids, await browser.leave());
  } finally {
    await browser.close();
  }
} finally {
  await hub.remove();
}

async function firstVisits(place: Place, context: BrowserContext): Promise<void> {
  say(
    'A first visit, processor 4x slower (aims: a question in 8 requests and 60 KB, a row of 57 in 10 and 65 KB, 1500 ms)',
  );
  const question = await place.ask({ title: 'Shall I deploy?', prompt: 'Everything is green.' });
  await firstVisit('a question to be read', await context.newPage(), place.origin, 'Shall I deploy?');
  await place.withdraw(question);
  const open = await askMany(place, OPEN);
  await firstVisit(`a row, ${OPEN} open`, await context.newPage(), place.origin, 'npm test -- part-');
  for (const inquiry of open) await place.withdraw(inquiry);
}

async function firstVisit(name: string, page: Page, url: string, text: string): Promise<void> {
  const { requests, scriptBytes, readableMs } = await coldVisit(page, url, text, SLOWER);
  await page.close();
  say(
    `  ${name.padEnd(28)} ${requests.length} requests, ${(scriptBytes / 1024).toFixed(1)} KB, ${readableMs.toFixed(0)} ms`,
  );
  say(`    ${requests.join(' ')}`);
}

async function score(origin: string, ids: string[], profile: Profile): Promise<void> {
  say('\nLighthouse on a slow phone (aim: 95 and more)        performance  accessibility  best practices');
  for (const path of ['/', `/i/${ids[0]}`, `/i/${ids[3]}`, '/history', '/settings']) {
    const scores = await lighthouseScores(origin + path, profile).catch((error: Error) => error);
    if (scores instanceof Error) {
      say(`  ${path}: ${scores.message.split('\n')[0]}`);
      process.exitCode = 1;
      continue;
    }
    const { performance, accessibility, 'best-practices': practices, faults } = scores;
    const figures = [performance, accessibility, practices].map((figure) => String(figure).padStart(13)).join('');
    say(`  ${path.padEnd(48)}${figures}`);
    for (const fault of faults) say(`    ${fault}`);
    if (performance < LEAST && load <= QUIET) process.exitCode = 1;
  }
}
