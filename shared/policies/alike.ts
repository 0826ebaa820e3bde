/** Commands that are the same but for the word at one place, with what stands there, in order. */
export type Alike = { words: string[]; at: number; values: string[] };

const FILLED_MAX = 200;
const SHARD = /^([1-9]\d{0,2})\/([1-9]\d{0,2})$/;
// Words without quotes, of which none is a star.
const PLAIN = /^[\w./:,@%+=-]+(?: [\w./:,@%+=-]+)*$/;
const WHOLE = /^(?:0|[1-9]\d{0,8})$/;

/** What these commands have in common where they differ in one word only; undefined where they do not, or are all the same. */
export function alikeOf(commands: readonly (readonly string[])[]): Alike | undefined {
  const [first, ...others] = commands;
  if (!first || others.some(({ length }) => length !== first.length)) return undefined;
  const apart = first.flatMap((word, at) => (others.every((words) => words[at] === word) ? [] : [at]));
  const [at] = apart;
  // The program itself is never what varies.
  if (at === undefined || at === 0 || apart.length > 1) return undefined;
  const values = [...new Set(commands.map((words) => words[at] ?? ''))].toSorted(byNumber);
  return { words: [...first], at, values };
}

/** Every command that these stand for: themselves, and of parts that are numbered like 3/24 each of the 24. */
export function filled({ words, at, values }: Alike): string[] {
  return (numberedParts(values) ?? values).map((value) => words.with(at, value).join(' '));
}

/** All parts of what is numbered like 3/24; undefined where one of these is no such part. */
export function numberedParts(values: readonly string[]): string[] | undefined {
  const [, , whole] = SHARD.exec(values[0] ?? '') ?? [];
  const isPart = (value: string) => {
    const [, part, of] = SHARD.exec(value) ?? [];
    return of === whole && Number(part) <= Number(of);
  };
  if (whole === undefined || Number(whole) > FILLED_MAX || !values.every(isPart)) return undefined;
  return Array.from({ length: Number(whole) }, (_, part) => `${part + 1}/${whole}`);
}

/**
 * How such commands are written as one, so that each of them and no other is told: "1…24" and "/24" where every number
 * between is there, else all that stands in that place.
 */
export function written({ words, at, values }: Alike): { before: string; varies: string; after: string } {
  const [before, after] = [words.slice(0, at), words.slice(at + 1)];
  const shards = values.map((value) => SHARD.exec(value));
  const of = shards[0]?.[2];
  const isSharded = of !== undefined && shards.every((shard) => shard?.[2] === of);
  const numbers = isSharded ? shards.map((shard) => shard?.[1] ?? '') : values;
  const span = spanOf(numbers);
  const [tail, varies] = isSharded && span ? [`/${of}`, span] : ['', span ?? values.join(', ')];
  return {
    before: before.map((word) => `${word} `).join(''),
    varies,
    after: [tail, ...after].join(after.length > 0 ? ' ' : ''),
  };
}

/** Several entries for commands, those that differ in one number only as one pattern, where that tells each of them and no other. */
export function folded(entries: readonly string[]): (string | ReturnType<typeof written>)[] {
  const groups = new Map<string, string[]>();
  for (const text of entries.filter((entry) => PLAIN.test(entry)))
    for (const [at] of text.split(' ').entries()) {
      const key = `${at} ${text.split(' ').with(at, '').join(' ')}`;
      groups.set(key, [...(groups.get(key) ?? []), text]);
    }
  const largest = [...groups.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
  const alike = largest.length < 3 ? undefined : alikeOf(largest.map((text) => text.split(' ')));
  const pattern = alike && written(alike);
  if (!pattern?.varies.includes('…')) return [...entries];
  return [...entries.filter((text) => !largest.includes(text)), pattern];
}

function spanOf(values: string[]): string | undefined {
  if (values.length < 3 || !values.every((value) => WHOLE.test(value))) return undefined;
  const numbers = values.map(Number);
  const isWhole = numbers.every((number, place) => number === (numbers[0] ?? 0) + place);
  return isWhole ? `${numbers[0]}…${numbers.at(-1)}` : undefined;
}

function byNumber(a: string, b: string): number {
  // Of what is no number the texts decide.
  return Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1);
}
