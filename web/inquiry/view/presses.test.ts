import { deepStrictEqual } from 'node:assert/strict';
import { before, test } from 'node:test';
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
const press = (x: number, pointerType = 'mouse') => point('pointerdown', x, true, pointerType);
const point = (type: string, clientX: number, onButtons: boolean, pointerType = 'mouse') =>
  look({ type, target: new Element(onButtons), pointerType, clientX, clientY: 0 });
const ready = () => [asked('one', 'r'), asked('same', 'r'), asked('other', 's'), asked('none')].map(presses.hasLeft);

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

test('[PAG2] after several were decided together nothing is ready', () => {
  press(100);
  presses.noteDecision();
  deepStrictEqual(ready(), [false, false, false, false]);
  presses.refusePress();
  deepStrictEqual(ready(), [false, false, false, false]);
});

test('[PAG2] a press that was refused was the end of a finger', () => {
  press(100, 'touch');
  presses.noteDecision();
  press(100, 'touch');
  deepStrictEqual(ready(), [false, false, false, false]);
  presses.refusePress();
  deepStrictEqual(ready(), [true, true, true, true]);
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
