import { createScanner, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { CannotChange } from './cannot-change.ts';

/** Where the next thing stands after white space and comments. */
export function skip(text: string, at: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  scanner.scan();
  return scanner.getTokenOffset();
}

/** Reads a JSON text that may have comments and commas at the end of lists; a blank one has no node. */
export function scan(text: string): Node | undefined {
  const errors: ParseError[] = [];
  // A mark of the encoding would be an error.
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
  const [first] = errors;
  const isBlank = root === undefined && first?.offset === text.length;
  if (first === undefined || isBlank) return root;
  throw new CannotChange(`line ${lineAt(text, first.offset)} is no JSON`);
}

/** What a node says, by the last of members with one name. The objects of `getNodeValue` equal no others: they have no prototype. */
export function valueIn({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(valueIn);
  if (type !== 'object') return value;
  return Object.fromEntries(children.map(({ children: [name, node] = [] }) => [name?.value, node && valueIn(node)]));
}

/** The number of the line that this place stands on, from 1. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
