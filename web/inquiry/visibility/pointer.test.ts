import { deepStrictEqual } from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type * as Pointer from './pointer.ts';

type Look = (event: object) => void;

let pointer: typeof Pointer;
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
  pointer = await import('./pointer.ts');
});

const asked = (id: string, runId?: string): Pick<Inquiry, 'id' | 'source' | 'context'> => ({
  id,
  source: { id: 'src_a', name: 'Atlas' },
  ...(runId === undefined ? {} : { context: { runId } }),
});
const press = (x: number, pointerType = 'mouse') => point('pointerdown', x, true, pointerType);
const point = (type: string, clientX: number, onButtons: boolean, pointerType = 'mouse') =>
  look({ type, target: new Element(onButtons), pointerType, clientX, clientY: 0 });
const ready = () => [asked('one', 'r'), asked('same', 'r'), asked('other', 's'), asked('none')].map(pointer.hasLeft);

test('[PAG2] after a decision only its own run is ready, until the pointer was away from the buttons', () => {
  press(100);
  pointer.noteDecision(asked('one', 'r'));
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
  pointer.noteDecision();
  deepStrictEqual(ready(), [false, false, false, false]);
  pointer.refusePress();
  deepStrictEqual(ready(), [false, false, false, false]);
});

test('[PAG2] a press that was refused was the end of a finger', () => {
  press(100, 'touch');
  pointer.noteDecision();
  press(100, 'touch');
  deepStrictEqual(ready(), [false, false, false, false]);
  pointer.refusePress();
  deepStrictEqual(ready(), [true, true, true, true]);
});
