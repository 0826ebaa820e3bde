/** A JSON value with members in maps and each number as the text `n` and its digits: no double stands in between. */
export type Raw = string | boolean | null | Raw[] | Map<string, Raw>;

const MOST_DEPTH = 100;
const STRING = /"(?:[^"\\]|\\.)*"/sy;

/** Reads JSON exactly; throws for a member that stands twice, more than 100 levels, and whatever is not JSON. */
export function rawOf(text: string): Raw {
  JSON.parse(text);
  let at = 0;
  const skip = (): void => {
    while (/\s/.test(text[at] ?? '')) at++;
  };
  const string = (): string => {
    STRING.lastIndex = at;
    const [found = ''] = STRING.exec(text) ?? [];
    at += found.length;
    return JSON.parse(found) as string;
  };
  const value = (depth: number): Raw => {
    if (depth > MOST_DEPTH) throw new Error('nests too deep');
    skip();
    const first = text[at];
    if (first === '"') return `s${string()}`;
    if (first === '{') return members(depth);
    if (first === '[') return items(depth);
    const [word = ''] = /^[-+.\w]+/.exec(text.slice(at, at + 1_000)) ?? [];
    at += word.length;
    return word === 'null' ? null : word === 'true' || word === 'false' ? word === 'true' : `n${word}`;
  };
  const items = (depth: number): Raw[] => {
    const all: Raw[] = [];
    at++;
    for (skip(); text[at] !== ']'; skip()) {
      if (text[at] === ',') at++;
      all.push(value(depth + 1));
    }
    at++;
    return all;
  };
  const members = (depth: number): Map<string, Raw> => {
    const all = new Map<string, Raw>();
    at++;
    for (skip(); text[at] !== '}'; skip()) {
      if (text[at] === ',') at++;
      skip();
      const name = string();
      if (all.has(name)) throw new Error(`${name} stands twice`);
      skip();
      at++;
      all.set(name, value(depth + 1));
    }
    at++;
    return all;
  };
  return value(0);
}
