import { CannotChange } from './cannot-change.ts';

/** A part of a JSON text with comments, and where it stands. */
export type Node = {
  start: number;
  end: number;
  value: unknown;
  /** What an object or a list holds; `start` of a member is that of its name. */
  children?: Child[];
};
export type Child = { name?: string; start: number; end: number; node: Node };

const BETWEEN = /(?:\s|\uFEFF|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const SCALAR = /[-+\w.]+/y;

/** Where the next thing stands after white space and comments. */
export function skip(text: string, at: number): number {
  BETWEEN.lastIndex = at;
  BETWEEN.test(text);
  return BETWEEN.lastIndex;
}

/** Reads a JSON text that may have comments and commas at the end of lists; a blank one has no node. */
export function scan(text: string): Node | undefined {
  const at = skip(text, 0);
  if (at === text.length) return undefined;
  const root = read(text, at);
  const end = skip(text, root.end);
  if (end < text.length) throw wrong(text, end);
  return root;
}

function read(text: string, at: number): Node {
  if (text[at] === '{') return container(text, at, '}');
  if (text[at] === '[') return container(text, at, ']');
  const pattern = text[at] === '"' ? STRING : SCALAR;
  pattern.lastIndex = at;
  const [word] = pattern.exec(text) ?? [];
  try {
    return { start: at, end: at + (word ?? '').length, value: JSON.parse(word ?? '') };
  } catch {
    throw wrong(text, at);
  }
}

function container(text: string, start: number, close: string): Node {
  const children: Child[] = [];
  for (let at = skip(text, start + 1); ;) {
    if (text[at] === close) return { start, end: at + 1, value: valueOf(children, close), children };
    const child = close === '}' ? member(text, at) : item(text, at);
    children.push(child);
    at = skip(text, child.end);
    if (text[at] === ',') at = skip(text, at + 1);
    else if (text[at] !== close) throw wrong(text, at);
  }
}

function item(text: string, at: number): Child {
  const node = read(text, at);
  return { start: at, end: node.end, node };
}

function member(text: string, start: number): Child {
  if (text[start] !== '"') throw wrong(text, start);
  const name = read(text, start);
  const colon = skip(text, name.end);
  if (text[colon] !== ':') throw wrong(text, colon);
  const node = read(text, skip(text, colon + 1));
  return { name: String(name.value), start, end: node.end, node };
}

function valueOf(children: Child[], close: string): unknown {
  if (close === ']') return children.map(({ node }) => node.value);
  return Object.fromEntries(children.map(({ name, node }) => [name, node.value]));
}

function wrong(text: string, at: number): CannotChange {
  const line = text.slice(0, at).split('\n').length;
  return new CannotChange(`line ${line} is no JSON`);
}
