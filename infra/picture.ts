import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Locator, type Page } from '@playwright/test';
import { claudeOnTerminal } from '../e2e/binaries/claude.ts';
import { startOnTerminal } from '../e2e/binaries/terminal.ts';
import { quickChromium } from '../e2e/chromium.ts';
import { startHub } from '../e2e/hub/hub.ts';
import { packagesOf } from '../e2e/hub/packages.ts';
import { addSource } from '../e2e/hub/people.ts';
import { settle } from '../e2e/page/scene.ts';
import { enterByLink } from '../e2e/page/sign-in.ts';
import { develop, film, openTerminal, type Frame } from './picture/film.ts';

const SIZE = { cols: 76, rows: 30 };
/** A frame is shown no longer than this (ms), whatever the machine waited for, and no frame so short that it flickers. */
const [LONGEST, SHORTEST] = [1400, 70];
const LAST = 2500;
const call = { name: 'Bash', input: { command: 'npm run release -- 2.4', description: 'Release 2.4' } };
const manifest = { name: 'shop', private: true, scripts: { release: 'echo released' } };
const folder = import.meta.dirname;
const FINGER = `(element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  const finger = document.createElement('div');
  Object.assign(finger.style, {
    position: 'fixed', zIndex: 9, width: '44px', height: '44px', borderRadius: '50%', pointerEvents: 'none',
    background: 'rgb(120 120 120 / 55%)', left: left + width / 2 - 22 + 'px', top: top + height / 2 - 22 + 'px',
  });
  document.body.append(finger);
  setTimeout(() => finger.remove(), 700);
}`;

/** Films a real Claude Code, whose model is scripted, while its permission prompt is answered on a phone; writes the README's pictures. */
const ends: (() => unknown)[] = [];
try {
  const packages = await packagesOf(join(folder, 'picture'));
  const hub = await startHub();
  ends.push(() => hub.remove());
  const place = await settle(hub);
  const browser = await chromium.launch(quickChromium());
  ends.push(() => browser.close());
  const open = async (width: number, height: number): Promise<Page> =>
    (await browser.newContext({ viewport: { width, height }, locale: 'en-GB', serviceWorkers: 'block' })).newPage();
  const phone = await open(390, 760);
  await enterByLink(phone, await place.link(), 'Phone');
  const terminal = await open(640, 540);
  const write = await openTerminal(terminal, packages, SIZE);
  const { key } = await addSource(hub, place.mara, 'Claude Code');
  const run = await startOnTerminal(
    { after: (end) => ends.push(end as () => unknown) },
    { hub, owner: place.mara },
    claudeOnTerminal('Release 2.4.'),
    {
      calls: [call],
      key,
      folder: join(tmpdir(), 'shop'),
      deadline: 1800,
      first: async (at) => writeFileSync(join(at.folder, 'package.json'), JSON.stringify(manifest)),
    },
    { ...SIZE, hear: write },
  );
  const filming = film(terminal, phone);
  await run.shows('Do you want to proceed?');
  await tap(phone.locator('a.entry').first());
  await tap(phone.getByRole('button', { name: /^Approve/ }));
  await run.shows('Done.');
  await linger();
  const frames = toPace(await filming.stop());
  const asked = frames.findIndex(({ phone: seen }) => seen === longest(frames).phone);
  const pictures = await develop(await open(100, 100), packages, frames, asked);
  writeFileSync(join(folder, 'two-devices.gif'), pictures.moving);
  writeFileSync(join(folder, 'two-devices.png'), pictures.still);
  const seconds = frames.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  process.stdout.write(
    `${frames.length} frames, ${seconds.toFixed(1)} s, ${(pictures.moving.length / 1024).toFixed(0)} KB\n`,
  );
} finally {
  for (const end of ends.toReversed()) await end();
}

function linger(): Promise<void> {
  return new Promise((done) => setTimeout(done, LONGEST));
}

function longest(frames: Frame[]): Frame {
  return frames.reduce((most, frame) => (frame.ms > most.ms ? frame : most));
}

function toPace(frames: Frame[]): Frame[] {
  return frames.map((frame, at) => ({
    ...frame,
    ms: at === frames.length - 1 ? LAST : Math.min(LONGEST, Math.max(SHORTEST, frame.ms)),
  }));
}

/** Presses it under a finger that can be seen, when it has stood there for a moment. */
async function tap(target: Locator): Promise<void> {
  await target.waitFor();
  await linger();
  await target.evaluate(FINGER);
  await new Promise((done) => setTimeout(done, 500));
  await target.click();
}
