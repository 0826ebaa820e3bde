import { seen } from '#shared/visible.ts';

/** What tells a source's icon from another: one engraved pattern and two letters. */
export type SourceFace = { lines: string; letters: string };

/** The icon of a source, always the same for the same id; the letters come from its name. */
export function sourceFace(sourceId: string, name: string): SourceFace {
  const seed = hash(sourceId);
  const draw = ENGRAVINGS[seed % ENGRAVINGS.length] as (turn: number) => string;
  return { lines: draw((seed >>> 8) & 0xff), letters: lettersOf(seen(name)) };
}

/** The perforated edge of an icon of 46 by 54. */
export const PERFORATED = perforated();

function waves(turn: number): string {
  const pitch = 2.6 + (turn % 4) * 0.4;
  const swing = 2 + (turn % 3);
  return rows(4, 50, pitch, (y) => `M4 ${y}q2.4-${swing} 4.8 0${'t4.8 0'.repeat(7)}`);
}

function slants(turn: number): string {
  const pitch = 2.4 + (turn % 5) * 0.35;
  const way = turn % 2 === 0 ? 'l42-42' : 'l42 42';
  return rows(-40, 44, pitch, (x) => `M${x} ${turn % 2 === 0 ? 48 : 6}${way}`);
}

function rings(turn: number): string {
  const step = 1.8 + (turn % 4) * 0.35;
  const [x, y] = [
    [23, 27],
    [6, 6],
    [40, 48],
    [23, 6],
  ][turn % 4] as [number, number];
  return rows(
    turn % 4 === 0 ? 13 : 4,
    50,
    step,
    (r) => `M${round(x - r)} ${y}a${r} ${r} 0 1 0 ${round(2 * r)} 0a${r} ${r} 0 1 0 ${round(-2 * r)} 0`,
  );
}

function crosses(turn: number): string {
  const gap = 6 + (turn % 3);
  return rows(4, 50, gap, (y) =>
    rows(4 + ((y / gap) % 2 < 1 ? 0 : gap / 2), 44, gap, (x) => `M${x} ${y}h3M${round(x + 1.5)} ${round(y - 1.5)}v3`),
  );
}

function rays(turn: number): string {
  const spokes = 48 + (turn % 4) * 8;
  return Array.from({ length: spokes }, (_, at) => {
    const angle = (2 * Math.PI * at) / spokes;
    return `M${round(23 + 13 * Math.cos(angle))} ${round(27 + 13 * Math.sin(angle))}L${round(23 + 40 * Math.cos(angle))} ${round(27 + 40 * Math.sin(angle))}`;
  }).join('');
}

function guilloche(turn: number): string {
  const petals = 5 + (turn % 4);
  return [24, 20, 16]
    .map((reach, ring) => {
      const points = Array.from({ length: 121 }, (_, at) => {
        const angle = (2 * Math.PI * at) / 120;
        const r = reach + 4 * Math.sin(petals * angle + ring);
        return `${round(23 + r * Math.cos(angle))} ${round(27 + r * Math.sin(angle))}`;
      });
      return `M${points.join('L')}`;
    })
    .join('');
}

function weave(turn: number): string {
  const gap = 4 + (turn % 3);
  return slants(turn & ~1) + rows(6, 48, gap, (y) => `M4 ${y}h38`);
}

const ENGRAVINGS = [waves, slants, rings, crosses, rays, guilloche, weave];

function rows(from: number, to: number, step: number, draw: (at: number) => string): string {
  let drawn = '';
  for (let at = from; at <= to; at += step) drawn += draw(round(at));
  return drawn;
}

// "Release train" is RT, "Refund desk" Rd would clash less as RD; one word gives its first and its last consonant.
function lettersOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s\-_./]+/u)
    .filter(Boolean);
  const [first = '?', second] = words;
  if (/\p{Script=Han}/u.test(first)) return [...first][0] ?? '?';
  if (second) return `${upper(first)}${upper(second)}`;
  const letters = [...first];
  return `${upper(first)}${(letters.findLast((letter, at) => at > 0 && /[^aeiou\W]/i.test(letter)) ?? '').toLowerCase()}`;
}

function upper(word: string): string {
  return ([...word][0] ?? '').toUpperCase();
}

function perforated(): string {
  const edge = (holes: number, dx: number, dy: number) =>
    `l${dx} ${dy}a1.75 1.75 0 0 0 ${Math.sign(dx) * 3.5} ${Math.sign(dy) * 3.5}`.repeat(holes);
  return `M0 0${edge(8, 2, 0)}L46 0${edge(10, 0, 1.8)}L46 54${edge(8, -2, 0)}L0 54${edge(10, 0, -1.8)}Z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

// FNV-1a, 32 bits.
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (const character of text) sum = Math.imul(sum ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return sum;
}
