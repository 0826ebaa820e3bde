import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** What stood on both screens, for how long (ms). */
export type Frame = { terminal: string; phone: string; ms: number };

const LOOK_MS = 100;

/** Looks at both screens until it is stopped; what did not change is one frame. */
export function film(terminal: Page, phone: Page): { stop(): Promise<Frame[]> } {
  const frames: Frame[] = [];
  let on = true;
  const run = async () => {
    while (on) {
      const start = performance.now();
      const [left, right] = await Promise.all([shot(terminal), shot(phone)]);
      await new Promise((done) => setTimeout(done, Math.max(0, LOOK_MS - (performance.now() - start))));
      const ms = performance.now() - start;
      const last = frames.at(-1);
      if (last?.terminal === left && last.phone === right) last.ms += ms;
      else frames.push({ terminal: left, phone: right, ms });
    }
    return frames;
  };
  // A page that is gone has nothing more to show.
  const running = run().catch(() => frames);
  return {
    stop() {
      on = false;
      return running;
    },
  };
}

async function shot(page: Page): Promise<string> {
  return (await page.screenshot({ animations: 'allow', caret: 'initial' })).toString('base64');
}

/** A terminal drawn in `page`; what it is told to write stands there in this order. */
export async function openTerminal(
  page: Page,
  packages: string,
  size: { cols: number; rows: number },
): Promise<(words: string) => void> {
  const xterm = join(packages, 'node_modules/@xterm/xterm');
  await page.setContent('<body style="margin:0;padding:14px;background:#1b1a18"><div id="screen"></div>');
  await page.addStyleTag({ path: join(xterm, 'css/xterm.css') });
  await page.addScriptTag({ path: join(xterm, 'lib/xterm.js') });
  await page.evaluate(`window.term = new Terminal({
    cols: ${size.cols}, rows: ${size.rows}, fontSize: 13, fontFamily: 'DejaVu Sans Mono, monospace',
    theme: { background: '#1b1a18', foreground: '#eee6d8' }, allowProposedApi: true,
  }); term.open(document.getElementById('screen'))`);
  let written: Promise<unknown> = Promise.resolve();
  return (words) => {
    written = written.then(() => page.evaluate(`term.write(${JSON.stringify(words)})`)).catch(() => undefined);
  };
}

/** Both screens beside each other as one moving picture (GIF), and its frame number `still` as a PNG. */
export async function develop(
  page: Page,
  packages: string,
  frames: Frame[],
  still: number,
): Promise<{ moving: Buffer; still: Buffer }> {
  const gifenc = readFileSync(join(packages, 'node_modules/gifenc/dist/gifenc.esm.js')).toString('base64');
  await page.setContent('<canvas></canvas>');
  const [moving = '', png = ''] = (await page.evaluate(
    `(${DEVELOP})(${JSON.stringify(frames)}, ${still}, 'data:text/javascript;base64,${gifenc}')`,
  )) as string[];
  return { moving: Buffer.from(moving, 'base64'), still: Buffer.from(png, 'base64') };
}

// A pixel that did not change is transparent: most of a frame costs nothing.
const DEVELOP = `async (frames, still, gifenc) => {
  const { GIFEncoder, quantize, applyPalette } = await import(gifenc);
  const canvas = document.querySelector('canvas');
  const [WIDTH, HEIGHT, GAP] = [960, 560, 16];
  Object.assign(canvas, { width: WIDTH, height: HEIGHT });
  const brush = canvas.getContext('2d', { willReadFrequently: true });
  brush.imageSmoothingQuality = 'high';
  const draw = async ({ terminal, phone }) => {
    brush.fillStyle = '#d8ddd7';
    brush.fillRect(0, 0, WIDTH, HEIGHT);
    const pictures = await Promise.all([terminal, phone].map(async (data) => {
      const image = new Image();
      image.src = 'data:image/png;base64,' + data;
      await image.decode();
      return image;
    }));
    const place = (image, x, width) => {
      const height = width * image.height / image.width;
      const y = (HEIGHT - height) / 2;
      brush.save();
      brush.beginPath();
      brush.roundRect(x, y, width, height, 10);
      brush.clip();
      brush.drawImage(image, x, y, width, height);
      brush.restore();
    };
    const right = (HEIGHT - 2 * GAP) * pictures[1].width / pictures[1].height;
    place(pictures[0], GAP, WIDTH - 3 * GAP - right);
    place(pictures[1], WIDTH - GAP - right, right);
    return brush.getImageData(0, 0, WIDTH, HEIGHT).data;
  };
  const sample = new Uint8ClampedArray(3 * 4 * WIDTH * HEIGHT);
  for (const [at, of] of [0, still, frames.length - 1].entries())
    sample.set(await draw(frames[of]), at * 4 * WIDTH * HEIGHT);
  const palette = quantize(sample, 127);
  const transparentIndex = palette.length;
  const gif = GIFEncoder();
  let before;
  let png = '';
  for (const [at, frame] of frames.entries()) {
    const colours = applyPalette(await draw(frame), palette);
    if (at === still) png = canvas.toDataURL('image/png').split(',')[1];
    const shown = before ? colours.map((colour, pixel) => (colour === before[pixel] ? transparentIndex : colour)) : colours;
    gif.writeFrame(shown, WIDTH, HEIGHT, {
      palette: at === 0 ? [...palette, [0, 0, 0]] : undefined,
      first: at === 0,
      delay: frame.ms,
      repeat: 0,
      transparent: at > 0,
      transparentIndex,
      dispose: 1,
    });
    before = colours;
  }
  gif.finish();
  let bytes = '';
  for (const byte of gif.bytes()) bytes += String.fromCharCode(byte);
  return [btoa(bytes), png];
}`;
