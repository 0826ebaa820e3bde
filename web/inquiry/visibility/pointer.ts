import { signal } from '@preact/signals';
import type { Inquiry } from '#shared/inquiry.ts';
import { runOf } from '../next/run.ts';

type Asked = Pick<Inquiry, 'id' | 'source' | 'context' | 'group'>;

// The last decision, until the pointer was anywhere but on the buttons.
const decided = signal<{ id: string; run: string | undefined } | undefined>(undefined);
const AWAY_PX = 40;
let byMouse = true;
// Where it was pressed last.
const pressed = { x: 0, y: 0 };

/** Notes that a decision was made, of one inquiry or of several together: the pointer is still where it was pressed. */
export function noteDecision(inquiry?: Asked): void {
  decided.value = { id: inquiry?.id ?? '', run: inquiry && runOf(inquiry) };
}

/** True when a press of a button is meant for this inquiry: the pointer left the buttons since the last decision of another run. */
export function hasLeft(inquiry: Asked): boolean {
  const last = decided.value;
  return last === undefined || last.id === inquiry.id || (last.run !== undefined && last.run === runOf(inquiry));
}

/** A press that was not meant for this inquiry. A finger has then left the glass, a mouse still stands there. */
export function refusePress(): void {
  if (!byMouse) decided.value = undefined;
}

function look({ type, target, pointerType, clientX, clientY }: PointerEvent): void {
  byMouse = pointerType === 'mouse';
  // What is drawn anew under a pointer that stands still is not left.
  const away = Math.hypot(clientX - pressed.x, clientY - pressed.y) > AWAY_PX;
  const onButtons = target instanceof Element && target.closest('.inquiry .bar') !== null;
  if (decided.peek() && away && !onButtons) decided.value = undefined;
  if (type === 'pointerdown') Object.assign(pressed, { x: clientX, y: clientY });
}

for (const sign of ['pointermove', 'pointerdown'] as const) addEventListener(sign, look, true);
