import { deepStrictEqual } from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, mock, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type * as Presses from './presses.ts';

type Look = (event: object) => void;

let presses: typeof Presses;
let look: Look;
class Element {
  private readonly onButtons: boolean;
  constructor(onButtons: boolean) {
    this.onButtons = onButtons;
  }
  closest() {
    return this.onButtons ? this : null;
  }
}

before(async () => {
  Object.assign(globalThis, { Element, addEventListener: (_sign: string, hear: Look) => (look = hear) });
  presses = await import('./presses.ts');
});

const asked = (id: string, runId?: string): Pick<Inquiry, 'id' | 'source' | 'context'> => ({
  id,
  source: { id: 'src_a', name: 'Atlas' },
  ...(runId === undefined ? {} : { context: { runId } }),
});
const point = (type: string, clientX: number, onButtons: boolean, pointerType = 'mouse') =>
  look({ type, target: new Element(onButtons), pointerType, clientX, clientY: 0 });
const press = (x: number, pointerType = 'mouse') => {
  point('pointerdown', x, true, pointerType);
  point('pointerup', x, true, pointerType);
};
const inquiries = [asked('one', 'r'), asked('same', 'r'), asked('other', 's'), asked('none')];
const ready = () => inquiries.map(presses.hasLeft);
const take = (id: string, runId?: string) => presses.takesPress(asked(id, runId));
const forget = () => {
  mock.timers.tick(1000);
  point('pointerdown', 900, false);
  point('pointerup', 900, false);
};

// Hooks of the file alone: others run in this process too.
describe('which presses count', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => {
    forget();
    mock.timers.reset();
  });

  test('[PAG2] after a decision only its own run is ready, until the pointer was away from the buttons', () => {
    press(100);
    presses.noteDecision(asked('one', 'r'));
    deepStrictEqual(ready(), [true, true, false, false]);
    press(100);
    point('pointermove', 120, false);
    point('pointermove', 300, true);
    deepStrictEqual(ready(), [true, true, false, false]);
    point('pointermove', 300, false);
    deepStrictEqual(ready(), [true, true, true, true]);
  });

  test('[PAG2] after several were decided together, or the press that goes on, nothing is ready for a second, and until the pointer has left', () => {
    press(100);
    presses.noteDecision();
    mock.timers.tick(1000);
    deepStrictEqual(ready(), [false, false, false, false]);
    deepStrictEqual([take('one', 'r'), presses.takesPress()], [false, false]);
    mock.timers.tick(999);
    point('pointermove', 300, false);
    deepStrictEqual(ready(), [false, false, false, false]);
    mock.timers.tick(1);
    deepStrictEqual([ready(), presses.takesPress()], [[true, true, true, true], true]);
  });

  test('[PAG2] a press that was refused was the end of a finger, but not in the second in which none counts', () => {
    press(100, 'touch');
    presses.noteDecision();
    const taps = [400, 1000, 1000, 999, 1000].map((after) => {
      mock.timers.tick(after);
      press(100, 'touch');
      return take('same', 'r');
    });
    // The first comes too early, the second ends the finger, a third as soon as the refusal is over counts.
    deepStrictEqual(taps, [false, false, true, true, true]);
  });

  test('[PAG2] [SEE1] where the page went on by itself no button is ready for a second, of the same run too, and until the mouse has left', () => {
    press(100);
    presses.noteDecision(asked('one', 'r'));
    presses.noteArrival();
    deepStrictEqual([ready(), take('same', 'r')], [[true, false, false, false], false]);
    mock.timers.tick(1000);
    point('pointermove', 101, true);
    deepStrictEqual(ready(), [true, false, false, false]);
    point('pointermove', 300, false);
    deepStrictEqual(ready(), [true, true, true, true]);
  });

  test('[PAG2] [SEE1] a finger that lies there since before, or came too early, decides nothing when it lifts', () => {
    point('pointerdown', 100, true, 'touch');
    presses.noteArrival();
    mock.timers.tick(1000);
    point('pointerup', 100, true, 'touch');
    deepStrictEqual([ready()[1], take('same', 'r')], [true, false]);
    mock.timers.tick(900);
    point('pointerdown', 100, true, 'touch');
    mock.timers.tick(200);
    point('pointerup', 100, true, 'touch');
    deepStrictEqual(take('same', 'r'), false);
    mock.timers.tick(1000);
    press(100, 'touch');
    deepStrictEqual(take('same', 'r'), true);
  });

  test('[PAG2] taps in a rhythm shorter than a second never count, however many', () => {
    press(100, 'touch');
    presses.noteArrival();
    const taps = Array.from({ length: 20 }, () => {
      mock.timers.tick(900);
      press(100, 'touch');
      return take('same', 'r');
    });
    deepStrictEqual(new Set(taps), new Set([false]));
  });

  test('[PAG2] after a key a mouse still leaves the buttons', () => {
    press(100);
    look({ type: 'keydown', key: 'y', repeat: false });
    presses.noteDecision(asked('one', 'r'));
    point('pointermove', 300, false);
    deepStrictEqual(ready(), [true, true, true, true]);
  });

  test('[PAG2] a key that goes on has no pointer to leave; the second holds for keys too', () => {
    const key = (name: string) => look({ type: 'keydown', key: name, repeat: false });
    key('y');
    presses.noteDecision(asked('one', 'r'));
    presses.noteArrival();
    key('Enter');
    deepStrictEqual([take('other', 's')], [false]);
    mock.timers.tick(1000);
    key('y');
    deepStrictEqual(take('other', 's'), true);
    key('Enter');
    presses.noteDecision();
    mock.timers.tick(1000);
    key('y');
    deepStrictEqual(take('other', 's'), true);
  });

  test('typing that runs across a change of question acts on the next one only after a pause', () => {
    presses.awaitPause(1000);
    const typed = [1001, 1200, 1500, 1990, 2500, 3101, 3150, 3200];
    deepStrictEqual(typed.map(presses.isPause), [false, false, false, false, false, true, true, true]);
    presses.awaitPause(3210);
    deepStrictEqual([3220, 3900].map(presses.isPause), [false, true]);
  });

  test('a key that was pressed before the question came, and is heard after it, makes no pause', () => {
    presses.awaitPause(5000);
    deepStrictEqual([4000, 4100, 5550, 6151].map(presses.isPause), [false, false, false, true]);
  });
});
