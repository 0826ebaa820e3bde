import { isDeepStrictEqual } from 'node:util';
import type { Node } from 'jsonc-parser';
import { CannotChange } from './cannot-change.ts';
import { lineAt, scan, skip, valueIn } from './scan.ts';

// Only the reading is jsonc-parser's: its `modify` formats the lines that it touches anew and takes comments out too.

/** The name of a member, or the place of an item. */
type Step = string | number;

/** What a JSON text says, comments or not; a blank one says `{}`. */
export function valueOf(text: string): unknown {
  const root = scan(text);
  return root ? valueIn(root) : {};
}

/** What stands at this place, if anything does. */
export function at(text: string, path: Step[]): unknown {
  const root = scan(text);
  const { node, rest } = root ? reach(root, path) : { node: undefined, rest: path };
  return rest.length > 0 || !node ? undefined : valueIn(node);
}

/** Puts a member in at the end of an object, or in the place of the one of this name; nothing else of the text changes. */
export function put(text: string, path: string[], value: unknown): string {
  const [root, whole] = rooted(text);
  const { node, rest } = reach(root, path);
  const [name, ...below] = rest;
  if (name === undefined) {
    if (isDeepStrictEqual(valueIn(node), value)) return whole;
    return whole.slice(0, node.offset) + written(whole, node.offset, value) + whole.slice(endOf(node));
  }
  return insert(whole, node, nested(below, value), name);
}

/** Puts an item in at the end of a list, which is made where it is missing. */
export function push(text: string, path: string[], value: unknown): string {
  const [root, whole] = rooted(text);
  const { node, rest } = reach(root, path);
  if (rest.length > 0) return put(whole, path, [value]);
  return insert(whole, node, value);
}

/** Takes a member out, and what holds nothing after that. */
export function take(text: string, path: Step[]): string {
  const root = scan(text);
  const name = path.at(-1);
  if (!root || name === undefined) return text;
  const above = path.slice(0, -1);
  const { node, rest } = reach(root, above);
  const at = rest.length > 0 ? -1 : (node.children ?? []).findLastIndex((child) => nameOf(child) === name);
  return at < 0 ? text : pruned(cut(text, node, at), above);
}

/** Gives a member back what it says in another text, or takes it out where it stands there nowhere. */
export function restore(text: string, path: string[], other: string): string {
  const value = at(other, path);
  return value === undefined ? take(text, path) : put(text, path, value);
}

/** Takes the items of a list out that `which` says yes to, and what holds nothing after that. */
export function takeItems(text: string, path: Step[], which: (value: unknown) => boolean): string {
  for (let left = text; ;) {
    const root = scan(left);
    const { node, rest } = root ? reach(root, path) : { node: undefined, rest: path };
    const at = rest.length > 0 ? -1 : (node?.children ?? []).findLastIndex((child) => which(valueIn(child)));
    if (!node || at < 0) return left === text ? text : pruned(left, path);
    left = cut(left, node, at);
  }
}

function pruned(text: string, path: Step[]): string {
  const root = scan(text);
  if (!root || path.length === 0) return text;
  const { node, rest } = reach(root, path);
  return rest.length === 0 && node.children?.length === 0 ? take(text, path) : text;
}

function rooted(text: string): [Node, string] {
  // A comment may be all that it holds, and ends only with its line.
  const whole = scan(text) ? text : `${text}${/[^\n]$/.test(text) ? lineEnd(text) : ''}{}\n`;
  const root = scan(whole);
  if (!root) throw new Error('a text that holds an object was read as blank');
  return [root, whole];
}

/** The deepest part of the path that is there, and the names that are missing below it. */
function reach<S extends Step>(root: Node, path: S[]): { node: Node; rest: S[] } {
  let node = root;
  for (const [at, name] of path.entries()) {
    const children = node.children ?? [];
    const next =
      typeof name === 'number' ? children[name] : children.findLast((child) => nameOf(child) === name)?.children?.[1];
    if (!next) return { node, rest: path.slice(at) };
    node = next;
  }
  return { node, rest: [] };
}

function nested(names: string[], value: unknown): unknown {
  return names.reduceRight((inner, name) => ({ [name]: inner }), value);
}

function insert(text: string, node: Node, value: unknown, name?: string): string {
  const { type, offset: start, children = [] } = node;
  if (type !== (name === undefined ? 'array' : 'object'))
    throw new CannotChange(`line ${lineAt(text, start)} holds no ${name === undefined ? 'list' : 'object'}`);
  const end = endOf(node);
  const label = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const last = children.at(-1);
  if (!last) {
    const inner = text.slice(start + 1, end - 1).trimEnd();
    const item = `${lineEnd(text)}${indentAt(text, start)}${unitOf(text)}`;
    const written = label + (name === undefined ? oneLine(value) : json(text, value, item));
    return `${text.slice(0, start + 1)}${inner}${item}${written}${lineEnd(text)}${indentAt(text, start)}${text.slice(end - 1)}`;
  }
  const before = /\r?\n[ \t]*$/.exec(text.slice(0, last.offset))?.[0];
  const inLine = before === undefined || name === undefined;
  const item = (before ?? ' ') + label + (inLine ? oneLine(value) : json(text, value, before));
  const comma = skip(text, endOf(last));
  const trailing = text[comma] === ',';
  const at = trailing ? comma + 1 : endOf(last);
  const [note = ''] = /^[ \t]*\/(?:\/.*|\*.*?\*\/)(?=\r?$)/m.exec(restOfLine(text, at)) ?? [];
  const head = text.slice(0, at) + (trailing ? '' : ',');
  return head + note + item + (trailing ? ',' : '') + text.slice(at + note.length);
}

/** Takes the child out with its comma: the one behind it, or the one before it where it is the last. */
function cut(text: string, node: Node, at: number): string {
  const { children = [], offset: start } = node;
  const child = children[at] as Node;
  const from = text.slice(0, child.offset).trimEnd().length;
  const behind = skip(text, endOf(child));
  const before = children[at - 1];
  if (text[behind] === ',') return text.slice(0, from) + text.slice(behind + 1);
  if (before) {
    const comma = skip(text, endOf(before));
    return text.slice(0, comma) + text.slice(comma + 1, from) + text.slice(endOf(child));
  }
  const [head, tail] = [text.slice(start + 1, from), text.slice(endOf(child), endOf(node) - 1)];
  const left = (head + tail).trim() === '' ? '' : head + tail;
  return text.slice(0, start + 1) + left + text.slice(endOf(node) - 1);
}

function written(text: string, at: number, value: unknown): string {
  return json(text, value, lineEnd(text) + indentAt(text, at));
}

/** Written out by its members, but for what stands in lists: that would take a screen for six hooks. */
function json(text: string, value: unknown, newLine: string): string {
  const further = newLine + unitOf(text);
  if (Array.isArray(value)) return `[${value.map((one) => further + oneLine(one)).join(',')}${newLine}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${json(text, one, further)}`);
  return `{${members.map((one) => further + one).join(',')}${newLine}}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${oneLine(one)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

const endOf = ({ offset, length }: Node): number => offset + length;
const nameOf = ({ children: [name] = [] }: Node): unknown => name?.value;
const lineEnd = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const unitOf = (text: string): string => /\n([ \t]+)["[{]/.exec(text)?.[1] ?? '  ';
const restOfLine = (text: string, at: number): string => text.slice(at).split('\n', 1)[0] ?? '';

/** The white space that the line begins with. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
