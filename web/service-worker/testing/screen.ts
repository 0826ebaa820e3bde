import type { Card, Engine } from '../world.ts';

/** A notification on the screen. `recorded` false: Chromium shows it, and no longer knows of it. */
type Shown = { card: Card; at: number; recorded: boolean };

const CLOSE_LOCK_MS = 30_000;

/**
 * The notifications of one browser. Chromium replaces by tag, and forgets a card that is shown while cards are read.
 * Firefox replaces by tag. WebKit never replaces, and closes nothing in the first 30 s.
 */
export function openScreen(engine: Engine, clock: { now: number }) {
  let reading = 0;
  let showing = 0;
  const screen = {
    shown: [] as Shown[],
    /** How many were ever shown. */
    count: 0,
    async cards(): Promise<Card[]> {
      const racing = showing > 0;
      reading += 1;
      await aWhile();
      reading -= 1;
      if (racing || showing > 0) for (const shown of screen.shown) if (shown.at === clock.now) loseRecord(shown);
      return screen.shown.filter(({ recorded }) => recorded).map(({ card }) => card);
    },
    async show(card: Card): Promise<void> {
      screen.count += 1;
      if (engine !== 'webkit') screen.shown = screen.shown.filter((shown) => shown.card.tag !== card.tag);
      const shown = { card, at: clock.now, recorded: true };
      screen.shown.push(shown);
      showing += 1;
      await aWhile();
      showing -= 1;
      if (reading > 0) loseRecord(shown);
    },
    async close(tags: string[]): Promise<void> {
      await aWhile();
      screen.shown = screen.shown.filter((shown) => isHeld(shown) || !tags.includes(shown.card.tag));
    },
  };
  return screen;

  function loseRecord(shown: Shown): void {
    if (engine === 'chromium') shown.recorded = false;
  }

  function isHeld({ at, recorded }: Shown): boolean {
    return !recorded || (engine === 'webkit' && clock.now - at < CLOSE_LOCK_MS);
  }
}

let calls = 0;

// Never twice as long, so that calls made at once overlap.
async function aWhile(): Promise<void> {
  calls += 1;
  const turns = 1 + ((calls * 7) % 11);
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
}
