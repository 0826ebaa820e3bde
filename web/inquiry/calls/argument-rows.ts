import type { Exact } from './exact.ts';

/** One line of a call's arguments; `entries` instead of a text for what has lines of its own, `string` is a long text as it is. */
export type ArgumentRow = { name: string; depth: number; text?: string; string?: string; entries?: number };

const DEEPEST = 4;

/** The arguments as lines to read, nothing left out: members in order, nested ones below, strings as they are. */
export function argumentRows(args: Exact, depth = 0): ArgumentRow[] {
  const members: [string, Exact][] =
    args.kind === 'object'
      ? args.members
      : args.kind === 'array'
        ? args.items.map((item, at) => [String(at + 1), item])
        : [];
  return members.flatMap(([name, value]): ArgumentRow[] => {
    if (value.kind === 'string')
      return [{ name, depth, text: clear(value.text), ...(isLong(value.text) ? { string: value.text } : {}) }];
    if (value.kind === 'other') return [{ name, depth, text: value.text }];
    const count = value.kind === 'object' ? value.members.length : value.items.length;
    if (count === 0) return [{ name, depth, text: value.kind === 'object' ? '{}' : '[]' }];
    if (depth >= DEEPEST) return [{ name, depth, text: flat(value) }];
    return [{ name, depth, entries: count }, ...argumentRows(value, depth + 1)];
  });
}

// A text that needs more room than one cell of a table.
function isLong(text: string): boolean {
  return text.length > 120 || text.trimEnd().includes('\n');
}

// Quotes only where the bare text would be taken for another thing than a text.
function clear(text: string): string {
  return text === '' || text.trim() !== text || /^(?:-?\d|true$|false$|null$|[{}[\]"])/.test(text)
    ? JSON.stringify(text)
    : text;
}

function flat(value: Exact): string {
  if (value.kind === 'string') return JSON.stringify(value.text);
  if (value.kind === 'other') return value.text;
  if (value.kind === 'array') return `[${value.items.map(flat).join(', ')}]`;
  return `{${value.members.map(([name, one]) => `${JSON.stringify(name)}: ${flat(one)}`).join(', ')}}`;
}
