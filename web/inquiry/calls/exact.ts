/** JSON as it was written: numbers keep their digits and members their order, twins included. */
export type Exact =
  | { kind: 'object'; members: [name: string, value: Exact][] }
  | { kind: 'array'; items: Exact[] }
  | { kind: 'string'; text: string }
  | { kind: 'other'; text: string };

const TOKEN = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|([^\s{}[\],:"]+))/y;

/** Reads a JSON text without turning its numbers into doubles; undefined when it is not JSON. */
export function readExact(text: string): Exact | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const token = new RegExp(TOKEN);
  const next = () =>
    token
      .exec(text)
      ?.slice(1)
      .find((part) => part !== undefined) ?? '';
  const value = (first: string): Exact => {
    if (first === '{') return readMembers(next, value);
    if (first === '[') return readItems(next, value);
    if (first.startsWith('"')) return { kind: 'string', text: JSON.parse(first) as string };
    return { kind: 'other', text: first };
  };
  return value(next());
}

function readMembers(next: () => string, value: (first: string) => Exact): Exact {
  const members: [string, Exact][] = [];
  for (let name = next(); name !== '}'; name = next()) {
    if (name === ',') continue;
    next();
    members.push([JSON.parse(name) as string, value(next())]);
  }
  return { kind: 'object', members };
}

function readItems(next: () => string, value: (first: string) => Exact): Exact {
  const items: Exact[] = [];
  for (let first = next(); first !== ']'; first = next()) if (first !== ',') items.push(value(first));
  return { kind: 'array', items };
}

/** The same JSON, indented by two. */
export function writeExact(value: Exact, depth = 0): string {
  const inner = '  '.repeat(depth + 1);
  const outer = '  '.repeat(depth);
  if (value.kind === 'string') return JSON.stringify(value.text);
  if (value.kind === 'other') return value.text;
  const [open, close] = value.kind === 'object' ? '{}' : '[]';
  const parts =
    value.kind === 'object'
      ? value.members.map(([name, one]) => `${JSON.stringify(name)}: ${writeExact(one, depth + 1)}`)
      : value.items.map((one) => writeExact(one, depth + 1));
  return parts.length === 0 ? `${open}${close}` : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${outer}${close}`;
}
