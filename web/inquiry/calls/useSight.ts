import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { preferencesFor } from '../../live/preferences.ts';
import { approves, type Reply } from '../reply/state.ts';
import {
  bringUp,
  type Edge,
  toEdges,
  findElement,
  findFold,
  goTo,
  isDrawn,
  isOnScreen,
  linesBelow,
  type Part,
  listParts,
  pxBelow,
  required,
} from './on-screen.ts';

const LOOK_MS = 50;
// As long as an inquiry that has just come is looked at before it says what is missing, so that no button blinks.
const FIRST_LOOKS = 4;

/** A part whose end was not on the screen: how many of its lines are below, or that it was passed unread; `far` is more than a window. */
export type Missing = Part & { begun: boolean; far: boolean; lines: number; below: boolean };

/** What of an inquiry's calls was on the screen, and so whether they may be approved. */
export type Sight = Arming & {
  inquiry: Inquiry;
  /** An approval waits for something that must be seen first. */
  waits: boolean;
  /** Only the end of what runs is missing. */
  lacksEnd: boolean;
  /** All that was not seen to its end, required or not. */
  missing: readonly Missing[];
  /** True once a part was on the screen to its end. */
  isSeen: (part: string) => boolean;
  /** True when this reply may leave now: it approves nothing, or all that it approves was seen. */
  allows: (reply: Reply) => boolean;
  /** Scrolls to what is missing first and puts the focus there, so that a screen reader goes on from it. */
  show: () => void;
  /** Opens all that is folded and goes to its end at once. */
  showAll: () => void;
};

/** Watches what comes onto the screen. It alone decides what was seen, for buttons, keys and whatever else approves. */
export function useSight(inquiry: Inquiry): Sight {
  const { readToEnd } = preferencesFor(inquiry.source.id);
  const [parts, all, must] = useMemo(() => {
    const found = listParts(inquiry);
    return [found, found.flatMap(toEdges), required(inquiry, readToEnd)];
  }, [inquiry.id, readToEnd]);
  const seen = useSignal<ReadonlySet<Edge>>(new Set());
  const missing = useSignal<readonly Missing[] | undefined>(undefined);
  const done = all.every((edge) => seen.value.has(edge));
  useEffect(() => {
    if (done) missing.value = [];
    if (done) return undefined;
    let last: ReadonlySet<Edge> = new Set();
    let looks = 0;
    const look = () => {
      const here = new Set(all.filter((edge) => !seen.peek().has(edge) && isOnScreen(edge)));
      // Twice in a row, for what only flew past was not seen.
      const stayed = [...here].filter((edge) => last.has(edge));
      last = here;
      if (stayed.length > 0) seen.value = new Set([...seen.peek(), ...stayed]);
      if (isDrawn(all) && ++looks >= FIRST_LOOKS) {
        const now = parts.flatMap((part) => findMissing(part, seen.peek(), must));
        if (JSON.stringify(now) !== JSON.stringify(missing.peek())) missing.value = now;
      }
    };
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [all, done]);
  const ready = must.every((edge) => seen.value.has(edge));
  const arming = useArming(inquiry.actions?.some(({ caution }) => caution) ?? false, ready);
  const toFirst = (go: (edge: Edge) => void) => {
    const unseen = (edge: Edge) => !seen.peek().has(edge);
    const first = must.find(unseen) ?? all.find(unseen);
    if (first && missing.peek()) go(first);
  };
  return {
    ...arming,
    inquiry,
    waits: missing.value !== undefined && !ready,
    lacksEnd: /(?<!\.name):end$/.test(must.find((edge) => !seen.value.has(edge)) ?? ''),
    missing: missing.value ?? [],
    isSeen: (part) => seen.value.has(`${part}:end`),
    allows: (reply) => !approves(reply) || (ready && arming.armed === 1),
    show: () => toFirst(bringUp),
    showAll: () => toFirst(goTo),
  };
}

// What was come upon from below has its beginning missing, which an approval may wait for.
function findMissing(part: Part, seen: ReadonlySet<Edge>, must: readonly Edge[]): Missing[] {
  const [top, end] = toEdges(part);
  if (!top || !end || (seen.has(end) && (seen.has(top) || !must.includes(top)))) return [];
  const element = findElement(end);
  const px = pxBelow(part.id);
  const far = px > innerHeight || (element !== null && findFold(element) !== null);
  return [{ ...part, begun: seen.has(top), far, lines: linesBelow(part.id), below: px > 0 }];
}

const ARMING_MS = 3000;
const STEP_MS = 100;

/** Where a button for a call that cannot be taken back stands: 0 to 1 over the three seconds after `begun`. */
type Arming = { armed: number; secondsLeft: number };

/** Counts three seconds from when `begun` becomes true; without `cautious` it is armed from the start. */
function useArming(cautious: boolean, begun: boolean): Arming {
  const spent = useSignal(cautious ? 0 : ARMING_MS);
  useEffect(() => {
    if (!cautious || !begun) return undefined;
    const step = matchMedia('(prefers-reduced-motion: reduce)').matches ? 1000 : STEP_MS;
    const timer = setInterval(() => {
      spent.value += step;
      if (spent.value >= ARMING_MS) clearInterval(timer);
    }, step);
    return () => clearInterval(timer);
  }, [cautious, begun]);
  const left = Math.max(0, ARMING_MS - spent.value);
  return { armed: 1 - left / ARMING_MS, secondsLeft: Math.ceil(left / 1000) };
}
